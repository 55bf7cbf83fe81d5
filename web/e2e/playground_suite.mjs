// SPDX-License-Identifier: Apache-2.0
// The engine to play with, in the tab: what each step shows, the lessons, and a download that
// RocksDB's own tool reads.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openPage, overflow, picture, settled, violations, withoutNetwork } from './browser.mjs';
import { atAllWidths, press } from './playground_pages.mjs';
import { serveStatic } from './servers.mjs';
import { newFolder } from './targets.mjs';
import { hasModule } from './wasm_suite.mjs';
import { workSuite } from './work_suite.mjs';

// Lessons that are walked through here, one of each kind, with their answers; that every lesson has
// the right one is held by src/playground/course/course.test.ts.
const kRight = {
  get: 'None: the memtable has it',
  filters: '4 and 0',
  readahead: 'Less than a tenth',
  'damaged-log': 'It refuses to open',
  manifest: 'All 600',
};

export async function playgroundSuite(browser, checks, settings) {
  if (!hasModule(settings.dist)) return;
  const host = await serveStatic(settings.dist);
  try {
    await checks.in('playground: step by step', () => steps(browser, checks, host, settings));
    await checks.in('playground: kept by the browser', () => kept(browser, checks, host));
    await checks.in('playground: keyboard only', () => keyboard(browser, checks, host));
    await checks.in('playground: course', () => course(browser, checks, host, settings));
    await checks.in('playground: failures', () => failures(browser, checks, host, settings));
    await checks.in('playground: two trees', () => twoTrees(browser, checks, host, settings));
    await checks.in('playground: teachers', () => teachers(browser, checks, host, settings));
    await checks.in('playground: lessons', () => lessons(browser, checks, host, settings));
    await workSuite(browser, checks, host, settings);
  } finally {
    host.stop();
  }
}

async function open(page, host, hash = '#/playground') {
  await page.goto(`${host.url}${hash}`);
  await settled(page);
}

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

