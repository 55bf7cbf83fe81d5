// SPDX-License-Identifier: Apache-2.0
// Pictures of views, compared with approved ones (e2e/approved). They are kept and compared at a third
// of their size: edges of letters, which each version of a browser draws in its own way, average out
// there; what moves, breaks, overlaps or changes its colour does not. Fonts come with the tests.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const kScale = 3;
const kColours = 8; // Steps between the values of a channel: what is kept compresses to a half.
const kTolerance = 0.1; // Of a pixel's colour, as pixelmatch measures it.
const kMost = 0.005; // Of all pixels may differ by more.

const kApproved = join(import.meta.dirname, 'approved');

const { resolve } = createRequire(import.meta.url);
const face = (family, file, weight) => {
  const bytes = readFileSync(resolve(`@fontsource/${file}-latin-${weight}-normal.woff2`));
  return `@font-face { font-family: '${family}'; font-weight: ${weight};
    src: url(data:font/woff2;base64,${bytes.toString('base64')}); }`;
};
const kStyle = [
  face('approved sans', 'dejavu-sans/files/dejavu-sans', 400),
  face('approved sans', 'dejavu-sans/files/dejavu-sans', 700),
  face('approved mono', 'dejavu-mono/files/dejavu-mono', 400),
  face('approved mono', 'dejavu-mono/files/dejavu-mono', 700),
  `:root { --font: 'approved sans', sans-serif; --mono: 'approved mono', monospace; }`,
].join('\n');

// After each load of the page, which must have been opened without its policy (bypassCSP).
export async function withFonts(page) {
  await page.addStyleTag({ content: kStyle });
  await page.evaluate(() =>
    Promise.all(
      ['sans', 'mono'].flatMap((family) =>
        [400, 700].map((weight) => document.fonts.load(`${weight} 12px 'approved ${family}'`)),
      ),
    ).then(() => undefined),
  );
}

// What depends on when, where and how fast: in its place stands what is always the same.
const kVaries = [
  ['\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?( UTC|Z)?', '2026-01-02 03:04:05 UTC'],
  ['\\b\\d+(\\.\\d+)? (ns|µs|ms|s)\\b', '1 ms'],
  ['127\\.0\\.0\\.1:\\d+', '127.0.0.1:8080'],
];

const holdStill = (page) =>
  page.evaluate((varies) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = varies.reduce(
        (said, [pattern, instead]) => said.replace(new RegExp(pattern, 'g'), instead),
        node.data,
      );
      if (text !== node.data) node.data = text;
    }
    document.activeElement?.blur();
  }, kVaries);

// The mean of each square of kScale by kScale pixels.
function reduced(png) {
  const [width, height] = [png.width, png.height].map((size) => Math.floor(size / kScale));
  const small = new PNG({ width, height });
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (let i = 0; i < kScale; i += 1)
          for (let j = 0; j < kScale; j += 1)
            sum += png.data[((y * kScale + i) * png.width + x * kScale + j) * 4 + channel];
        const mean = sum / (kScale * kScale);
        small.data[(y * width + x) * 4 + channel] =
          channel === 3 ? 255 : Math.min(255, Math.round(mean / kColours) * kColours);
      }
  return small;
}

export class Pictures {
  taken = new Set();

  constructor(checks, { differences, approve }) {
    this.checks = checks;
    this.approve = approve;
    this.folder = differences;
    mkdirSync(this.folder, { recursive: true });
    mkdirSync(kApproved, { recursive: true });
  }

  // What is in the window, as it is once nothing moves.
  async compare(page, name) {
    await holdStill(page);
    const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    this.taken.add(`${name}.png`);
    const actual = reduced(PNG.sync.read(shot));
    const path = join(kApproved, `${name}.png`);
    if (this.approve) {
      writeFileSync(path, PNG.sync.write(actual, { colorType: 2, deflateLevel: 9 }));
      return;
    }
    const known = existsSync(path) ? PNG.sync.read(readFileSync(path)) : null;
    const { differing, difference } = this.#difference(actual, known);
    const beside = (what) => join(this.folder, `${name}.${what}.png`);
    writeFileSync(beside('whole'), shot);
    this.checks.that(
      `${name} looks as approved`,
      differing <= kMost,
      `${(100 * differing).toFixed(2)} % of it differs; see ${beside('{actual,approved,difference}')}`,
    );
    if (differing <= kMost) return;
    writeFileSync(beside('actual'), PNG.sync.write(actual));
    if (known) writeFileSync(beside('approved'), PNG.sync.write(known));
    if (difference) writeFileSync(beside('difference'), PNG.sync.write(difference));
  }

  // As a share of all pixels.
  #difference(actual, known) {
    const { width, height } = actual;
    if (known?.width !== width || known.height !== height) return { differing: 1 };
    const difference = new PNG({ width, height });
    const pixels = pixelmatch(known.data, actual.data, difference.data, width, height, {
      threshold: kTolerance,
      includeAA: true,
    });
    return { differing: pixels / (width * height), difference };
  }

  // Of views that are gone.
  checkNoneLeft() {
    const left = readdirSync(kApproved).filter((file) => !this.taken.has(file));
    this.checks.equal('each approved picture is of a view', left, []);
  }
}
