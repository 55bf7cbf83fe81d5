// SPDX-License-Identifier: Apache-2.0
// How the main views look, in three widths and both themes.
import { goTo, openPage, settled } from './browser.mjs';
import { httpEngine } from './engines.mjs';
import { kLiveSamples } from './live_samples.mjs';
import { Pictures, withFonts } from './pictures.mjs';
import { press } from './playground_pages.mjs';
import { serveStatic } from './servers.mjs';
import { hasModule } from './wasm_suite.mjs';

const kWidths = [
  [1440, 900],
  [768, 1024],
  [390, 844],
];

// `{t}` is the target `of`; `first` does what a person does before it looks so.
const kHttpViews = [
  { name: 'landing', of: 'cursor', hash: '#/' },
  { name: 'overview', of: 'cursor', hash: '#/h/t/{t}/overview' },
  { name: 'lsm', of: 'cursor', hash: '#/h/t/{t}/lsm?key=key000300&sel=30' },
  { name: 'files', of: 'cursor', hash: '#/h/t/{t}/files' },
  { name: 'table', of: 'cursor', hash: '#/h/t/{t}/file/30' },
  { name: 'block', of: 'cursor', hash: '#/h/t/{t}/block/30/0' },
  { name: 'data', of: 'cursor', hash: '#/h/t/{t}/data?versions=1' },
  { name: 'explain', of: 'cursor', hash: '#/h/t/{t}/explain?key=key000000' },
  { name: 'damaged', of: 'damaged', hash: '#/h/t/{t}/findings', first: verify },
  { name: 'damaged-log', of: 'damaged_log', hash: '#/h/t/{t}/overview' },
];

const kLiveViews = [{ name: 'metrics', of: 'cursor', hash: '#/h/t/{t}/metrics', first: drawn }];

const kPlaygroundViews = [
  { name: 'playground', hash: '#/playground', first: steps },
  { name: 'lesson', hash: '#/playground?lesson=get', first: lesson },
];

// The server as one in which an engine runs, always at the same moment.
async function asIfLive(page) {
  await page.route(/\/api\/v1\/?(targets(\/t\d+)?)?$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({
      response,
      body: text.replaceAll(/"(live|metrics)":false/g, '"$1":true'),
    });
  });
  await page.route('**/stats/history', (route) =>
    route.fulfill({ json: { samples: kLiveSamples } }),
  );
  await page.route('**/stats', () => undefined); // No newer figures come.
}

function drawn(page) {
  return page.waitForFunction(() => document.querySelectorAll('.metrics canvas').length >= 12);
}

async function verify(page) {
  if (await page.getByRole('button', { name: 'Verify', exact: true }).count())
    await press(page, 'Verify');
  await page.waitForSelector('text=/✗ \\d+ finding/');
}

async function steps(page) {
  await press(page, 'Start');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20_000 });
  for (const shows of ['Memtable, 1 entry', 'Memtable, 2 entries', 'Memtable, 0 entries']) {
    await press(page, 'Step');
    await page.waitForSelector(`text=${shows}`);
  }
  await page.waitForSelector('.work-table');
}

async function lesson(page) {
  await page.click('button:has-text("Build it")');
  await page.waitForSelector('button:has-text("Build it again")', { timeout: 60_000 });
}

export async function picturesSuite(browser, checks, settings) {
  const pictures = new Pictures(checks, settings);
  const { cursor, damaged, damaged_log } = settings.targets;
  const server = await httpEngine(settings.varve, { cursor, damaged, damaged_log });
  try {
    for (const theme of ['light', 'dark'])
      await checks.in(`pictures: over HTTP, ${theme}`, async () => {
        for (const views of [kHttpViews, kLiveViews]) {
          const { page, context } = await openStill(browser, theme);
          if (views === kLiveViews) await asIfLive(page);
          const ids = await server.start(page);
          await withFonts(page);
          for (const view of views)
            await take(page, pictures, theme, view, view.hash.replace('{t}', ids[view.of]));
          await context.close();
        }
      });
  } finally {
    server.stop();
  }
  if (!hasModule(settings.dist)) return;
  const host = await serveStatic(settings.dist);
  try {
    for (const theme of ['light', 'dark'])
      await checks.in(`pictures: of the playground, ${theme}`, async () => {
        for (const view of kPlaygroundViews) {
          const { page, context } = await openStill(browser, theme);
          await page.goto(host.url);
          await settled(page);
          await withFonts(page);
          await take(page, pictures, theme, view, view.hash);
          await context.close();
        }
      });
  } finally {
    host.stop();
  }
  if (!settings.group) await checks.in('pictures: approved', () => pictures.checkNoneLeft());
}

async function openStill(browser, theme) {
  const opened = await openPage(browser, { theme, bypassCSP: true, serviceWorkers: 'block' });
  await opened.page.clock.setFixedTime(new Date('2026-01-02T03:04:05Z'));
  return opened;
}

async function take(page, pictures, theme, { name, first }, hash) {
  await page.setViewportSize({ width: kWidths[0][0], height: kWidths[0][1] });
  await goTo(page, hash);
  await first?.(page);
  for (const [width, height] of kWidths) {
    await page.setViewportSize({ width, height });
    await settled(page);
    await pictures.compare(page, `${name}-${width}-${theme}`);
  }
}
