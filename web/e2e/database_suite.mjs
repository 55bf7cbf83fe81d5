// SPDX-License-Identifier: Apache-2.0
// What the app shows of databases and files, whichever engine reads them (engines.mjs).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  frames,
  goTo,
  openPage,
  overflow,
  picture,
  settled,
  violations,
  withoutNetwork,
} from './browser.mjs';
import { handsSuite } from './hands_suite.mjs';
import { querySuite } from './query_suite.mjs';
import { savedTables } from './saved_tables.mjs';
import { newFolder } from './targets.mjs';
import { timelineSuite } from './timeline_suite.mjs';
import { kDatabaseViews, kFileViews, linkOf } from './views.mjs';

const kStateViews = ['overview', 'lsm', 'files', 'data', 'timeline', 'wal'];
const kFailed = { title: 'It failed', status: 500, code: 'internal', detail: 'as it was told to' };

export async function databaseSuite(browser, checks, engine, settings) {
  const { name } = settings;
  const run = (what, body, ...rest) =>
    checks.in(`${name}: ${what}`, () => body(browser, checks, engine, settings, ...rest));
  await run('every view', everyView);
  await run('a file alone', filesAlone);
  await run('two databases', compared);
  await run('jobs', jobs);
  await run('damage', damage);
  await run('unsupported', unsupported);
  await run('keyboard only', keyboard);
  await run('block and hex', hexLinks);
  await run('states', states);
  await run('another target', anotherTarget);
  await run('records saved', recordsSaved);
  await querySuite(run);
  await timelineSuite(run);
  await handsSuite(run);
}

