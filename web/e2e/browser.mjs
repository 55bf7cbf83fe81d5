// SPDX-License-Identifier: Apache-2.0
// Debian's browsers, and pages of them that report everything which should not happen.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, firefox } from 'playwright-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

const kChromium = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export const launch = () => chromium.launch(kChromium);

// Spoken to by WebDriver BiDi, as Debian builds it; its own settings say what a context cannot.
export const launchFirefox = () =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
  });

// One that stores things on disk, as a person's does; others keep them in memory.
export const launchWithProfile = (folder) =>
  chromium.launchPersistentContext(folder, { ...kChromium, reducedMotion: 'reduce' });

// What Playwright adds to a page before it takes its picture, which the policy of the page refuses.
const kPlaywrightStyle = createHash('sha256').update('body {}').digest('base64');

// A page that remembers errors, violations of the content security policy and every address asked.
export async function openPage(
  browser,
  {
    width = 1440,
    height = 900,
    theme = 'light',
    offline = false,
    motion = 'reduce',
    serviceWorkers = 'allow',
    bypassCSP = false,
  } = {},
) {
  const isFirefox = browser.browserType().name() === 'firefox';
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: motion,
    ...(isFirefox
      ? {}
      : { serviceWorkers, bypassCSP, permissions: ['clipboard-read', 'clipboard-write'] }),
  });
  const page = await context.newPage();
  if (isFirefox) asPersonInFirefox(page);
  page.setDefaultTimeout(10_000);
  const seen = { errors: [], urls: [] };
  const remember = (text) => {
    // Chromium reports answers of 4xx as errors; the app shows those itself.
    if (!/^Failed to load resource/.test(text) && !text.includes(kPlaywrightStyle))
      seen.errors.push(text);
  };
  page.on('pageerror', (error) => remember(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') remember(message.text());
  });
  page.on('request', (request) => seen.urls.push(request.url()));
  if (offline) await context.setOffline(true);
  return { page, context, seen };
}

// Playwright fills fields there by a script, whose changes React does not see: by keys instead.
function asPersonInFirefox(page) {
  page.fill = async (selector, text) => {
    await page.focus(selector);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type(text);
  };
}

// From when the app has been kept for it.
export async function withoutNetwork(page, context) {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
}

// What any rule of axe finds, each with the first place where; in a dialog that hides the rest, if there
// is one. `onlyColours`: the rules that judge them, where a page is looked at again in the other theme,
// which changes nothing else of it. `outside`: parts that are judged where another page has the same.
export async function violations(page, { without = [], onlyColours = false, outside = [] } = {}) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found = await page.evaluate(
    ([off, colours, others]) => {
      const dialog = document.querySelector('[role=dialog][aria-modal=true]');
      // Its head is a <header>, which the rule takes for a second one of the page.
      if (dialog) off = [...off, 'landmark-no-duplicate-banner'];
      const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
      const inside = others.length > 0 ? { include: [['html']], exclude: others } : document;
      return window.axe.run(dialog ?? inside, {
        resultTypes: ['violations'],
        rules,
        ...(colours ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}),
      });
    },
    [without, onlyColours, outside],
  );
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.length} ×, ${nodes[0]?.html.slice(0, 160)})`,
  );
}

const kPatience = 15_000; // Milliseconds.

// In the page, so that nobody asks from outside: with `to`, goes there first. Whether nothing says within
// that time that it loads, and what was to be drawn has been: two frames have passed.
async function settleInPage([patience, to]) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  if (to !== undefined) {
    await new Promise((resolve) => {
      addEventListener('hashchange', resolve, { once: true });
      const before = location.href;
      location.hash = to;
      if (location.href === before) resolve();
    });
    // Until then the page may still be the one before, settled as it was.
    await frame();
    await frame();
  }
  const until = performance.now() + patience;
  const isSettled = () =>
    !document.querySelector('main .loading') && document.querySelector('main')?.textContent;
  while (!isSettled()) {
    if (performance.now() > until) return false;
    await frame();
  }
  await frame();
  await frame();
  return true;
}

async function settle(page, to) {
  if (!(await page.evaluate(settleInPage, [kPatience, to])))
    throw new Error(`${to ?? page.url()} still loads after ${kPatience} ms`);
}

// Nothing is being asked for and nothing says that it loads.
export const settled = (page) => settle(page);

export const goTo = (page, hash) => settle(page, hash);

// For a person to look at: nothing depends on it. None is taken without a folder (run.mjs, --shots).
export async function picture(page, shots, name, how = {}) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), ...how });
}

// Content that is wider than its window: what a person could not reach without scrolling sideways.
export function overflow(page) {
  return page.evaluate(() => {
    const main = document.querySelector('main');
    return Math.max(
      document.documentElement.scrollWidth - innerWidth,
      main ? main.scrollWidth - main.clientWidth : 0,
    );
  });
}

// The page at three widths, in both themes: what axe says, a picture of each, and whether it fits.
export async function everyLook(page, checks, { shots, name, file }) {
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      checks.equal(`axe, ${name}, ${width}, ${colorScheme}`, await violations(page), []);
      await picture(page, shots, `${file}-${width}-${colorScheme}`);
    }
    checks.that(`${name} fits ${width}`, (await overflow(page)) <= 1);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

// What a frame costs the page's own thread, in milliseconds of its processor time: other programs at
// work do not change it, as they do what a clock says. `rectangles`: the most that one frame filled.
// Chromium only.
export async function costOfFrames(page, selector, keys) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const used = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  const counted = await page.evaluateHandle(() => {
    const { fillRect } = CanvasRenderingContext2D.prototype;
    const counts = { now: 0, most: 0, before: fillRect };
    CanvasRenderingContext2D.prototype.fillRect = function (...box) {
      counts.now += 1;
      fillRect.apply(this, box);
    };
    const frame = () => {
      counts.most = Math.max(counts.most, counts.now);
      counts.now = 0;
      if (counts.before) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return counts;
  });
  const before = await used();
  const { median } = await frames(page, selector, keys);
  const work = ((await used()) - before) / kFrames;
  const rectangles = await counted.evaluate((counts) => {
    CanvasRenderingContext2D.prototype.fillRect = counts.before;
    counts.before = null;
    return counts.most;
  });
  await session.detach();
  return { work, median, rectangles };
}

const kFrames = 60;

// Moves what has the focus by keys, one a frame: the median time of a frame, and how many in a
// hundred came later than the second after they were due.
export async function frames(page, selector, keys) {
  await page.focus(selector);
  const times = await page.evaluate(
    async ([at, pressed, times]) => {
      const element = document.querySelector(at);
      const taken = [];
      const next = () =>
        new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      let before = await next();
      for (let i = 0; i < times; i += 1) {
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed[i % pressed.length], bubbles: true }),
        );
        const now = await next();
        taken.push(now - before);
        before = now;
      }
      return taken.sort((a, b) => a - b);
    },
    [selector, keys, kFrames],
  );
  return {
    median: times[times.length >> 1],
    late: Math.round((100 * times.filter((time) => time > 50).length) / times.length),
  };
}
