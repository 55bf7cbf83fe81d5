// SPDX-License-Identifier: Apache-2.0
// What happened to the tree, drawn over time, on either engine; and a million events of another program.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  costOfFrames,
  goTo,
  openPage,
  overflow,
  picture,
  settled,
  violations,
} from './browser.mjs';
import { newFolder } from './targets.mjs';

// What a test of the app has as well: made by Perfetto's own package.
const kPerfettoTrace = readFileSync(
  join(import.meta.dirname, '../src/views/timeline/perfetto.fixture.ts'),
  'utf8',
);

export async function timelineSuite(run) {
  await run('jobs as a trace', traceSaved);
  await run('the drawn timeline', drawnStory);
  await run('counters and flows', countersAndFlows);
}

const kCanvas = 'main canvas';
const query = (page) =>
  page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] ?? '')));

// Every event has what the trace event format asks of its phase, and the command line prints the same.
async function traceSaved(browser, checks, engine, { varve, targets }) {
  const { page, context, seen } = await openPage(browser);
  const ids = await engine.start(page, ['cursor', 'logged']);
  for (const name of ['cursor', 'logged']) {
    await goTo(page, `#/${engine.letter}/t/${ids[name]}/timeline`);
    const saving = page.waitForEvent('download');
    await page.click('main >> text=Save trace');
    const file = join(newFolder(), 'jobs.trace.json');
    await (await saving).saveAs(file);
    const trace = JSON.parse(readFileSync(file, 'utf8'));
    const asks = {
      M: ['args'],
      X: ['ts', 'dur', 'cat', 'args'],
      i: ['ts', 's', 'cat', 'args'],
      s: ['ts', 'id', 'cat'],
      f: ['ts', 'id', 'cat', 'bp'],
      C: ['ts', 'args'],
    };
    checks.equal(
      `${name}: events that lack something`,
      trace.traceEvents.filter(
        (event) => !asks[event.ph]?.concat('name', 'pid', 'tid').every((one) => one in event),
      ),
      [],
    );
    const line = await page.getAttribute('.page-head [data-cli]', 'data-cli');
    const words = line.replace(/^varve /, '').split(' ');
    const at = words.indexOf(`./${name}`);
    words[at] = targets[name];
    const printed = execFileSync(varve, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    checks.equal(`${name}: as from the command line`, JSON.parse(printed), trace);
    const phases = new Set(trace.traceEvents.map(({ ph }) => ph));
    checks.that(`${name}: has events`, phases.has(name === 'cursor' ? 'i' : 'X'), [...phases]);
    checks.that(`${name}: has counters`, phases.has('C'), [...phases]);
    const slices = trace.traceEvents.filter(({ ph }) => ph === 'X');
    const flows = trace.traceEvents.filter(({ ph }) => ph === 's' || ph === 'f');
    checks.equal(
      `${name}: flows that are in no event of their lane`,
      flows.filter(
        ({ pid, tid, ts }) =>
          !slices.some(
            (one) => one.pid === pid && one.tid === tid && one.ts <= ts && ts < one.ts + one.dur,
          ),
      ),
      [],
    );
  }
  checks.equal('axe', await violations(page), []);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// By keys alone: to the picture, nearer, along, to an event; every step is in the link.
async function drawnStory(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { logged } = await engine.start(page, ['logged']);
  await goTo(page, `#/${engine.letter}/t/${logged}/timeline?view=drawn`);
  const lanes = await page.$$eval('[aria-label=lanes] tbody tr', (rows) =>
    rows.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)),
  );
  checks.that(
    'lanes of compactions and of the LOG',
    lanes.some(([of, lane]) => of === 'default' && lane.startsWith('compaction → L')) &&
      lanes.some(([of, lane]) => of === 'LOG' && lane === 'recovery'),
    JSON.stringify(lanes),
  );
  const whole = await page.textContent('.timeline-where');
  await page.focus(kCanvas);
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  await page.keyboard.press('a');
  await page.waitForFunction(() => /from=.*&to=/.test(location.hash));
  const near = await page.textContent('.timeline-where');
  checks.that('nearer', near !== whole, `${whole} ${near}`);
  await page.keyboard.press(']');
  await page.waitForFunction(() => /sel=/.test(location.hash));
  const chosen = await page.textContent('[aria-label="selected event"] h2');
  const link = page.url();
  await page.goto('about:blank');
  if (engine.letter === 'h') {
    await page.goto(link);
    await settled(page);
    checks.equal('the link shows the same', await page.textContent('.timeline-where'), near);
    checks.equal('and the same event', await page.textContent('.detail h2'), chosen);
  } else {
    await engine
      .start(page, ['logged'])
      .then(({ logged: again }) => goTo(page, `#/w/t/${again}/timeline?view=drawn`));
  }
  await page.focus(kCanvas);
  await page.keyboard.press('0');
  await page.waitForFunction(() => !/from=/.test(location.hash));

  // A click on a box, and a drag in the strip.
  await page.fill('[aria-label="find events"]', 'compaction');
  await page.waitForSelector('[role=status]:has-text(" of ")');
  await page.click('main >> text=Next');
  await page.waitForSelector('[aria-label="selected event"] h2:has-text("compaction → L")');
  const facts = await page.textContent('[aria-label="selected event"]');
  for (const word of ['takes', 'ManualCompaction', 'the LOG'])
    checks.that(`the event says "${word}"`, facts.includes(word), facts);
  const { x, y, width } = await page.locator(kCanvas).boundingBox();
  await page.mouse.move(x + width * 0.5, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.7, y + 10, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => /from=.*&to=/.test(location.hash));
  const { from, to } = await query(page);
  await page.mouse.move(x + width * 0.6, y + 60);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await page.waitForFunction((before) => !location.hash.includes(`from=${before}`), from);
  const zoomed = await query(page);
  checks.that('the wheel zooms', zoomed.to - zoomed.from < to - from, JSON.stringify(zoomed));
  for (const [how, size] of [
    ['1440', [1440, 900]],
    ['768', [768, 1024]],
    ['390', [390, 844]],
  ]) {
    await page.setViewportSize({ width: size[0], height: size[1] });
    await settled(page);
    checks.that(`${how} wide fits`, (await overflow(page)) <= 1);
    checks.equal(`axe, ${how}`, await violations(page), []);
    await picture(page, shots, `${name}-drawn-${how}`, { fullPage: true });
  }
  checks.equal('no error', seen.errors, []);
  await context.close();
}

