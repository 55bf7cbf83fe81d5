// SPDX-License-Identifier: Apache-2.0
// The app on the HTTP engine: `varve serve` on databases that RocksDB made.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goTo, openPage, overflow, settled, violations } from './browser.mjs';
import { serveVarve } from './servers.mjs';
import { kDatabaseViews, linkOf } from './views.mjs';

// One flipped byte in the first data block.
function damagedTable(fixtures) {
  const path = join(mkdtempSync(join(tmpdir(), 'varve-e2e-')), 'damaged.sst');
  copyFileSync(join(fixtures, 'sst/r119_comp_zstd_fv7.sst'), path);
  const bytes = readFileSync(path);
  bytes[20] ^= 1;
  writeFileSync(path, bytes);
  return path;
}

// Some two thousand tables, for what must stay smooth.
function bigDatabase(varve) {
  const path = join(mkdtempSync(join(tmpdir(), 'varve-e2e-')), 'big');
  execFileSync(varve, ['bench', 'run', 'fillrandom', '--db', path, '--num', '300K', '--durability', 'none', '-q',
    '--option', 'write_buffer_size=262144', '--option', 'target_file_size_base=16384', '--option', 'max_bytes_for_level_base=1048576'], { stdio: 'ignore' });
  return path;
}

export async function httpSuite(browser, checks, settings) {
  const { fixtures, shots, varve } = settings;
  const server = await serveVarve(varve, [
    join(fixtures, 'db/rocksdb-7.8.3/cursor'), // t1
    join(fixtures, 'db/rocksdb-7.8.3/multi_cf'), // t2
    join(fixtures, 'sst/r119_comp_zstd_fv7.sst'), // t3
    join(fixtures, 'db/hand/hand_sst/MANIFEST-000003'), // t4
    damagedTable(fixtures), // t5
    bigDatabase(varve), // t6
  ]);
  const origin = new URL(server.url).origin;
  try {
    await checks.in('http: token', () => tokenChecks(browser, checks, server));
    for (const theme of ['light', 'dark']) {
      await checks.in(`http: every view, ${theme}`, () => everyView(browser, checks, server, { ...settings, theme, origin }));
    }
    for (const [width, height] of [[1024, 768], [768, 1024]]) {
      await checks.in(`http: ${width} wide`, () => narrowViews(browser, checks, server, { width, height, shots }));
    }
    await checks.in('http: jobs', () => jobs(browser, checks, server, shots));
    await checks.in('http: damage', () => damage(browser, checks, server, shots));
    await checks.in('http: keyboard only', () => keyboard(browser, checks, server));
    await checks.in('http: block and hex', () => hexLinks(browser, checks, server, shots));
    await checks.in('http: bench results', () => benchResults(browser, checks, server, settings));
    await checks.in('http: thousands of files', () => manyFiles(browser, checks, server, shots));
  } finally {
    server.stop();
  }
}

async function tokenChecks(browser, checks, server) {
  const { page, context } = await openPage(browser);
  await page.goto(new URL(server.url).origin);
  await settled(page);
  checks.that('asks for the token', (await page.textContent('main')).includes('The token that it printed'));
  await page.goto(server.url);
  await settled(page);
  checks.that('lists what is served', (await page.textContent('main')).includes('multi_cf'));
  checks.that('the token leaves the address bar', !page.url().includes('token='), page.url());
  await context.close();
}

async function everyView(browser, checks, server, { theme, shots, origin, varve, fixtures }) {
  const { page, context, seen } = await openPage(browser, { theme });
  await page.goto(server.url);
  await settled(page);
  await page.screenshot({ path: join(shots, `landing-${theme}.png`) });
  const lines = new Set();
  for (const view of kDatabaseViews) {
    await goTo(page, linkOf(view, 'h', 't1'));
    const text = await page.textContent('main');
    for (const word of view.words) checks.that(`${view.name} says "${word}"`, text.includes(word), text.slice(0, 200));
    await page.screenshot({ path: join(shots, `${view.name}-${theme}.png`) });
    checks.equal(`${view.name}: axe`, await violations(page), []);
    checks.that(`${view.name} fits`, (await overflow(page)) <= 1);
    for (const line of await page.$$eval('main [data-cli]', (all) => all.map((one) => one.dataset.cli))) lines.add(line);
  }
  if (theme === 'light') commandLines(checks, lines, varve, fixtures);
  const strangers = seen.urls.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url));
  checks.equal('no request leaves the origin', strangers, []);
  checks.equal('no error, no violation of the policy', seen.errors, []);
  await context.close();
}

