// SPDX-License-Identifier: Apache-2.0
// node example_test.mjs PACKAGE FIXTURES: the package's example page in a real browser: a picked
// file, a refused one, and a database in the origin private file system that outlives the page.
import { join } from 'node:path';
import { launch, openPage } from '../../web/e2e/browser.mjs';
import { serveStatic } from '../../web/e2e/servers.mjs';

const [folder, fixtures] = process.argv.slice(2);
const host = await serveStatic(folder);
const browser = await launch();
let failed = 0;
async function shows(page, id, words) {
  const wait = (wanted) => document.getElementById(wanted.id).textContent.includes(wanted.words);
  const seen = await page.waitForFunction(wait, { id, words }).then(() => true, () => false);
  console.log(`${seen ? 'ok  ' : 'FAIL'} ${id} shows ${JSON.stringify(words)}${seen ? '' : `, not ${JSON.stringify(await page.textContent(`#${id}`))}`}`);
  if (!seen) failed += 1;
}
async function put(page, key, value) {
  await page.fill('[name=key]', key);
  await page.fill('[name=value]', value);
  await page.click('button');
}

try {
  const { page, seen } = await openPage(browser);
  await page.goto(`${host.url}example/index.html`);
  await page.setInputFiles('#file', join(fixtures, 'sst/r119_comp_zstd_fv7.sst'));
  await shows(page, 'table', 'The first entries are');
  await page.setInputFiles('#file', join(fixtures, 'sst/manifest.json'));
  await shows(page, 'table', 'manifest.json');
  await shows(page, 'records', 'empty');
  await put(page, 'apple', 'red');
  await put(page, 'pear', 'green');
  await shows(page, 'records', 'pear = green');
  await page.reload();
  await shows(page, 'records', 'apple = red\npear = green');
  const second = await page.context().newPage();
  await second.goto(`${host.url}example/index.html`);
  await shows(second, 'records', 'no database: ');
  if (seen.errors.length > 0) {
    console.log(`FAIL errors: ${seen.errors.join('; ')}`);
    failed += 1;
  }
} finally {
  await browser.close();
  host.stop();
}
process.exit(failed > 0 ? 1 : 0);