const tableOf = (page, name) =>
  page.$$eval(`[aria-label="${name}"] tbody tr`, (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent)),
  );

// Of a database, and of a binary trace; each is also in words.
async function countersAndFlows(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/timeline?view=drawn`);
  const counters = await tableOf(page, 'counters');
  checks.equal(
    'counters of the tree',
    counters.map(([of, what]) => [of, what]),
    [
      ['default', 'L0 files'],
      ['default', 'table bytes'],
    ],
  );
  checks.that('flows are counted', /of \d+ flows/.test(await page.textContent('main')));
  // From a flush to the compaction that took its table, and back.
  await page.fill('[aria-label="find events"]', 'flush');
  await page.waitForSelector('[role=status]:has-text(" of ")');
  const detail = '[aria-label="selected event"]';
  await page.click('main >> text=Next');
  await page.waitForSelector(`${detail} h3:has-text("leads to")`);
  const flush = await page.textContent(`${detail} h2`);
  await page.fill('[aria-label="find events"]', '');
  await page.click(`${detail} h3:has-text("leads to") + p button`);
  await page.waitForSelector(`${detail} h3:has-text("comes from")`);
  const taker = await page.textContent(`${detail} h2`);
  checks.that('a flush leads to a job of another kind', flush !== taker, `${flush} ${taker}`);
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [390, 844],
  ])
    for (const theme of ['light', 'dark']) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      await settled(page);
      checks.that(`${width} wide fits`, (await overflow(page)) <= 1);
      await picture(page, shots, `${name}-flows-${width}-${theme}`, { fullPage: true });
    }
  checks.equal('axe', await violations(page), []);
  await page.setViewportSize({ width: 1440, height: 900 });

  const text = [...kPerfettoTrace.matchAll(/^ {2}'(.*)',$/gm)].map(([, line]) => line).join('');
  const file = join(newFolder(), 'of.perfetto-trace');
  writeFileSync(file, Buffer.from(text, 'base64'));
  await page.setInputFiles('input[aria-label="trace to open"]', file);
  await page.waitForSelector('h2:has-text("of.perfetto-trace")');
  checks.equal(
    'lanes of the trace',
    (await tableOf(page, 'lanes')).map(([of, lane, events]) => [of, lane, events]),
    [
      ['engine', 'writer', '1'],
      ['engine', 'writer (2)', '2'],
      ['engine', 'writer (43)', '2'], // As the kernel tells of it.
      ['engine', 'background', '1'],
      ['processors', 'cpu 1', '2'],
      ['processors', 'irq, cpu 1', '1'],
      ['samples', 'of writer 7', '2'],
    ],
  );
  checks.equal('counters of the trace', await tableOf(page, 'counters'), [
    ['engine', 'queue', '2', '3\u202f000', '5\u202f000', '5\u202f000'],
    ['engine', 'sum', '2', '6', '10', '6'],
    ['trace', 'track 9', '1', '0.5', '0.5', '0.5'],
    ['engine', 'dirty', '1', '7', '7', '7'],
    [
      'system',
      'frequency, cpu 1, kHz',
      '1',
      '2\u202f400\u202f000',
      '2\u202f400\u202f000',
      '2\u202f400\u202f000',
    ],
    ['system', 'idle state, cpu 1', '2', '0', '3', '0'],
    ['engine', 'resident memory, kB', '1', '1\u202f000', '1\u202f000', '1\u202f000'],
    ['system', 'memory, available, kB', '1', '640\u202f000', '640\u202f000', '640\u202f000'],
  ]);
  await picture(page, shots, `${name}-perfetto`, { fullPage: true });
  // A counter says its value where the mouse is.
  const { x, y, width } = await page.locator(kCanvas).boundingBox();
  const tops = await page.evaluate(() => document.querySelector('main canvas').height);
  checks.that('the picture has rows for them', tops >= 56 + 20 * 2 + 3 * 20 + 3 * 38, tops);
  await page.mouse.move(x + width - 40, y + 56 + 20 + 4 * 20 + 15);
  await page.waitForSelector('.map-tip:has-text("queue: 5")');
  writeFileSync(file, 'no trace');
  await page.setInputFiles('input[aria-label="trace to open"]', file);
  await page.waitForSelector('[role=status]:has-text("neither JSON, nor a trace of Perfetto")');
  checks.equal('no error', seen.errors, []);
  await context.close();
}

const kMillion = 1_000_000;

// Threads of a program: events one after the other, and some within others.
function syntheticTrace(count) {
  const file = join(newFolder(), `${count}.json`);
  const events = [];
  const at = new Float64Array(16);
  for (let i = 0; i < count; i += 1) {
    const tid = i % 16;
    const dur = 5 + ((i * 7919) % 90);
    events.push(
      `{"ph":"X","name":"work ${i % 50}","pid":${tid >> 3},"tid":${tid},"ts":${at[tid]},"dur":${dur}}`,
    );
    at[tid] += i % 5 === 0 ? dur / 2 : dur + ((i * 104729) % 40);
  }
  writeFileSync(file, `{"traceEvents":[\n${events.join(',\n')}\n]}`);
  return file;
}

async function openTrace(page, count) {
  await page.setInputFiles('input[aria-label="trace to open"]', syntheticTrace(count));
  await page.waitForSelector(`h2:has-text("${count}.json")`, { timeout: 60_000 });
}

const kWork = 33; // ms: two frames, of whichever machine; some 10 were measured on two busy cores.
const kFew = 30_000; // As many as fill every column of every lane.
// How often the work of a picture of few events one of a million may take: of as many columns, it was
// 1.1 to 1.3 times. That a lane does not look at all of its events is counted in timeline.test.ts.
const kMoreWork = 2;

export async function manyEvents(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/timeline?view=drawn`);
  // Drawing alone, and what a person sees of it: the whole, nearer, and at single events.
  const moves = [
    ['the whole', ['w', 's', 'd', 'a']],
    ['nearer', ['w', 'w', 'd', 's', 'w', 'd']],
    ['near', ['w', 'd', 'd', 'w', 'd', 'd', 'w']],
  ];
  await openTrace(page, kFew);
  const few = [];
  for (const [, keys] of moves) few.push(await costOfFrames(page, kCanvas, keys));
  await page.keyboard.press('0');
  await page.waitForFunction(() => !/from=/.test(location.hash));
  const began = Date.now();
  await openTrace(page, kMillion);
  await page.waitForSelector(`canvas[aria-label*="1\u202f000\u202f000 events"]`);
  const opened = Date.now() - began;
  const lanes = await page.locator('[aria-label=lanes] tbody tr').count();
  const { width } = await page.locator(kCanvas).boundingBox();
  for (const [i, [what, keys]] of moves.entries()) {
    const { work, median, rectangles } = await costOfFrames(page, kCanvas, keys);
    const times = work / few[i].work;
    console.log(
      `   ${what}: ${work.toFixed(1)} ms of work in a frame, ${times.toFixed(2)} × that of few events; ` +
        `${rectangles} rectangles; a frame in ${median.toFixed(1)} ms`,
    );
    checks.that(`${what} is smooth`, work < kWork, `${work.toFixed(1)} ms`);
    if (what === 'the whole')
      // Nearer, few events are fewer than columns.
      checks.that(`${what} costs its pixels, not its events`, times < kMoreWork, times.toFixed(2));
    checks.that(`${what}: rectangles of pixels`, rectangles < (lanes + 1) * width, rectangles);
    await picture(page, shots, `${name}-million-${what.replaceAll(' ', '-')}`);
  }
  await page.focus(kCanvas);
  await page.keyboard.press('0');
  await page.waitForFunction(() => !/from=/.test(location.hash));
  await page.fill('[aria-label="find events"]', 'work 33');
  await page.waitForSelector('[role=status]:has-text("20\u202f000 of 1\u202f000\u202f000 events")');
  await picture(page, shots, `${name}-million-found`);
  const rows = await page.textContent('main section:has(h2:text-is("Events of what is shown"))');
  checks.that(
    'the table says that it is a part',
    rows.includes('the first 10\u202f000 of 20\u202f000'),
  );
  console.log(`   1,000,000 events opened in ${opened} ms`);
  checks.equal('axe', await violations(page), []);
  checks.equal('no error', seen.errors, []);
  await context.close();
}
