// SPDX-License-Identifier: Apache-2.0
// The app on the HTTP engine: `varve serve` on databases that RocksDB made.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { goTo, openPage, overflow, picture, settled, violations } from './browser.mjs';
import { databaseSuite } from './database_suite.mjs';
import { recordsEdited } from './edits.mjs';
import { httpEngine } from './engines.mjs';
import { facts } from './facts_suite.mjs';
import { judgeMemory } from './memory.mjs';
import { pluginsOverHttp, pluginsServed } from './plugins.mjs';
import { startServer } from './servers.mjs';
import { newFolder } from './targets.mjs';
import { users } from './users.mjs';

export async function httpSuite(browser, checks, settings) {
  const { fixtures, varve, targets } = settings;
  const server = await httpEngine(varve, targets);
  const lines = new Set();
  const atView = async (page) => {
    for (const line of await page.$$eval('main [data-cli]', (all) =>
      all.map((one) => one.dataset.cli),
    ))
      lines.add(line);
  };
  try {
    await checks.in('http: token', () => tokenChecks(browser, checks, server));
    await checks.in('http: palette', () => palette(browser, checks, server));
    await checks.in('http: server gone', () => serverGone(browser, checks, server, settings));
    await databaseSuite(browser, checks, server, { ...settings, name: 'http', atView });
    await checks.in('http: facts', () => facts(browser, checks, settings));
    await checks.in('http: command lines', () => commandLines(checks, lines, varve, fixtures));
    await checks.in('http: a running engine', () => runningEngine(browser, checks, settings));
    await checks.in('http: memory of a live view', () => memory(browser, checks, settings));
    await checks.in('http: options set', () => optionsSet(browser, checks, settings));
    await checks.in('http: records edited', () => recordsEdited(browser, checks, settings));
    await checks.in('http: plugins', () => pluginsOverHttp(browser, checks, settings));
    await checks.in('http: plugins served', () => pluginsServed(browser, checks, settings));
    await checks.in('http: users', () => users(browser, checks, settings));
    await checks.in('http: bench results', () => benchResults(browser, checks, server, settings));
  } finally {
    server.stop();
  }
}

async function tokenChecks(browser, checks, server) {
  const { page, context } = await openPage(browser);
  await page.goto(new URL(server.url).origin);
  await settled(page);
  checks.that(
    'asks for the token',
    (await page.textContent('main')).includes('The token that it printed'),
  );
  await page.goto(server.url);
  await settled(page);
  checks.that('lists what is served', (await page.textContent('main')).includes('multi_cf'));
  checks.that('the token leaves the address bar', !page.url().includes('token='), page.url());
  const linked = await context.newPage(); // As a link that is opened in a new tab.
  await linked.goto(`${new URL(server.url).origin}/#/h/t/t1/lsm`);
  await linked.waitForSelector('main canvas');
  checks.that('another tab has the token as well', !linked.url().includes('token='), linked.url());
  const stranger = await browser.newContext();
  const alone = await stranger.newPage();
  await alone.goto(`${new URL(server.url).origin}/#/h/t/t1/lsm`);
  await settled(alone);
  checks.that(
    'another browser has not',
    (await alone.textContent('main')).includes('needs the token'),
  );
  await stranger.close();
  await context.close();
}

