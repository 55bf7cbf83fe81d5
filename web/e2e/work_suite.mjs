// SPDX-License-Identifier: Apache-2.0
// The playground as a tree at work: what moves and what says so; half a million
// operations without a late frame (in smooth_suite.mjs); the installed app without a network; a database that the browser keeps, takes out and takes
// in again.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  launchWithProfile,
  openPage,
  picture,
  settled,
  violations,
  withoutNetwork,
} from './browser.mjs';
import { judgeMemory } from './memory.mjs';
import { atAllWidths, press } from './playground_pages.mjs';
import { newFolder } from './targets.mjs';

export async function workSuite(browser, checks, host, settings) {
  await checks.in('playground: at work', () => atWork(browser, checks, host, settings));
  await checks.in('playground: what moves', () => motion(browser, checks, host));
  await checks.in('playground: states', () => states(browser, checks, host, settings));
  await checks.in('playground: memory', () => memory(browser, checks, host, settings));
  await checks.in('playground: installed', () => installed(browser, checks, host));
  await checks.in('playground: a large database, kept', () => large(checks, host, settings));
}

async function start(page, host, { script = '', query = '' } = {}) {
  await page.goto(`${host.url}#/playground${query}`);
  await settled(page);
  if (script) await page.fill('[aria-label=script]', script);
  await press(page, 'Start');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20_000 });
}

async function step(page, shows) {
  await press(page, 'Step');
  await page.waitForSelector(`.work-line >> text=${shows}`, { timeout: 20_000 });
}

const kScript =
  'put apple red\nput plum blue\nflush\nput apple green\nflush\nget apple\ncompact\nput zebra black\nflush\ncompact\nget nothing';

const words = (page, selector) =>
  page.$$eval(selector, (all) => all.map((one) => one.textContent.replace(/\s+/g, ' ').trim()));

// Each step is drawn, and the table says what the map shows.
async function atWork(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await start(page, host, { script: kScript });
  const touched = () => words(page, '[aria-label="the way of a write"] .touched');
  const rows = () => words(page, '[aria-label="tables, and what became of them"] tbody tr');
  const boxes = (fate) => page.locator(`.work-table.${fate}`).count();
  await step(page, 'put apple red');
  checks.that('a write goes to the log', /^log .*\+\d+ B/.test((await touched())[0] ?? ''));
  await step(page, 'put plum blue');
  await step(page, 'flush');
  checks.that('a flush makes a table', (await rows())[0]?.includes('new written by a flush'));
  checks.equal('it is on the map', await boxes('new'), 1);
  await step(page, 'put apple green');
  await step(page, 'flush');
  await step(page, 'get apple');
  const stops = await words(page, '[aria-label="the way of the read"] li');
  checks.that('the read begins in the memtable', stops[0]?.includes('memtable'), stops.join());
  checks.that(
    'and ends in a table, with its filter and its block',
    /L0 .*filter: may be there.*data block @.*hit/.test(stops.at(-1) ?? ''),
    stops.join(),
  );
  checks.equal('which the map marks', await boxes('visited'), 1);
  await page.waitForSelector('text=key comparisons, a read');
  await atAllWidths(page, checks, shots, 'work-read');
  await step(page, 'compact');
  checks.equal('two tables died', await boxes('died'), 2);
  checks.equal(
    'the table says of what',
    (await rows()).filter((row) => /died rewritten into/.test(row)).length,
    2,
  );
  checks.that(
    'one was written',
    (await rows()).some((row) => /new written by the/.test(row)),
  );
  await atAllWidths(page, checks, shots, 'work-compacted');
  await step(page, 'put zebra black');
  await step(page, 'flush');
  await step(page, 'compact');
  checks.equal('one moved', await boxes('moved'), 1);
  checks.that('nothing was rewritten', !(await touched()).some((text) => /rewritten/.test(text)));
  await step(page, 'get nothing');
  for (const figure of ['write', 'read', 'space'])
    checks.that(
      `${figure} amplification is a figure`,
      (await words(page, '.work-figures dl div')).some((text) =>
        new RegExp(`^${figure} amplification\\D*\\d`).test(text),
      ),
    );
  await press(page, 'Undo');
  await page.waitForSelector('.work-line >> text=compact');
  checks.equal('undone: it is as after the step before', await boxes('visited'), 0);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Things move where they may, and stand still where a person asked for that.
async function motion(browser, checks, host) {
  for (const asked of ['no-preference', 'reduce']) {
    const { page, context } = await openPage(browser, { motion: asked });
    await start(page, host, { script: 'put a b\nflush' });
    await page.evaluate(() => {
      window.moved = [];
      for (const kind of ['animationstart', 'transitionrun'])
        addEventListener(kind, ({ target }) => {
          if (target.closest('.work-map, .way')) window.moved.push(target.className);
        });
    });
    await step(page, 'put a b');
    await step(page, 'flush');
    await page.waitForFunction(() => document.querySelector('.work-table.new'));
    await settled(page);
    const moved = await page.evaluate(() => window.moved);
    checks.equal(`${asked}: something moves`, moved.length > 0, asked === 'no-preference');
    await context.close();
  }
}

// What Chromium wants of an app that it installs; and the app once the network is off for good.
async function installed(browser, checks, host) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(host.url);
  await settled(page);
  const devtools = await context.newCDPSession(page);
  const manifest = await devtools.send('Page.getAppManifest');
  checks.equal('the manifest is in order', manifest.errors, []);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  checks.equal(
    'nothing keeps it from being installed',
    // Of contexts that keep nothing on disk, as all of these tests are.
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
    [],
  );
  await withoutNetwork(page, context);
  await page.goto('about:blank');
  await start(page, host, { script: 'put a b\nflush\nget a' });
  await press(page, 'Run');
  await page.waitForSelector('text=/get a → b/', { timeout: 20_000 });
  await page.click('nav[aria-label="of the playground"] >> text=Course');
  await page.waitForSelector('.lessons a');
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Nothing runs, a step is refused, the database does not open, the engine cannot be had.
async function states(browser, checks, host, { shots }) {
  const { page, context } = await openPage(browser);
  await page.goto(`${host.url}#/playground`);
  await page.waitForSelector('text=Nothing runs yet.');
  await atAllWidths(page, checks, shots, 'work-nothing');
  await start(page, host, { script: 'put a b\nflush\nlose manifest' });
  await page.fill('[aria-label="one step"]', 'jump high');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=alert] >> text=is not a step');
  await atAllWidths(page, checks, shots, 'work-refused');
  await press(page, 'Run');
  await page.waitForSelector('text=The database could not be opened again');
  await atAllWidths(page, checks, shots, 'work-closed');
  await context.close();
  await withoutEngine(browser, checks, host, shots);
}

