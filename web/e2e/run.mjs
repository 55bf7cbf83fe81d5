// SPDX-License-Identifier: Apache-2.0
// node e2e/run.mjs --varve build/release/varve [--shots FOLDER] [--only http|static|wasm|playground]
//   [--kept MIB] [--live SECONDS]: the size of the database that the browser is made to keep, if not 48, and
//   how long a view of a tree that changes is watched for memory that it does not give back, if not 20
// node e2e/run.mjs --only docs --docs build/docs/site: the documentation, instead of the app
// The app in a real browser. Ends with "N passed, N failed" and 1 if anything failed.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from './browser.mjs';
import { Checks } from './checks.mjs';
import { docsSuite } from './docs_suite.mjs';
import { httpSuite } from './http_suite.mjs';
import { playgroundSuite } from './playground_suite.mjs';
import { staticSuite } from './static_suite.mjs';
import { makeTargets, removeMade } from './targets.mjs';
import { wasmSuite } from './wasm_suite.mjs';

const { values } = parseArgs({
  options: {
    varve: { type: 'string' },
    docs: { type: 'string' },
    shots: { type: 'string' },
    only: { type: 'string' },
    group: { type: 'string' },
    kept: { type: 'string', default: '48' },
    live: { type: 'string', default: '20' },
  },
});
const root = resolve(import.meta.dirname, '../..');
const settings = {
  varve: resolve(values.varve ?? `${root}/build/release/varve`),
  dist: `${root}/web/dist`,
  docs: resolve(values.docs ?? `${root}/build/docs/site`),
  fixtures: `${root}/tests/fixtures`,
  kept: Number(values.kept),
  live: Number(values.live),
  shots: resolve(values.shots ?? `${root}/build/web-shots`),
};
mkdirSync(settings.shots, { recursive: true });

if (values.only !== 'docs') settings.targets = makeTargets(settings);
const checks = new Checks(values.group);
const browser = await launch();
try {
  if (!values.only || values.only === 'http') await httpSuite(browser, checks, settings);
  if (!values.only || values.only === 'static') await staticSuite(browser, checks, settings);
  if (!values.only || values.only === 'wasm') await wasmSuite(browser, checks, settings);
  if (values.only === 'docs') await docsSuite(browser, checks, settings);
  if (!values.only || values.only === 'playground')
    await playgroundSuite(browser, checks, settings);
} finally {
  await browser.close();
  removeMade();
}
for (const failure of checks.failures) console.log(`failed: ${failure}`);
console.log(`${checks.passed} passed, ${checks.failures.length} failed`);
process.exit(checks.failures.length > 0 ? 1 : 0);