// The palette does things with what is shown, beside going to pages.
async function palette(browser, checks, server) {
  const { page, context, seen } = await openPage(browser);
  const { multi_cf } = await server.start(page); // Nobody else verifies it.
  await goTo(page, `#/h/t/${multi_cf}/overview`);
  const choose = async (words, label) => {
    await page.keyboard.press('Control+k');
    await page.fill('[aria-label=search]', words);
    await page.click(`button:has-text("${label}")`);
    await settled(page);
  };
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await choose('varve db info', 'varve db info');
  checks.that('copies a command', (await copied()).startsWith('varve db info '), await copied());
  await choose('link', 'Copy a link');
  checks.equal('copies the link', await copied(), page.url());
  await choose('theme', 'Use the dark theme');
  checks.equal(
    'changes the theme',
    await page.getAttribute('html', 'data-mantine-color-scheme'),
    'dark',
  );
  await choose('verify', 'Verify every checksum');
  await page.waitForURL(/findings$/); // Where its work is seen.
  await page.waitForSelector('main :text("Verify again")');
  checks.that('changes nothing without --write', !(await page.content()).includes('Flush default'));
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// What is on the page stays, says since when it is not newer, and goes on when the server does.
async function serverGone(browser, checks, server, { shots }) {
  const { page, context } = await openPage(browser);
  const { cursor } = await server.start(page);
  await goTo(page, `#/h/t/${cursor}/overview`);
  await context.setOffline(true);
  await page.waitForSelector('text=The server does not answer');
  checks.that('what was read stays', (await page.textContent('main')).includes('next file number'));
  checks.equal('axe', await violations(page), []);
  await picture(page, shots, 'http-server-gone');
  await context.setOffline(false);
  await page.waitForSelector('text=The server does not answer', { state: 'detached' });
  await page.click('nav >> text=Files');
  await page.waitForSelector('main [role=grid]');
  await context.close();
}

// Every command line that a panel shows is one that varve takes, where the database lies.
function commandLines(checks, lines, varve, fixtures) {
  for (const line of lines) {
    const run = spawnSync('bash', ['-c', line.replace(/^varve /, '"$VARVE" ')], {
      cwd: join(fixtures, 'db/rocksdb-7.8.3'),
      env: { ...process.env, VARVE: varve },
      encoding: 'utf8',
    });
    checks.that(
      `varve takes: ${line}`,
      run.status === 0 || run.status === 1,
      `exit ${run.status}, ${run.stderr.slice(0, 200)}`,
    );
  }
  console.log(`   ${lines.size} command lines run`);
}

// The map and the metrics of a running engine, in turns. It waits for its disk after each write: what is
// judged is the page, which needs a tree that changes, not a processor at its limit.
async function memory(browser, checks, { varve, live }) {
  const server = await startServer(varve, [
    ...['bench', 'run', 'overwrite', '--serve', '--db', join(newFolder(), 'db')],
    ...['--num', '20K', '--value-size', '1000', '--duration', String(live + 120)],
    ...['--durability', 'sync'],
    ...['--option', 'write_buffer_size=262144', '--option', 'target_file_size_base=131072'],
  ]);
  const { page, context, seen } = await openPage(browser);
  const views = ['lsm', 'metrics', 'timeline', 'overview'];
  let turn = 0;
  try {
    await page.goto(server.url);
    await settled(page);
    await judgeMemory(page, checks, live, async () => {
      await goTo(page, `#/h/t/t1/${views[turn % views.length]}`);
      turn += 1;
      // On a busy machine an hour has waits that are long; they are not what is judged.
      await page.waitForResponse((response) => response.url().endsWith('/stats'), {
        timeout: 120_000,
      });
    });
    checks.equal('no error', seen.errors, []);
  } finally {
    server.stop();
    await context.close();
  }
}

// A benchmark while it runs, and when it has ended: the map follows its edits, the metrics stay.
async function runningEngine(browser, checks, { varve, shots }) {
  const server = await startServer(varve, [
    ...['bench', 'run', 'readwhilewriting', '--serve', '--db', join(newFolder(), 'db')],
    ...['--num', '100K', '--duration', '120', '--durability', 'none'],
    ...['--option', 'write_buffer_size=262144', '--option', 'target_file_size_base=131072'],
  ]);
  const { page, context, seen } = await openPage(browser);
  try {
    await page.goto(server.url);
    await settled(page);
    await goTo(page, '#/h/t/t1/lsm');
    const editsAfter = (before) =>
      page.waitForFunction(
        (known) => {
          const [, edits] =
            /of (\d+)/.exec(document.querySelector('.machine label')?.textContent) ?? [];
          return Number(edits) > known && Number(edits);
        },
        before,
        { timeout: 30_000 },
      );
    const first = await (await editsAfter(0)).jsonValue();
    const then = await (await editsAfter(first)).jsonValue();
    checks.that('the map follows edits', then > first, `${first}, ${then}`);
    await picture(page, shots, 'http-live-lsm');
    await page.waitForSelector('[aria-label="compactions at work"] li:has-text("→ L")', {
      timeout: 60_000,
    });
    await picture(page, shots, 'http-live-compaction');
    await goTo(page, '#/h/t/t1/metrics');
    await page.waitForSelector('h2:has-text("Amplification")');
    await page.waitForFunction(
      () => (document.querySelectorAll('.metrics canvas')?.length ?? 0) >= 12,
    );
    const text = await page.textContent('main');
    for (const word of [
      'Throughput',
      'Latency of writes',
      'p99.9',
      'Stalls',
      'Block cache',
      'debt',
    ])
      checks.that(`says "${word}"`, text.includes(word));
    checks.that('fits', (await overflow(page)) <= 1);
    checks.equal('axe', await violations(page), []);
    await picture(page, shots, 'http-metrics', { fullPage: true });
    await page.click('main >> text=Pause');
    const said = () => page.textContent('.page-head .muted');
    const held = await said();
    await page.waitForResponse((response) => response.url().endsWith('/stats'));
    await page.waitForResponse((response) => response.url().endsWith('/stats'));
    checks.equal('a pause holds what is shown', await said(), held);
    await page.click('main >> text=Go on');
    await page.waitForFunction(
      (before) => document.querySelector('.page-head .muted')?.textContent !== before,
      held,
    );
    await goTo(page, '#/h/t/t1/timeline?view=drawn&axis=time');
    for (const figure of ['memtable bytes', 'pending compaction bytes', 'µs/s held up'])
      await page.waitForSelector(
        `[aria-label=counters] tr:has(td:text-is("engine")):has-text("${figure}")`,
      );
    await picture(page, shots, 'http-live-timeline', { fullPage: true });
    await goTo(page, '#/h/t/t1/metrics');
    server.stop();
    await page.waitForSelector('text=The server does not answer');
    checks.that('what was counted stays', (await page.textContent('main')).includes('Throughput'));
    await page.waitForFunction(() =>
      /until \d{4}-/.test(document.querySelector('.page-head .muted')?.textContent),
    );
    await goTo(page, '#/h/t/t1/overview');
    await goTo(page, '#/h/t/t1/metrics');
    checks.that('also after another page', (await page.locator('.metrics canvas').count()) >= 12);
    checks.equal('no error', seen.errors, []);
  } finally {
    server.stop();
    await context.close();
  }
}

// A form for the options of a running database: refused by option, set, and said by the engine after.
async function optionsSet(browser, checks, { varve, shots }) {
  const folder = join(newFolder(), 'db');
  execFileSync(varve, ['put', folder, 'key', 'value', '--create']);
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  const server = await startServer(varve, ['serve', folder, '--write', ...asRoot]);
  const { page, context, seen } = await openPage(browser);
  const field = (name) => page.getByLabel(`new value of ${name}`, { exact: true });
  const cellOf = (name) => `.options-form tr:has(.mono:text-is("${name}")) td:nth-child(2)`;
  const valueOf = (name) => page.textContent(cellOf(name));
  try {
    await page.goto(server.url);
    await settled(page);
    await goTo(page, '#/h/t/t1/options');
    await field('write_buffer_size').fill('many');
    await page.click('main >> text=Check');
    await page.waitForSelector('text=a whole number is expected');
    await field('write_buffer_size').fill('8388608');
    await field('level0_stop_writes_trigger').fill('1'); // Below what slows writes down.
    await page.click('main >> text=Set 2 options');
    await page.waitForSelector('.options-form .changed [class*=error], main .record [role=alert]');
    checks.equal('nothing was set', await valueOf('write_buffer_size'), '67108864');
    await picture(page, shots, 'http-options-refused');
    checks.equal('axe, refused', await violations(page), []);
    await field('level0_stop_writes_trigger').fill('36');
    await field('compression').selectOption('kZSTD');
    checks.that(
      'says what will change',
      (await page.textContent('[aria-label="what will change"]')).includes(
        'write_buffer_size: 67108864 → 8388608',
      ),
    );
    await page.click('main >> text=Check');
    await page.waitForSelector('text=The engine takes them.');
    await page.click('main >> text=Set 2 options');
    await page.waitForSelector('text=2 options set, and stored.');
    // The page asks the engine again.
    await page.waitForSelector(`${cellOf('write_buffer_size')}:text-is("8388608")`);
    await picture(page, shots, 'http-options-set');
    checks.equal('the engine has it', await valueOf('write_buffer_size'), '8388608');
    const stored = execFileSync(varve, ['db', 'options', folder], { encoding: 'utf8' });
    checks.that('it is stored', /compression.*kZSTD/.test(stored), stored);
    checks.equal('no error', seen.errors, []);
  } finally {
    server.stop();
    await context.close();
  }
}

async function benchResults(browser, checks, server, { varve, shots }) {
  const folder = newFolder();
  const files = ['a.json', 'b.json'].map((name) => join(folder, name));
  for (const [i, file] of files.entries()) {
    execFileSync(
      varve,
      [
        'bench',
        'run',
        'fillrandom',
        'readrandom',
        '--num',
        '2K',
        '--repeat',
        '4',
        '--json',
        '-q',
        '-o',
        file,
        ...(i === 1 ? ['--option', 'block_size=8192'] : []),
      ],
      { stdio: 'ignore' },
    );
  }
  const { page, context, seen } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/bench');
  await page.setInputFiles('main input[type=file]', files);
  await page.waitForSelector('text=b.json (B) against a.json (A)');
  const text = await page.textContent('main');
  for (const word of ['readrandom', '95 % interval', '4 · 4', 'options.block_size', 'p99.9'])
    checks.that(`says "${word}"`, text.includes(word));
  await picture(page, shots, `bench`, { fullPage: true });
  checks.equal('axe', await violations(page), []);
  checks.equal('no error', seen.errors, []);
  await context.close();
}