// A service worker, which may have the module, would answer in the place of this route.
async function withoutEngine(browser, checks, host, shots) {
  const { page, context } = await openPage(browser, { serviceWorkers: 'block' });
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(`${host.url}#/playground`);
  await settled(page);
  await press(page, 'Start');
  await page.waitForSelector('main [role=alert]', { timeout: 20_000 });
  await atAllWidths(page, checks, shots, 'work-no-engine');
  await context.close();
}

// A tree that changes for a long time: what the page keeps of it does not grow with that.
async function memory(browser, checks, host, { live }) {
  const { page, context, seen } = await openPage(browser);
  const round = 'scatter 300 key# value-#\nflush\nwork\nget key0007\nscan\n';
  await start(page, host, {
    script: round.repeat(5),
    query: '?options=write_buffer_size%3D65536',
  });
  await judgeMemory(page, checks, live, async () => {
    await press(page, 'Start anew');
    await page.waitForSelector('text=(0 of 25)');
    await press(page, 'Run');
    await page.waitForSelector('text=/the end/', { timeout: 120_000 });
  });
  checks.equal('no error', seen.errors, []);
  await context.close();
}

const kFrame = 1000 / 60;
const kTasks = 'disabled-by-default-devtools.timeline';

// What each task of the page took, in milliseconds of its thread: other programs do not lengthen that.
function tasksOf(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const named = traceEvents.filter(({ name }) => name === 'thread_name');
  const pages = new Set(
    named
      .filter(({ args }) => args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && pages.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
}

function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return (share) =>
    Number(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1));
}