function checkQuiet(checks, engine, seen) {
  checks.equal(
    'no request leaves the origin',
    seen.urls.filter((url) => !url.startsWith(engine.base) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error, no violation of the policy', seen.errors, []);
}

// A view says its words, in whatever width and theme it is.
async function checkWords(page, checks, view, how) {
  const text = await page.textContent('main');
  for (const word of view.words)
    checks.that(`${view.name} ${how} says "${word}"`, text.includes(word), text.slice(0, 200));
}

// How each view is looked at, beginning alternately with the first and with the last: half of all
// views are made in the widest window and in the dark, half in the narrowest.
const kLooks = [
  { how: 'in the dark', theme: 'dark', width: 1440, height: 900, axe: { onlyColours: true } },
  { how: '1440 wide', theme: 'light', width: 1440, height: 900, axe: {}, withTables: true },
  { how: '1024 wide', theme: 'light', width: 1024, height: 768 },
  { how: '768 wide', theme: 'light', width: 768, height: 1024 },
  { how: '390 wide', theme: 'light', width: 390, height: 844, axe: {} },
];

async function lookAt(page, { theme, width, height }) {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
}

// Each view once; what is told of it is told in both themes and four widths, and its tables are saved.
export async function everyView(browser, checks, engine, settings) {
  const { shots, name, atView, views = kDatabaseViews, looks = kLooks } = settings;
  const { page, context, seen } = await openPage(browser, looks[0]);
  const { cursor } = await engine.start(page, ['cursor']);
  if (engine.letter === 'w') await withoutNetwork(page, context); // What it needs, it has.
  let tables = 0;
  for (const [i, view] of views.entries()) {
    const inTurn = i % 2 === 0 ? looks : [...looks].reverse();
    await lookAt(page, inTurn[0]);
    await goTo(page, linkOf(view, engine.letter, cursor));
    for (const look of inTurn) {
      if (look !== inTurn[0]) {
        await lookAt(page, look);
        await settled(page);
      }
      await checkWords(page, checks, view, look.how);
      const over = await overflow(page);
      checks.that(`${view.name} ${look.how} fits`, over <= 1, `${over} px too wide`);
      if (look.axe)
        checks.equal(`${view.name} ${look.how}: axe`, await violations(page, look.axe), []);
      await picture(page, shots, `${name}-${view.name}-${look.how.replaceAll(' ', '-')}`);
      if (look.withTables && !settings.withoutTables)
        tables += await savedTables(page, checks, view.name);
    }
    await atView?.(page);
  }
  if (!settings.withoutTables) checks.that('there were tables', tables > 25, String(tables));
  if (looks.some(({ width }) => width < 400)) {
    await lookAt(page, looks.at(-1));
    const { height: bar } = await page.locator('header.topbar').boundingBox();
    checks.that('the bar has two rows', bar < 90, `${bar} px`);
  }
  checkQuiet(checks, engine, seen);
  await context.close();
}

export async function filesAlone(browser, checks, engine, { shots, name, withoutTables }) {
  const { page, context, seen } = await openPage(browser);
  const ids = await engine.start(page, Object.keys(kFileViews));
  let tables = 0;
  for (const [kind, views] of Object.entries(kFileViews))
    for (const view of views) {
      await goTo(page, linkOf(view, engine.letter, ids[kind]));
      await checkWords(page, checks, view, '');
      await picture(page, shots, `${name}-${view.name}`);
      checks.equal(`${view.name}: axe`, await violations(page), []);
      if (!withoutTables) tables += await savedTables(page, checks, view.name);
    }
  if (!withoutTables) checks.that('there were tables', tables >= 5, String(tables));
  checkQuiet(checks, engine, seen);
  await context.close();
}

// Another database on the same axis, and what differs file by file.
async function compared(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor, multi_cf } = await engine.start(page, ['cursor', 'multi_cf']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/lsm`);
  await page.selectOption('[aria-label="compare with"]', { label: 'multi_cf' });
  await page.waitForSelector('h3:has-text("./multi_cf: ")');
  checks.equal('a map each', await page.locator('main canvas').count(), 2);
  checks.that('on a link', (await page.evaluate(() => location.hash)).includes(`with=${multi_cf}`));
  await picture(page, shots, `${name}-lsm-compared`);
  checks.equal('axe', await violations(page), []);
  await page.click('text=What differs, file by file');
  await page.waitForSelector('h2:has-text("of multi_cf")');
  checks.that(
    'says how the levels differ',
    (await page.textContent('main')).includes('files before'),
  );
  await goTo(page, `#/${engine.letter}/t/${cursor}/lsm?with=${cursor}&with_edit=12`);
  await page.waitForSelector('h3:has-text("./cursor after edit 12: 6 files")');
  checkQuiet(checks, engine, seen);
  await context.close();
}

export async function jobs(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/findings`);
  await page.click('text=Verify');
  await page.waitForSelector('text=✓ clean', { timeout: 20000 });
  checks.that('counts what it read', (await page.textContent('main')).includes('1\u202f042'));
  await goTo(page, `#/${engine.letter}/t/${cursor}/keyspace`);
  await page.click('text=Measure the key space');
  await page.waitForSelector('text=Debt of default', { timeout: 20000 });
  await page.click('text=Find the runs');
  await page.waitForSelector('text=A scan of everything yields', { timeout: 20000 });
  await picture(page, shots, `${name}-keyspace-measured`);
  checks.equal('keyspace: axe', await violations(page), []);
  await goTo(page, `#/${engine.letter}/t/${cursor}/overview`);
  await page.click('text=Measure');
  await page.waitForSelector('text=before compression', { timeout: 20000 });
  checks.that('space says live bytes', (await page.textContent('main')).includes('57.5 KiB'));
  checkQuiet(checks, engine, seen);
  await context.close();
}

async function damage(browser, checks, engine, { shots, name }) {
  const { page, context } = await openPage(browser);
  const {
    cursor,
    manifest,
    damaged,
    damaged_log: damagedLog,
  } = await engine.start(page, ['cursor', 'manifest', 'damaged', 'damaged_log']);
  await goTo(page, `#/${engine.letter}/t/${damaged}/findings`);
  await page.click('text=Verify');
  await page.waitForSelector('text=/✗ \\d+ finding/', { timeout: 20000 });
  await page.click('main [role=grid] [role=row][aria-rowindex="2"]');
  await page.waitForSelector('text=Show the bytes');
  await picture(page, shots, `${name}-findings-damaged`);
  checks.equal('findings: axe', await violations(page), []);
  await goTo(page, `#/${engine.letter}/t/${damaged}/block/0/0`);
  const text = await page.textContent('main');
  checks.that(
    'the block says which checksum',
    /✗ stored 0x[0-9a-f]{8}, computed 0x[0-9a-f]{8}/.test(text),
    text.slice(0, 300),
  );
  await picture(page, shots, `${name}-block-damaged`);
  await goTo(page, `#/${engine.letter}/t/${cursor}/file/999999`);
  checks.that(
    'a missing file is a problem with a code',
    (await page.textContent('[role=alert]')).includes('file_not_found'),
  );
  for (const view of ['overview', 'data', 'explain?key=w3_00']) {
    await goTo(page, `#/${engine.letter}/t/${damagedLog}/${view}`);
    const note = await page.textContent('main [role=note]');
    checks.that(
      `${view}: what a damaged log loses`,
      /Incomplete: 624 B of 2 logs cannot be replayed/.test(note) &&
        note.includes('000005.log at 0, 312 B: checksum is'),
      note,
    );
    checks.equal(`${view} of a damaged log: axe`, await violations(page), []);
  }
  await goTo(page, `#/${engine.letter}/t/${damagedLog}/overview`);
  await picture(page, shots, `${name}-damaged-log`);
  await goTo(page, `#/${engine.letter}/t/${manifest}/explain?key=a`);
  checks.that(
    'a MANIFEST alone says why not',
    (await page.textContent('main')).includes('a MANIFEST alone does not say'),
  );
  await context.close();
}

export async function keyboard(browser, checks, engine) {
  const { page, context } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/overview`);
  const at = () => page.evaluate(() => location.hash);
  for (const [keys, hash] of [
    ['gl', '/lsm'],
    ['gd', '/data'],
    ['gt', '/timeline'],
    ['gk', '/keyspace'],
    ['ge', '/explain'],
    ['gl', '/lsm'],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
    checks.that(`${keys} goes to ${hash}`, (await at()).endsWith(hash), await at());
  }
  await page.keyboard.press(']');
  await page.waitForFunction(() => location.hash.includes('sel='));
  await page.focus('main canvas');
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.waitForFunction(() => /from=/.test(location.hash), null, { timeout: 5000 });
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /\/file\/\d+/.test(location.hash));
  await settled(page);
  checks.that('Enter opens the chosen file', /\/file\/\d+/.test(await at()), await at());
  const before = await at();
  await page.fill('#go-to-key', 'hex:zz');
  await page.keyboard.press('Enter');
  await page.waitForSelector('header >> text=hex: takes pairs of digits');
  checks.equal('what is no key leads nowhere', await at(), before);
  await page.fill('#go-to-key', '');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('?');
  await page.waitForSelector('text=single keys act');
  await page.keyboard.press('Escape');
  await page.waitForSelector('text=single keys act', { state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[placeholder^="Page, target"]');
  await page.keyboard.type('Timeline');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.endsWith('/timeline'));
  await page.waitForSelector('[placeholder^="Page, target"]', { state: 'detached' });
  await settled(page);
  await page.keyboard.press('/');
  checks.that(
    '/ goes to the filter',
    await page.evaluate(() => document.activeElement?.hasAttribute('data-filter')),
  );
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
  await page.focus('main [role=grid]');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  checks.that('j walks over rows', (await at()).includes('sel=2'), await at());
  await page.evaluate(() => {
    document.activeElement?.blur();
    window.scrollTo(0, 0);
  });
  await page.reload();
  await settled(page);
  await page.keyboard.press('Tab');
  checks.equal(
    'the first stop skips to the page',
    await page.evaluate(() => document.activeElement?.textContent),
    'Skip to the page',
  );
  await context.close();
}

export async function hexLinks(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { table } = await engine.start(page, ['table']);
  await goTo(page, `#/${engine.letter}/t/${table}/block/0/0`);
  await page.waitForSelector('.hex [role=gridcell]');
  await page.click('#byte-3'); // The first byte of the first key.
  // The fields come with the table's layout, which may arrive after the bytes.
  const says = async (what, pattern) => {
    const said = () => page.textContent('.hex-said');
    const seen = page.waitForFunction(
      (p) => new RegExp(p).test(document.querySelector('.hex-said')?.textContent ?? ''),
      pattern.source,
    );
    checks.that(
      what,
      await seen.then(
        () => true,
        () => false,
      ),
      await said(),
    );
  };
  await says('a byte says its field', /key, 17 B: key000000 @1 put/);
  checks.equal(
    'and chooses its entry',
    await page.textContent(
      '[aria-label="entries of the block"] [aria-selected=true] [role=gridcell]',
    ),
    '0',
  );
  await page.click('[aria-label="entries of the block"] [role=row][aria-rowindex="4"]');
  await page.waitForSelector('.hex .cursor');
  await says('an entry shows its bytes', /offset 122/);
  await picture(page, shots, `${name}-block-linked`);
  await page.locator('label', { hasText: /^stored$/ }).click();
  await page.waitForSelector('text=Bytes, as stored');
  await settled(page);
  await page.click('#byte-173'); // The trailer's first byte.
  await says('the trailer is named', /trailer/);
  checkQuiet(checks, engine, seen);
  await context.close();
}

// Views of which there is nothing, of which there is nothing yet, and that cannot be had: in order, too.
async function states(browser, checks, engine, { shots, name }) {
  const { page, context } = await openPage(browser);
  const { empty, cursor } = await engine.start(page, ['empty', 'cursor']);
  const look = async (what) => {
    await picture(page, shots, `${name}-${what.replaceAll(' ', '-')}`);
    checks.equal(`${what}: axe`, await violations(page), []);
  };
  for (const view of kStateViews) {
    await goTo(page, `#/${engine.letter}/t/${empty}/${view}`);
    await look(`empty ${view}`);
  }
  await goTo(page, `#/${engine.letter}/t/${cursor}/file/999999`);
  await page.waitForSelector('main [role=alert]');
  await look('failed file');
  if (engine.letter === 'h') await withAnswers(browser, checks, engine, { shots, name, cursor });
  await context.close();
}

// Without a service worker, which would ask in the place of the page. Each view is loaded anew: nothing
// of it may be known before.
async function withAnswers(browser, checks, engine, { shots, name, cursor }) {
  const { page, context } = await openPage(browser, { serviceWorkers: 'block' });
  await engine.start(page, ['cursor']);
  for (const [what, answer, shows] of [
    ['loading', () => undefined, 'main .loading'],
    [
      'failed',
      (route) => route.fulfill({ status: 500, json: kFailed }),
      'main [role=alert] >> text=Try again',
    ],
  ]) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(/\/targets\/t\d+\/./, answer);
    for (const view of kStateViews) {
      await page.goto('about:blank');
      await page.goto(`${engine.base}#/h/t/${cursor}/${view}`);
      await page.waitForSelector(shows);
      await page.waitForSelector('h1'); // Until then, what is loading is the page itself.
      checks.equal(`${what} ${view}: axe`, await violations(page), []);
      await picture(page, shots, `${name}-${what}-${view}`);
    }
  }
  await context.close();
}

// A table whose format nobody here reads: named, and what can be said of it is shown.
async function unsupported(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cuckoo } = await engine.start(page, ['cuckoo']);
  await goTo(page, `#/${engine.letter}/t/${cuckoo}/file/0`);
  const text = await page.textContent('main');
  for (const word of ['CuckooTable', 'not decoded', 'unreferenced'])
    checks.that(`says "${word}"`, text.includes(word), text.slice(0, 400));
  await picture(page, shots, `${name}-unsupported`);
  checks.equal('axe', await violations(page), []);
  await goTo(page, `#/${engine.letter}/t/${cuckoo}/data`);
  checks.that(
    'its records are refused by name',
    (await page.textContent('[role=alert]')).includes('unsupported_feature'),
    await page.textContent('main'),
  );
  checkQuiet(checks, engine, seen);
  await context.close();
}

