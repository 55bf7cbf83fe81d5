// SPDX-License-Identifier: Apache-2.0
// The engine to play with, in the tab: what each step shows, the lessons, and a download that
// RocksDB's own tool reads.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openPage, overflow, settled, violations, withoutNetwork } from './browser.mjs';
import { serveStatic } from './servers.mjs';
import { newFolder } from './targets.mjs';
import { hasModule } from './wasm_suite.mjs';

// What each lesson's answer must be, by what is known of such trees.
const kRight = {
  get: 'None: the memtable has it',
  filters: '4 and 0',
  tombstones: '500: the deletions and what they hide',
  compaction: 'One',
  partitions: 'Coupled',
  fingers: 'Less than half as many',
  readahead: 'Less than a tenth',
};

export async function playgroundSuite(browser, checks, settings) {
  if (!hasModule(settings.dist)) return;
  const host = await serveStatic(settings.dist);
  try {
    await checks.in('playground: step by step', () => steps(browser, checks, host, settings));
    await checks.in('playground: kept by the browser', () => kept(browser, checks, host));
    await checks.in('playground: keyboard only', () => keyboard(browser, checks, host));
    for (const theme of ['light', 'dark'])
      await checks.in(`playground: lessons, ${theme}`, () =>
        lessons(browser, checks, host, settings, theme),
      );
  } finally {
    host.stop();
  }
}

async function open(page, host, hash = '#/playground') {
  await page.goto(`${host.url}${hash}`);
  await settled(page);
}

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

// What was written is there after a reload, and gone after starting anew; another tab is told why it
// cannot have it.
async function kept(browser, checks, host) {
  const { page, context, seen } = await openPage(browser);
  const start = async (on, name) => {
    await open(on, host, '#/playground?keep=1');
    await press(on, name);
  };
  await start(page, 'Start');
  await page.waitForSelector('text=Memtable, 0 entries', { timeout: 20_000 });
  await page.fill('[aria-label="one step"]', 'put kept yes');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Memtable, 1 entry');
  await page.reload();
  await start(page, 'Start');
  await page.waitForSelector('text=/\\+\\d+ L0|Memtable, 1 entry/', { timeout: 20_000 });
  await page.fill('[aria-label="key to explain"]', 'kept');
  await press(page, 'Explain');
  await page.waitForSelector('text=The whole account');
  checks.that(
    'the record is there after a reload',
    !(await page.textContent('main')).includes('absent'),
  );
  const other = await context.newPage();
  await start(other, 'Start');
  await other.waitForSelector('text=perhaps because another tab has it', { timeout: 20_000 });
  await press(page, 'Start anew');
  // The memtable is empty before, too, where the record is in a table already.
  await page.waitForSelector('text=No file yet');
  checks.that(
    'starting anew empties it',
    (await page.textContent('main')).includes('Memtable, 0 entries'),
  );
  checks.equal('no errors', seen.errors.join('; '), '');
  await context.close();
}