// Every command line that a panel shows is one that varve takes, where the database lies.
function commandLines(checks, lines, varve, fixtures) {
  for (const line of lines) {
    const run = spawnSync('bash', ['-c', line.replace(/^varve /, '"$VARVE" ')], { cwd: join(fixtures, 'db/rocksdb-7.8.3'), env: { ...process.env, VARVE: varve }, encoding: 'utf8' });
    checks.that(`varve takes: ${line}`, run.status === 0 || run.status === 1, `exit ${run.status}, ${run.stderr.slice(0, 200)}`);
  }
  console.log(`   ${lines.size} command lines run`);
}

async function narrowViews(browser, checks, server, { width, height, shots }) {
  const { page, context, seen } = await openPage(browser, { width, height });
  await page.goto(server.url);
  for (const view of kDatabaseViews) {
    await goTo(page, linkOf(view, 'h', 't1'));
    checks.that(`${view.name} fits`, (await overflow(page)) <= 1, `${await overflow(page)} px too wide`);
    if (['overview', 'lsm', 'file', 'block', 'data'].includes(view.name)) await page.screenshot({ path: join(shots, `${view.name}-${width}.png`) });
  }
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function jobs(browser, checks, server, shots) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/h/t/t1/findings');
  await page.click('text=Verify');
  await page.waitForSelector('text=✓ clean', { timeout: 20000 });
  checks.that('counts what it read', (await page.textContent('main')).includes('1\u202f042'));
  await goTo(page, '#/h/t/t1/keyspace');
  await page.click('text=Measure the key space');
  await page.waitForSelector('text=Debt of default', { timeout: 20000 });
  await page.click('text=Find the runs');
  await page.waitForSelector('text=A scan of everything yields', { timeout: 20000 });
  await page.screenshot({ path: join(shots, 'keyspace-measured.png') });
  checks.equal('keyspace: axe', await violations(page), []);
  await goTo(page, '#/h/t/t1/overview');
  await page.click('text=Measure');
  await page.waitForSelector('text=before compression', { timeout: 20000 });
  checks.that('space says live bytes', (await page.textContent('main')).includes('57.5 KiB'));
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function damage(browser, checks, server, shots) {
  const { page, context } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/h/t/t5/findings');
  await page.click('text=Verify');
  await page.waitForSelector('text=/✗ \\d+ finding/', { timeout: 20000 });
  await page.click('main [role=grid] [role=row][aria-rowindex="2"]');
  await page.waitForSelector('text=Show the bytes');
  await page.screenshot({ path: join(shots, 'findings-damaged.png') });
  checks.equal('findings: axe', await violations(page), []);
  await goTo(page, '#/h/t/t5/block/0/0');
  const text = await page.textContent('main');
  checks.that('the block says which checksum', /✗ stored 0x[0-9a-f]{8}, computed 0x[0-9a-f]{8}/.test(text), text.slice(0, 300));
  await page.screenshot({ path: join(shots, 'block-damaged.png') });
  await goTo(page, '#/h/t/t1/file/999999');
  checks.that('a missing file is a problem with a code', (await page.textContent('[role=alert]')).includes('file_not_found'));
  await goTo(page, '#/h/t/t4/explain?key=a');
  checks.that('a MANIFEST alone says why not', (await page.textContent('main')).includes('a MANIFEST alone does not say'));
  await context.close();
}

async function keyboard(browser, checks, server) {
  const { page, context } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/h/t/t1/overview');
  const at = () => page.evaluate(() => location.hash);
  for (const [keys, hash] of [['gl', '/lsm'], ['gd', '/data'], ['gt', '/timeline'], ['gk', '/keyspace'], ['ge', '/explain'], ['gl', '/lsm']]) {
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
  checks.that('/ goes to the filter', await page.evaluate(() => document.activeElement?.hasAttribute('data-filter')));
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
  await page.focus('main [role=grid]');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  checks.that('j walks over rows', (await at()).includes('sel=2'), await at());
  await page.evaluate(() => { document.activeElement?.blur(); window.scrollTo(0, 0); });
  await page.reload();
  await settled(page);
  await page.keyboard.press('Tab');
  checks.equal('the first stop skips to the page', await page.evaluate(() => document.activeElement?.textContent), 'Skip to the page');
  await context.close();
}

async function hexLinks(browser, checks, server, shots) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/h/t/t3/block/0/0');
  await page.waitForSelector('.hex [role=gridcell]');
  await page.click('#byte-3'); // The first byte of the first key.
  const said = await page.textContent('.hex-said');
  checks.that('a byte says its field', /key, 17 B: key000000 @1 put/.test(said), said);
  checks.equal('and chooses its entry', await page.textContent('[aria-label="entries of the block"] [aria-selected=true] [role=gridcell]'), '0');
  await page.click('[aria-label="entries of the block"] [role=row][aria-rowindex="4"]');
  await page.waitForSelector('.hex .cursor');
  checks.that('an entry shows its bytes', /offset 122/.test(await page.textContent('.hex-said')), await page.textContent('.hex-said'));
  await page.screenshot({ path: join(shots, 'block-linked.png') });
  await page.locator('label', { hasText: /^stored$/ }).click();
  await page.waitForSelector('text=Bytes, as stored');
  await settled(page);
  await page.click('#byte-173'); // The trailer's first byte.
  checks.that('the trailer is named', /trailer/.test(await page.textContent('.hex-said')), await page.textContent('.hex-said'));
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function benchResults(browser, checks, server, { varve, shots }) {
  const folder = mkdtempSync(join(tmpdir(), 'varve-e2e-'));
  const files = ['a.json', 'b.json'].map((name) => join(folder, name));
  for (const [i, file] of files.entries()) {
    execFileSync(varve, ['bench', 'run', 'fillrandom', 'readrandom', '--num', '2K', '--repeat', '4', '--json', '-q', '-o', file,
      ...(i === 1 ? ['--option', 'block_size=8192'] : [])], { stdio: 'ignore' });
  }
  const { page, context, seen } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/bench');
  await page.setInputFiles('main input[type=file]', files);
  await page.waitForSelector('text=b.json (B) against a.json (A)');
  const text = await page.textContent('main');
  for (const word of ['readrandom', '95 % interval', '4 · 4', 'options.block_size', 'p99.9']) checks.that(`says "${word}"`, text.includes(word));
  await page.screenshot({ path: join(shots, 'bench.png'), fullPage: true });
  checks.equal('axe', await violations(page), []);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function manyFiles(browser, checks, server, shots) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(server.url);
  await goTo(page, '#/h/t/t6/lsm');
  const count = Number((await page.textContent('.page-head .muted')).replaceAll('\u202f', '').match(/(\d+) files/)?.[1] ?? 0);
  checks.that('has very many files', count > 1000, String(count));
  await page.screenshot({ path: join(shots, 'lsm-many.png') });
  await page.focus('main canvas');
  const worst = await page.evaluate(async () => {
    const canvas = document.querySelector('main canvas');
    for (let i = 0; i < 3; i += 1) canvas.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }));
    const frames = [];
    for (let i = 0; i < 30; i += 1) {
      const began = performance.now();
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: i % 2 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      frames.push(performance.now() - began);
    }
    return frames.sort((a, b) => a - b)[Math.floor(frames.length / 2)];
  });
  checks.that('pans within two frames of a slow machine', worst < 34, `${worst.toFixed(1)} ms`);
  console.log(`   ${count} files, half of all pans take less than ${worst.toFixed(1)} ms`);
  checks.equal('no error', seen.errors, []);
  await context.close();
}
