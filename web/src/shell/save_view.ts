// SPDX-License-Identifier: Apache-2.0
// The view that is shown, as a file that needs nothing else: a page, or a picture of it. What can be
// pressed is left out; charts and maps are pictures; tables are whole in the page, and as they are
// seen in the picture.
import { saveAs } from '@/lib/csv';
import { setWhole } from '@/lib/whole';

export type ViewFormat = 'html' | 'svg' | 'png';

const kMostPixels = 16_000; // Of a side: what canvases can hold.

export async function saveView(format: ViewFormat): Promise<void> {
  const main = document.querySelector<HTMLElement>('#main');
  if (!main) return;
  const name = document.title.replace(/[^\w.-]+/g, '_');
  if (format === 'html') {
    setWhole(true);
    try {
      await framesPass();
      saveAs(`${name}.html`, pageOf(main), 'text/html');
    } finally {
      setWhole(false);
    }
    return;
  }
  const picture = pictureOf(main);
  if (format === 'svg') return saveAs(`${name}.svg`, picture.text, 'image/svg+xml');
  saveAs(`${name}.png`, await painted(picture), 'image/png');
}

const framesPass = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

// All rules that the app has.
function styles(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map((rule) => rule.cssText)
    .join('\n');
}

const scheme = () => document.documentElement.dataset.mantineColorScheme ?? 'light';

// A copy without what only works in the app.
export function copyOf(main: HTMLElement): HTMLElement {
  const copy = main.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error('a copy of an element is one');
  const pairs = (selector: string): [HTMLElement, HTMLElement][] => {
    const copies = copy.querySelectorAll<HTMLElement>(selector);
    return [...main.querySelectorAll<HTMLElement>(selector)].map((one, i) => [one, copies[i]!]);
  };
  // Where a table or a list is scrolled to.
  for (const [one, its] of pairs('*')) {
    if (one.scrollTop > 0 && its.lastElementChild instanceof HTMLElement)
      its.lastElementChild.style.marginTop = `${-one.scrollTop}px`;
  }
  for (const [one, its] of pairs('canvas')) {
    if (!(one instanceof HTMLCanvasElement)) continue;
    const image = document.createElement('img');
    image.src = one.toDataURL();
    image.alt = one.getAttribute('aria-label') ?? '';
    image.width = one.clientWidth;
    image.height = one.clientHeight;
    its.replaceWith(image);
  }
  for (const [one, its] of pairs('input, select, textarea')) its.replaceWith(valueOf(one));
  for (const ornament of copy.querySelectorAll('.mantine-Input-section')) ornament.remove();
  for (const its of copy.querySelectorAll('button')) {
    const { cli } = its.dataset;
    if (cli) its.replaceWith(element('code', cli));
    else if (its.closest('th, [role=columnheader]'))
      its.replaceWith(element('span', its.textContent));
    else its.remove();
  }
  for (const link of copy.querySelectorAll('a')) link.removeAttribute('href');
  for (const its of copy.querySelectorAll('[tabindex]')) its.removeAttribute('tabindex');
  copy.removeAttribute('tabindex');
  return copy;
}

function element(tag: string, text: string | null): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function valueOf(control: HTMLElement): HTMLElement {
  if (control instanceof HTMLInputElement && control.type === 'checkbox')
    return element('span', control.checked ? '☑' : '☐');
  if (control instanceof HTMLInputElement && control.type === 'radio')
    return element('span', control.checked ? '◉' : '○');
  // What it is at is said beside it.
  if (control instanceof HTMLInputElement && control.type === 'range') return element('span', '');
  if (control instanceof HTMLSelectElement)
    return element('span', control.selectedOptions[0]?.textContent ?? '');
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
    return element('span', control.value);
  return element('span', '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function pageOf(main: HTMLElement): string {
  const title = escaped(document.title);
  return `<!doctype html>
<html lang="en" data-mantine-color-scheme="${scheme()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${styles().replaceAll('</', '<\\/')}</style>
</head>
<body class="saved">
${copyOf(main).outerHTML}
<footer class="muted">${title}, saved ${new Date().toISOString()}</footer>
</body>
</html>
`;
}

interface Picture {
  text: string;
  width: number;
  height: number;
}

function pictureOf(main: HTMLElement): Picture {
  const width = Math.min(main.clientWidth, kMostPixels);
  const height = Math.min(main.scrollHeight, kMostPixels);
  const kSvg = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(kSvg, 'svg');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.dataset.mantineColorScheme = scheme();
  const style = document.createElementNS(kSvg, 'style');
  style.textContent = styles();
  const holder = document.createElementNS(kSvg, 'foreignObject');
  holder.setAttribute('width', '100%');
  holder.setAttribute('height', '100%');
  const body = element('div', '');
  body.className = 'saved';
  body.append(copyOf(main));
  holder.append(body);
  svg.append(style, holder);
  return { text: new XMLSerializer().serializeToString(svg), width, height };
}

async function painted({ text, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.max(
    1,
    Math.min(window.devicePixelRatio, kMostPixels / Math.max(width, height)),
  );
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large')))),
  );
}