async function steps(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host);
  await page.click('button:has-text("Start")');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20_000 });
  await withoutNetwork(page, context);
  const step = (shows) => press(page, 'Step').then(() => page.waitForSelector(shows));
  await step('text=Memtable, 1 entry');
  checks.that(
    'the record is there as bytes',
    (await page.textContent('section[aria-label="bytes of the newest record"]')).includes(
      '61 70 70 6c 65',
    ),
    'apple in hex',
  );
  await step('text=Memtable, 2 entries');
  await step('text=/flush \\+\\d+ L0/');
  checks.that(
    'the memtable is empty then',
    (await page.textContent('main')).includes('Memtable, 0 entries'),
  );
  checks.equal('a map of one file', await page.locator('main canvas').count(), 1);
  await page.screenshot({ path: join(shots, 'playground-flushed.png'), fullPage: true });
  await press(page, 'Run');
  await page.waitForSelector('text=/the end/', { timeout: 20_000 });
  await page.waitForSelector('text=/compaction.*−/');
  await page.fill('[aria-label="one step"]', 'delete_range a b');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=range_delete');
  await press(page, 'Explain');
  await page.waitForSelector('text=/range deleted|not found|deleted/');
  await page.screenshot({ path: join(shots, 'playground.png'), fullPage: true });
  checks.equal('axe', await violations(page), []);
  const downloading = page.waitForEvent('download');
  await page.click('text=Download database');
  const zip = join(newFolder(), 'db.zip');
  await (await downloading).saveAs(zip);
  checkDownload(checks, zip);
  for (const [width, height] of [
    [1024, 768],
    [768, 1024],
  ]) {
    await page.setViewportSize({ width, height });
    await settled(page);
    checks.that(
      `fits in ${width}`,
      (await overflow(page)) <= 1,
      `${await overflow(page)} px too wide`,
    );
    await page.screenshot({ path: join(shots, `playground-${width}.png`), fullPage: true });
  }
  checks.equal(
    'asks its own host only',
    seen.urls.filter((url) => !url.startsWith(host.url) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

function checkDownload(checks, zip) {
  const folder = newFolder();
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-e', zip, folder]);
  const db = join(folder, 'playground-db');
  checks.that('a directory came', existsSync(join(db, 'CURRENT')));
  const ldb = (verb) => execFileSync('ldb', [`--db=${db}`, verb], { encoding: 'utf8' });
  checks.equal('ldb checkconsistency', ldb('checkconsistency').trim(), 'OK');
  // pear was deleted, apple lies in the deleted range.
  checks.equal(
    'ldb scan',
    ldb('scan')
      .split('\n')
      .filter((line) => line.includes(' : ')),
    ['plum : blue'],
  );
}

async function keyboard(browser, checks, host) {
  const { page, context } = await openPage(browser);
  await open(page, host);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  // Tab reaches each control in turn; Enter and Space press it.
  const reach = async (text) => {
    for (let i = 0; i < 60; i += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.textContent === wanted, text))
        return true;
      await page.keyboard.press('Tab');
    }
    return false;
  };
  checks.that('Tab reaches Start', await reach('Start'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20_000 });
  checks.that('Tab reaches Step', await reach('Step'));
  await page.keyboard.press('Space');
  await page.waitForSelector('text=Memtable, 1 entry');
  await context.close();
}

async function lessons(browser, checks, host, { shots }, theme) {
  const { page, context, seen } = await openPage(browser, { theme });
  await open(page, host);
  const ids = await page.$$eval('[aria-label=lesson] option', (all) =>
    all.map((one) => one.value).filter(Boolean),
  );
  checks.equal('every lesson is known here', ids, Object.keys(kRight));
  for (const id of theme === 'light' ? ids : ids.slice(-2)) {
    await page.selectOption('[aria-label=lesson]', id);
    await page.click('button:has-text("Build it")');
    await page.waitForSelector('button:has-text("Build it again")', { timeout: 60_000 });
    checks.that(
      `${id}: no answer before a prediction`,
      await page.isDisabled('button:has-text("Let the engine answer")'),
    );
    await page.click('.choices input >> nth=0');
    await page.click('text=Let the engine answer');
    await page.waitForSelector('th:text-is("measured")', { timeout: 60_000 });
    const right = await page.$$eval('.choices label', (all) =>
      all
        .filter((one) => one.textContent.includes('so it is'))
        .map((one) => one.textContent.replace(' ✓ so it is', '')),
    );
    checks.equal(`${id}: the engine answers`, right, [kRight[id]]);
    await settled(page);
    await page.screenshot({ path: join(shots, `lesson-${id}-${theme}.png`), fullPage: true });
    checks.equal(`${id}: axe`, await violations(page), []);
  }
  checks.equal('no error', seen.errors, []);
  await context.close();
}