// `downloads`: the browser tells of them.
export async function steps(browser, checks, host, { shots, downloads = true }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host);
  await page.click('button:has-text("Start")');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20_000 });
  await withoutNetwork(page, context);
  const step = (shows) => press(page, 'Step').then(() => page.waitForSelector(shows));
  await step('text=Memtable, 1 entry');
  // As bytes, once they have been asked for: apple in hex.
  await page.waitForFunction(() =>
    document
      .querySelector('section[aria-label="bytes of the newest record"]')
      ?.textContent.includes('61 70 70 6c 65'),
  );
  await step('text=Memtable, 2 entries');
  await step('text=/flush \\+\\d+ L0/');
  checks.that(
    'the memtable is empty then',
    (await page.textContent('main')).includes('Memtable, 0 entries'),
  );
  checks.equal('a map of one file', await page.locator('.work-table').count(), 1);
  await picture(page, shots, 'playground-flushed', { fullPage: true });
  await press(page, 'Run');
  await page.waitForSelector('text=/the end/', { timeout: 20_000 });
  await page.waitForSelector('text=/compaction.*−/');
  await page.fill('[aria-label="one step"]', 'delete_range a b');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=range_delete');
  await press(page, 'Explain');
  await page.waitForSelector('text=/range deleted|not found|deleted/');
  await picture(page, shots, 'playground', { fullPage: true });
  checks.equal('axe', await violations(page), []);
  if (downloads) await downloaded(page, checks);
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
    await picture(page, shots, `playground-${width}`, { fullPage: true });
  }
  checks.equal(
    'asks its own host only',
    seen.urls.filter((url) => !url.startsWith(host.url) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function downloaded(page, checks) {
  const downloading = page.waitForEvent('download');
  await page.click('text=Download database');
  const zip = join(newFolder(), 'db.zip');
  await (await downloading).saveAs(zip);
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

export async function keyboard(browser, checks, host) {
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

async function answerLesson(page) {
  await page.click('button:has-text("Build it")');
  await page.waitForSelector('button:has-text("Build it again")', { timeout: 60_000 });
  const early = await page.isDisabled('button:has-text("Let the engine answer")');
  await page.click('.choices input >> nth=0');
  await page.click('text=Let the engine answer');
  await page.waitForSelector('th:text-is("measured")', { timeout: 60_000 });
  const right = await page.$$eval('.choices label', (all) =>
    all
      .filter((one) => one.textContent.includes('so it is'))
      .map((one) => one.textContent.replace(' ✓ so it is', '')),
  );
  return { early, right };
}

async function lessons(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host);
  for (const id of Object.keys(kRight)) {
    await page.selectOption('[aria-label=lesson]', id);
    const { early, right } = await answerLesson(page);
    checks.that(`${id}: no answer before a prediction`, early);
    checks.equal(`${id}: the engine answers`, right, [kRight[id]]);
    await atAllWidths(page, checks, shots, `lesson-${id}`);
  }
  // The third one, from a link; its script can be another.
  await open(page, host, '#/playground?lesson=versions');
  const script = '[aria-label=script]';
  await page.waitForSelector('button:has-text("Build it")');
  const before = await page.inputValue(script);
  await page.fill(script, `${before}\nput`);
  await page.click('button:has-text("Build it")');
  await page.waitForSelector('main .lesson [role=alert]');
  await page.fill(script, `${before}\nput one-of-mine here\nflush`);
  const own = await answerLesson(page);
  checks.that("a script of one's own is asked about, too", own.early, JSON.stringify(own));
  checks.that('and is what is built', (await page.textContent('main')).includes('one-of-mine'));
  await page.click('main >> text=Put the lesson’s back');
  checks.equal('the lesson has its own again', await page.inputValue(script), before);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Progress is kept over a reload; after the change of a lesson another answer is right.
async function course(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host, '#/playground?view=course');
  const links = await page.$$eval('.lessons a', (all) => all.length);
  checks.that('twenty lessons or more', links >= 20, `${links}`);
  await page.click('.lessons a:has-text("How a get reads")');
  const before = await answerLesson(page);
  await press(page, 'Change one thing');
  await page.waitForSelector('text=With one change:');
  const after = await answerLesson(page);
  checks.that('another answer is right then', before.right[0] !== after.right[0], after.right[0]);
  await page.reload();
  await open(page, host, '#/playground?view=course');
  await page.waitForSelector('text=/^1 of \\d+ lessons answered, 1 with the right prediction/');
  await atAllWidths(page, checks, shots, 'course');
  await press(page, 'Forget it');
  await page.waitForSelector('text=/^0 of \\d+ lessons answered\\./');
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Reads, a snapshot, a crash, damage and repair in a script of one's own, and the way back.
export async function failures(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host);
  const script =
    'put apple red\nsnapshot before\nput apple yellow\nat before get apple\nflush\nput pear green\ncrash -2\nget pear\ndamage table 5\nget apple\nrepair\nget apple';
  await page.fill('[aria-label=script]', script);
  await press(page, 'Start');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20_000 });
  await press(page, 'Run');
  await page.waitForSelector('text=/the end/', { timeout: 30_000 });
  await page.waitForSelector('text=/tables: .* salvaged/');
  const ran = await page.$$eval('ol.steps[aria-live] li', (all) =>
    all.map((one) => one.textContent),
  );
  const says = (line) => ran.find((one) => one.startsWith(line)) ?? '';
  checks.equal('a read at a snapshot', says('at before get apple'), 'at before get apple → red');
  checks.equal('a torn record is not there', says('get pear'), 'get pear → not found');
  checks.that('damage is an error', says('get apple').includes('✗'), says('get apple'));
  await atAllWidths(page, checks, shots, 'playground-failures');
  await press(page, 'Undo');
  await page.waitForSelector(`text=/next: get apple/`, { timeout: 30_000 });
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// The same script with other options gives another tree; the options are in the link.
async function twoTrees(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host, '#/playground?view=compare');
  await page.click('summary:has-text("Options of the right tree")');
  const slider = page.locator('[aria-label="the right tree"] input[type=range]').first();
  await slider.focus();
  for (let i = 0; i < 5; i += 1) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.hash.includes('level0_file_num_compaction_trigger'));
  await press(page, 'Run both');
  await page.waitForSelector('section[aria-label="the right tree"] >> text=/Files, right/', {
    timeout: 60_000,
  });
  await settled(page);
  const tables = (side) =>
    page.$$eval(`section[aria-label="the ${side} tree"] table.plain tr`, (all) => all.length);
  checks.that('the trees differ', (await tables('left')) !== (await tables('right')));
  await page.click('summary:has-text("Options of the left tree")');
  for (const [side, style] of [
    ['left', 'fifo'],
    ['right', 'universal'],
  ])
    await page
      .locator(`section[aria-label="the ${side} tree"]`)
      .getByLabel('compaction_style')
      .selectOption(style);
  await page.waitForFunction(() => /fifo/.test(location.hash) && /universal/.test(location.hash));
  await slider.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight'); // Of two tables on, as the left tree.
  const limit = page.locator(
    'section[aria-label="the left tree"] .slider:has-text("max_table_files_size") input',
  );
  await limit.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight'); // 16 KiB: two of the six tables.
  await press(page, 'Run both');
  await page.waitForSelector('section[aria-label="the left tree"] >> text=/Files, left/', {
    timeout: 60_000,
  });
  await settled(page);
  const levels = (side) =>
    page.$$eval(`section[aria-label="the ${side} tree"] table.plain tbody tr`, (rows) => [
      ...new Set(rows.map((row) => row.cells[0].textContent)),
    ]);
  const size = async (side) => (await tables(side)) - 1;
  checks.that('FIFO keeps the newest tables', [2, 3].includes(await size('left')));
  checks.equal('all in level 0', await levels('left'), ['L0']);
  checks.that(
    'universal merges into a lower level',
    (await levels('right')).some((level) => level !== 'L0'),
    (await levels('right')).join(),
  );
  await atAllWidths(page, checks, shots, 'two-trees');
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// An assignment is made, opened by its link and answered.
async function teachers(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await open(page, host, '#/playground?view=teachers');
  await page.getByLabel('Title', { exact: true }).fill('My tables');
  await page.getByLabel('Script of the assignment').fill('put a b\nflush\nput c d\nflush');
  await page.getByLabel('What is measured').selectOption('tables');
  await page.getByLabel('Numbers to choose from').fill('1, 2, 3');
  await atAllWidths(page, checks, shots, 'teachers');
  await page.click('a:has-text("Open it")');
  await page.waitForSelector('h2:text-is("My tables")');
  checks.equal('the engine answers it', (await answerLesson(page)).right, ['2']);
  checks.equal('no error', seen.errors, []);
  await context.close();
}
