// SPDX-License-Identifier: Apache-2.0
// The app on the engine in the tab: no server but one for files, and that one gone after the start.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goTo, openPage, settled, violations } from './browser.mjs';
import { serveStatic } from './servers.mjs';
import { kDatabaseViews, linkOf } from './views.mjs';

export async function wasmSuite(browser, checks, settings) {
  const { dist, fixtures, shots } = settings;
  if (!readdirSync(join(dist, 'assets')).some((name) => name.endsWith('.wasm'))) {
    console.log('-- wasm: the app was built without the module');
    return;
  }
  const host = await serveStatic(dist);
  try {
    await checks.in('wasm: a dropped folder, every view', () => folder(browser, checks, host, join(fixtures, 'db/rocksdb-7.8.3/cursor'), shots));
    await checks.in('wasm: dropped files', () => files(browser, checks, host, fixtures));
    await checks.in('wasm: playground', () => playground(browser, checks, host, shots));
    await checks.in('wasm: lessons', () => lessons(browser, checks, host, shots));
  } finally {
    host.stop();
  }
}

async function folder(browser, checks, host, path, shots) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(host.url);
  await settled(page);
  await page.setInputFiles('#folder', path);
  await page.waitForFunction(() => location.hash.includes('/overview'), null, { timeout: 20000 });
  await settled(page);
  for (const view of kDatabaseViews) {
    await goTo(page, linkOf(view, 'w', 't1'));
    const text = await page.textContent('main');
    for (const word of view.words) checks.that(`${view.name} says "${word}"`, text.includes(word), text.slice(0, 200));
  }
  await goTo(page, '#/w/t/t1/findings');
  await page.click('text=Verify');
  await page.waitForSelector('text=✓ clean', { timeout: 20000 });
  await page.screenshot({ path: join(shots, 'wasm-findings.png') });
  checks.equal('asks for files of the app only', seen.urls.filter((url) => !url.startsWith(host.url) && !/^(blob|data):/.test(url)), []);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function files(browser, checks, host, fixtures) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(host.url);
  await settled(page);
  const transfer = await page.evaluateHandle(([bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], 'holiday.jpg'));
    return data;
  }, [[...readFileSync(join(fixtures, 'sst/r119_comp_zstd_fv7.sst'))]]);
  await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: transfer });
  await page.waitForFunction(() => location.hash.includes('/overview'), null, { timeout: 20000 });
  await goTo(page, '#/w/t/t1/file/0');
  checks.that('a table by any name', (await page.textContent('main')).includes('300 entries'));
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function playground(browser, checks, host, shots) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(`${host.url}#/playground`);
  await page.click('button:has-text("Start")');
  await page.waitForSelector('text=No file yet: flush makes one.', { timeout: 20000 });
  const step = () => page.click('button:text-is("Step")');
  await step();
  await page.waitForSelector('text=Memtable, 1 entry');
  await step();
  await page.waitForSelector('text=Memtable, 2 entries');
  await step();
  await page.waitForSelector('text=000');
  await page.click('button:text-is("Run")');
  await page.waitForSelector('text=the end (7 of 7)', { timeout: 20000 });
  await page.waitForSelector('text=/compaction/');
  await page.screenshot({ path: join(shots, 'playground.png'), fullPage: true });
  checks.equal('axe', await violations(page), []);
  const downloading = page.waitForEvent('download');
  await page.click('text=Download database');
  const zip = join(mkdtempSync(join(tmpdir(), 'varve-e2e-')), 'db.zip');
  await (await downloading).saveAs(zip);
  checkDownload(checks, zip);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// RocksDB's own tool reads what was downloaded.
function checkDownload(checks, zip) {
  const folder = mkdtempSync(join(tmpdir(), 'varve-e2e-'));
  execFileSync('python3', ['-m', 'zipfile', '-e', zip, folder]);
  const db = join(folder, 'playground-db');
  checks.that('a directory came', existsSync(join(db, 'CURRENT')));
  checks.equal('ldb checkconsistency', execFileSync('ldb', [`--db=${db}`, 'checkconsistency'], { encoding: 'utf8' }).trim(), 'OK');
  checks.equal('ldb scan', execFileSync('ldb', [`--db=${db}`, 'scan'], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(' : ')), ['apple : yellow']);
}

async function lessons(browser, checks, host, shots) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(`${host.url}#/playground`);
  await settled(page);
  const titles = await page.$$eval('[aria-label=lesson] option', (all) => all.map((one) => one.value).filter(Boolean));
  const told = {};
  for (const lesson of titles) {
    await page.selectOption('[aria-label=lesson]', lesson);
    await page.click('button:has-text("Build it")');
    await page.waitForSelector('button:has-text("Build it again")', { timeout: 30000 });
    await page.click('.choices input >> nth=0');
    await page.click('text=Let the engine answer');
    await page.waitForSelector('text=measured', { timeout: 60000 });
    const right = await page.$$eval('.choices label', (all) => all.findIndex((one) => one.textContent.includes('so it is')));
    checks.that(`${lesson} has an answer`, right >= 0, await page.textContent('main table'));
    told[lesson] = right;
    await page.screenshot({ path: join(shots, `lesson-${lesson}.png`), fullPage: true });
  }
  writeFileSync(join(shots, 'lessons.json'), JSON.stringify(told));
  checks.equal('no error', seen.errors, []);
  await context.close();
}