// Times between the frames of a page that is being moved; a frame is late if it has not been drawn
// when the second after it is due.
export async function manyFiles(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { big } = await engine.start(page, ['big']);
  const began = Date.now();
  await goTo(page, `#/${engine.letter}/t/${big}/lsm`);
  const count = Number(
    (await page.textContent('.page-head .muted'))
      .replaceAll('\u202f', '')
      .match(/(\d+) files/)?.[1] ?? 0,
  );
  console.log(`   ${count} files drawn after ${Date.now() - began} ms`);
  checks.that('has ten thousand files', count >= 10_000, String(count));
  await picture(page, shots, `${name}-lsm-many`);
  const smooth = async (what, selector, keys) => {
    const { median, late } = await frames(page, selector, keys);
    console.log(`   ${what}: half of all frames within ${median.toFixed(1)} ms, ${late} % late`);
    checks.that(`${what} is smooth`, median < 34, `${median.toFixed(1)} ms`);
  };
  await smooth('zoom', 'main canvas', ['+', '+', '+', '-', '+', '-']);
  await smooth('pan', 'main canvas', ['ArrowRight', 'ArrowRight', 'ArrowLeft']);
  await goTo(page, `#/${engine.letter}/t/${big}/files`);
  await smooth('the list', 'main [role=grid]', ['PageDown']);
  checks.that(
    'the list moved',
    Number(await page.getAttribute('main [role=grid] [role=row].active', 'aria-rowindex')) > 100,
  );
  checkQuiet(checks, engine, seen);
  await context.close();
}

