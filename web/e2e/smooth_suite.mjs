// SPDX-License-Identifier: Apache-2.0
// What is judged by the clock: frames while a page moves, and the first view of a large file. Runs
// while nothing else does.
import { manyFiles } from './database_suite.mjs';
import { httpEngine, wasmEngine } from './engines.mjs';
import { serveStatic } from './servers.mjs';
import { manyEvents } from './timeline_suite.mjs';
import { gigabyte, hasModule } from './wasm_suite.mjs';
import { manyOperations } from './work_suite.mjs';

export async function smoothSuite(browser, checks, settings) {
  const { big, cursor } = settings.targets;
  const engines = [['http', () => httpEngine(settings.varve, { big, cursor })]];
  if (hasModule(settings.dist))
    engines.push(['wasm', () => wasmEngine(settings.dist, settings.targets)]);
  for (const [name, begin] of engines) {
    const engine = await begin();
    const run = (what, body) =>
      checks.in(`smooth: ${what}, ${name}`, () =>
        body(browser, checks, engine, { ...settings, name }),
      );
    try {
      await run('thousands of files', manyFiles);
      await run('a million events', manyEvents);
      if (engine.letter === 'w') await run('a table of a gigabyte', gigabyte);
    } finally {
      engine.stop();
    }
  }
  if (!hasModule(settings.dist)) return;
  const host = await serveStatic(settings.dist);
  try {
    await checks.in('smooth: half a million operations', () =>
      manyOperations(browser, checks, host, settings),
    );
  } finally {
    host.stop();
  }
}