// The engine works in its worker; the page draws what it has by then, a few times a second.
export async function manyOperations(browser, checks, host, { shots }) {
  const { page, context, seen } = await openPage(browser, { motion: 'no-preference' });
  await start(page, host, { script: 'load 500000 key# value-#-~' });
  await page.evaluate(() => {
    window.long = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.long.push(duration);
    }).observe({ type: 'longtask' });
    window.frames = [];
    let before = performance.now();
    const tick = (now) => {
      window.frames.push(now - before);
      before = now;
      window.ticking = requestAnimationFrame(tick);
    };
    window.ticking = requestAnimationFrame(tick);
  });
  await browser.startTracing(page, { categories: [kTasks] });
  const began = Date.now();
  await press(page, 'Run');
  await page.waitForSelector('.work-line >> text=/of 500.000/', { timeout: 60_000 });
  await picture(page, shots, 'work-many');
  await page.waitForSelector('text=/the end/', { timeout: 300_000 });
  const took = Date.now() - began;
  // Before the trace is read, which takes longer than the work did.
  const { frames, long } = await page.evaluate(() => {
    cancelAnimationFrame(window.ticking);
    return { frames: window.frames.slice(1), long: window.long };
  });
  const tasks = tasksOf(await browser.stopTracing());
  const frame = spread(frames);
  const task = spread(tasks);
  const late = tasks.filter((ms) => ms > kFrame).length;
  const say = `${frames.length} frames in ${took} ms, median ${frame(0.5)}, 99 % ${frame(0.99)} ms; ${tasks.length} tasks of the page, 99 % ${task(0.99)}, longest ${task(1)} ms of its thread, ${late} longer than a frame; of the clock, tasks over 50 ms: ${long.length}`;
  console.log(`   ${say}`);
  checks.that('enough frames to say something', frames.length > 200, say);
  checks.that('the median frame is on time', frame(0.5) < kFrame + 0.5, say);
  checks.that('no task of the page is longer than three frames', task(1) < 3 * kFrame, say);
  checks.that('one in two hundred frames may be late by it', late < frames.length / 200, say);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Written in this browser, taken out, read by RocksDB's tool, and taken in again.
async function large(checks, host, { kept, shots }) {
  const context = await launchWithProfile(newFolder());
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const records = kept * 900; // Of 1,100 bytes or so, which no codec makes smaller.
    const hour = 3_600_000;
    const open = async (query) => {
      await page.goto('about:blank');
      await page.goto(`${host.url}#/playground${query}`);
      await settled(page);
    };
    await open('?keep=1&options=compression%3Dnone');
    const value = Array(17).fill('~').join('');
    await page.fill('[aria-label=script]', `load ${records} key# ${value}\nflush\nget key0007`);
    await press(page, 'Start');
    await page.waitForSelector('text=No file yet: flush makes one.');
    const began = Date.now();
    await press(page, 'Run');
    await page.waitForSelector('text=/the end/', { timeout: hour });
    const wrote = Date.now();
    const stored = await page.evaluate(async () => (await navigator.storage.estimate()).usage);
    checks.that('it is stored', stored > kept * 2 ** 20, `${stored} bytes`);
    await picture(page, shots, 'work-kept', { fullPage: true });

    const downloading = page.waitForEvent('download', { timeout: hour });
    await page.click('text=Download database');
    const zip = join(newFolder(), 'kept.zip');
    await (await downloading).saveAs(zip);
    const took = Date.now();
    const folder = newFolder();
    execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-e', zip, folder]);
    const ldb = (...verb) =>
      execFileSync('ldb', [`--db=${join(folder, 'playground-db')}`, ...verb], { encoding: 'utf8' });
    checks.equal('ldb checkconsistency', ldb('checkconsistency').trim(), 'OK');
    const last = `key${records - 1}`;
    const read = ldb('get', last).trim();
    checks.equal('ldb get', read.length, 17 * 64);
    const [, keys] = /Keys in range: (\d+)/.exec(ldb('dump', '--count_only')) ?? [];
    checks.equal('ldb counts', keys, String(records));

    // Into a page that keeps nothing of its own yet.
    await open('?keep=1&options=compression%3Dnone');
    const before = Date.now();
    await page.setInputFiles('input[type=file]', zip);
    await page.waitForSelector('.work-line', { timeout: hour });
    await page.waitForSelector('.work-table', { timeout: hour });
    const opened = Date.now();
    await page.fill('[aria-label="one step"]', `get ${last}`);
    await page.keyboard.press('Enter');
    await page.waitForSelector(`text=/get ${last} → ${read.slice(0, 20)}/`);
    console.log(
      `   ${(stored / 2 ** 20).toFixed(0)} MiB stored: written in ${wrote - began} ms, downloaded in ${took - wrote} ms, taken in again in ${opened - before} ms`,
    );
    checks.equal('axe', await violations(page), []);
  } finally {
    await context.close();
  }
}