// To the last record; over HTTP there are more than any page has.
async function recordsSaved(browser, checks, engine, { varve, targets }) {
  const { page, context, seen } = await openPage(browser);
  const which = engine.letter === 'h' ? 'many' : 'cursor';
  const id = (await engine.start(page, [which]))[which];
  const { count } = JSON.parse(execFileSync(varve, ['count', '--json', targets[which]]));
  if (which === 'many')
    checks.that('has more than a hundred thousand records', count > 100_000, String(count));
  await goTo(page, `#/${engine.letter}/t/${id}/data`);
  const saving = page.waitForEvent('download', { timeout: 60_000 });
  await page.click('text=TSV');
  const file = join(newFolder(), 'records.tsv');
  await (await saving).saveAs(file);
  checks.equal('every record is saved', readFileSync(file, 'latin1').split('\n').length - 1, count);
  checkQuiet(checks, engine, seen);
  await context.close();
}

// "Open" shows what can be opened, also beside a target that is open.
export async function anotherTarget(browser, checks, engine) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/overview`);
  await page.click('nav >> text=Open');
  await settled(page);
  checks.that('shows what can be opened', (await page.textContent('main h1')).includes('Drop'));
  await page.goBack();
  await settled(page);
  checks.that('and back', (await page.evaluate(() => location.hash)).includes('overview'));
  checkQuiet(checks, engine, seen);
  await context.close();
}
