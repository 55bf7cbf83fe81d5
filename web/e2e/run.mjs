// SPDX-License-Identifier: Apache-2.0
// node e2e/run.mjs --varve build/release/varve [--only SUITE[,SUITE]] [--group WORDS]
//   [--shots FOLDER]: puts pictures of what is looked at there, for a person; none without it, they take time
//   [--differences FOLDER]: where pictures go that do not look as approved, if not to build/web-shots/pictures
//   [--kept MIB] [--live SECONDS]: the size of the database that the browser is made to keep, if not 24, and
//   how long a view of a tree that changes is watched for memory that it does not give back, if not 10
//   [--approve]: the pictures of views, as they are now, become those that later ones are compared with
// node e2e/run.mjs --only docs --docs build/docs/site: the documentation, instead of the app
// The app in a real browser. Ends with "N passed, N failed" and 1 if anything failed.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launch, launchFirefox } from './browser.mjs';
import { Checks } from './checks.mjs';
import { docsSuite } from './docs_suite.mjs';
import { firefoxSuite } from './firefox_suite.mjs';
import { httpSuite } from './http_suite.mjs';
import { picturesSuite } from './pictures_suite.mjs';
import { playgroundSuite } from './playground_suite.mjs';
import { smoothSuite } from './smooth_suite.mjs';
import { staticSuite } from './static_suite.mjs';
import { makeTargets, removeMade } from './targets.mjs';
import { wasmSuite } from './wasm_suite.mjs';

const { values } = parseArgs({
  options: {
    varve: { type: 'string' },
    docs: { type: 'string' },
    shots: { type: 'string' },
    differences: { type: 'string' },
    only: { type: 'string' },
    group: { type: 'string' },
    kept: { type: 'string', default: '24' },
    live: { type: 'string', default: '10' },
    approve: { type: 'boolean', default: false },
  },
});
// `withBig`: it opens the database of ten thousand tables; `withMany`: that of many records.
const kSuites = {
  http: { suite: httpSuite, withMany: true },
  static: { suite: staticSuite },
  wasm: { suite: wasmSuite },
  playground: { suite: playgroundSuite },
  smooth: { suite: smoothSuite, withBig: true },
  pictures: { suite: picturesSuite },
  firefox: { suite: firefoxSuite, start: launchFirefox },
  docs: { suite: docsSuite },
};
const isOfTheApp = (name) => name !== 'docs';

const root = resolve(import.meta.dirname, '../..');
const settings = {
  varve: resolve(values.varve ?? `${root}/build/release/varve`),
  dist: `${root}/web/dist`,
  docs: resolve(values.docs ?? `${root}/build/docs/site`),
  fixtures: `${root}/tests/fixtures`,
  kept: Number(values.kept),
  live: Number(values.live),
  group: values.group,
  approve: values.approve,
  shots: values.shots && resolve(values.shots),
  differences: resolve(values.differences ?? `${root}/build/web-shots/pictures`),
};
if (settings.shots) mkdirSync(settings.shots, { recursive: true });

const suites = values.only ? values.only.split(',') : Object.keys(kSuites).filter(isOfTheApp);
const unknown = suites.filter((name) => !kSuites[name]);
if (unknown.length > 0) throw new Error(`no suite ${unknown}; there are ${Object.keys(kSuites)}`);
if (suites.some(isOfTheApp))
  settings.targets = makeTargets(settings, {
    withBig: suites.some((name) => kSuites[name].withBig),
    withMany: suites.some((name) => kSuites[name].withMany),
  });
const checks = new Checks(values.group);
try {
  for (const name of suites) {
    const { suite, start = launch } = kSuites[name];
    const browser = await start();
    try {
      await suite(browser, checks, settings);
    } finally {
      await browser.close();
    }
  }
} finally {
  removeMade();
}
for (const failure of checks.failures) console.log(`failed: ${failure}`);
console.log(`${checks.passed} passed, ${checks.failures.length} failed`);
process.exit(checks.failures.length > 0 ? 1 : 0);
