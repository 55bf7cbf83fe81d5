// SPDX-License-Identifier: Apache-2.0
// Facts that a page once said wrong: each is held against what the command line says of the same.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { goTo, openPage, picture, settled } from './browser.mjs';
import { httpEngine } from './engines.mjs';
import { newFolder } from './targets.mjs';

// A table is missing, and another one is cut.
function brokenDatabase(cursor) {
  const path = join(newFolder(), 'broken');
  cpSync(cursor, path, { recursive: true });
  const [gone, cut] = readdirSync(path)
    .filter((name) => name.endsWith('.sst'))
    .map((name) => join(path, name));
  rmSync(gone);
  truncateSync(cut, statSync(cut).size - 100);
  return path;
}

// Its tables have filters.
function filteredDatabase(varve) {
  const path = join(newFolder(), 'filtered');
  const size = ['--num', '20K', '--value-size', '20', '--durability', 'none', '-q'];
  execFileSync(varve, ['bench', 'run', 'fillseq', '--db', path, ...size], { stdio: 'ignore' });
  return path;
}

// Whatever it ends with: a key that is not there is no success.
const documentOf = (varve, words) =>
  JSON.parse(spawnSync(varve, [...words, '--json'], { encoding: 'utf8' }).stdout);

// A key that is not there, and that a filter takes for one that is: one in a hundred.
function falsePositive(varve, path) {
  for (let i = 1; i < 2000; i += 1) {
    const number = (i * 9).toString(16).padStart(16, '0');
    const key = `hex:${number}3030303030303031`;
    const { steps } = documentOf(varve, ['explain', 'get', path, key]);
    if (steps.some(({ verdict }) => verdict === 'filter_false_positive')) return key;
  }
  throw new Error('no filter is ever wrong');
}

export async function facts(browser, checks, { varve, targets, shots }) {
  const broken = brokenDatabase(targets.cursor);
  const filtered = filteredDatabase(varve);
  const key = falsePositive(varve, filtered);
  const engine = await httpEngine(varve, { cursor: targets.cursor, broken, filtered });
  const { page, context, seen } = await openPage(browser);
  try {
    const ids = await engine.start(page);
    await goTo(page, `#/h/t/${ids.broken}/overview`);
    const opens = await page.textContent('dt:text-is("opens") + dd');
    checks.equal('a database with a missing and a cut table', opens, 'reads of 2 files fail');
    await goTo(page, `#/h/t/${ids.cursor}/overview`);
    checks.equal('a whole one', await page.textContent('dt:text-is("opens") + dd'), 'yes');

    await goTo(page, `#/h/t/${ids.filtered}/explain?key=${encodeURIComponent(key)}`);
    const verdict = page.locator('.step-filter_false_positive .bad');
    checks.equal(
      'a false positive is marked',
      await verdict.first().textContent(),
      'filter said maybe; the block did not have it',
    );
    await picture(page, shots, 'http-false-positive');

    // Two files of L0 meet the same two of L1: these are two, not four.
    await goTo(page, `#/h/t/${ids.cursor}/lsm?edit=12`);
    const { files } = documentOf(varve, ['lsm', 'files', targets.cursor, '--edit', '12']);
    const meets = files
      .filter(({ level }) => level === 0)
      .reduce((sum, { overlap }) => sum + overlap.files, 0);
    const below = files.filter(({ level }) => level === 1);
    const bytes = below.reduce((sum, { size }) => sum + size, 0);
    const said = await page.textContent('[aria-label=levels] tbody tr:first-child td:last-child');
    checks.that('each file of L0 meets them', meets > below.length, `${meets}`);
    checks.equal('they are counted once', said, `2 files, ${(bytes / 1024).toFixed(1)} KiB`);
    await settled(page);
    checks.equal('no error', seen.errors, []);
  } finally {
    engine.stop();
    await context.close();
  }
}
