// SPDX-License-Identifier: Apache-2.0
// What a person does first, in Firefox: the stories of the other suites, not a second set.
import { everyView, filesAlone, hexLinks, jobs, keyboard } from './database_suite.mjs';
import { httpEngine, wasmEngine } from './engines.mjs';
import { steps } from './playground_suite.mjs';
import { serveStatic } from './servers.mjs';
import { kDatabaseViews } from './views.mjs';
import { hasModule } from './wasm_suite.mjs';

const kViews = ['overview', 'lsm', 'file', 'block', 'explain', 'explain-scan', 'data'];

export async function firefoxSuite(browser, checks, settings) {
  const { cursor, table, manifest, wal } = settings.targets;
  const name = 'firefox';
  const views = kDatabaseViews.filter((view) => kViews.includes(view.name));
  const looks = [{ how: 'in a window', theme: 'light', width: 1440, height: 900, axe: {} }];
  const told = { ...settings, name, views, looks, withoutTables: true };
  const server = await httpEngine(settings.varve, { cursor, table });
  try {
    for (const [what, story, ...rest] of [
      ['main views', everyView],
      ['jobs', jobs],
      ['keyboard only', keyboard],
      ['block and hex', hexLinks],
    ])
      await checks.in(`firefox: ${what}`, () => story(browser, checks, server, told, ...rest));
  } finally {
    server.stop();
  }
  if (!hasModule(settings.dist)) return;
  const inTab = await wasmEngine(settings.dist, { cursor, table, manifest, wal });
  try {
    await checks.in('firefox: a file alone, in this tab', () =>
      filesAlone(browser, checks, inTab, told),
    );
  } finally {
    inTab.stop();
  }
  const host = await serveStatic(settings.dist);
  try {
    await checks.in('firefox: playground', () =>
      steps(browser, checks, host, { ...told, downloads: false }),
    );
  } finally {
    host.stop();
  }
}
