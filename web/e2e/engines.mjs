// SPDX-License-Identifier: Apache-2.0
// The two engines that the same checks run on. start(page, names) brings the app up in a page with
// those targets open and returns their ids.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settled } from './browser.mjs';
import { serveStatic, serveVarve } from './servers.mjs';

// `varve serve` has everything open from the start.
export async function httpEngine(varve, targets) {
  const server = await serveVarve(varve, Object.values(targets));
  const ids = Object.fromEntries(Object.keys(targets).map((name, i) => [name, `t${i + 1}`]));
  return {
    letter: 'h',
    url: server.url,
    base: `${new URL(server.url).origin}/`,
    stop: server.stop,
    async start(page) {
      await page.goto(server.url);
      await settled(page);
      return ids;
    },
  };
}

// A host of files, below a path; targets are given to the tab as a person would give them.
export async function wasmEngine(dist, targets) {
  const folder = readdirSync(targets.cursor).map((name) => [
    `samples/cursor/${name}`,
    join(targets.cursor, name),
  ]);
  const host = await serveStatic(dist, {
    'samples/000012.sst': targets.table,
    ...Object.fromEntries(folder),
  });
  return {
    letter: 'w',
    url: host.url,
    base: host.url,
    stop: host.stop,
    async start(page, names = ['cursor']) {
      await page.goto(host.url);
      await settled(page);
      const ids = {};
      for (const name of names) ids[name] = await openInTab(page, targets[name]);
      return ids;
    },
  };
}

// Chooses a file or a folder on the landing page; resolves with its target.
export async function openInTab(page, path) {
  await page.evaluate(() => {
    location.hash = '#/';
  });
  const input = statSync(path).isDirectory() ? '#folder' : '#files';
  await page.waitForSelector(input, { state: 'attached' });
  await page.setInputFiles(input, path, { timeout: 60_000 }); // Ten thousand files take a while.
  await page.waitForFunction(() => /^#\/w\/t\/[^/]+\/overview/.test(location.hash), null, {
    timeout: 30_000,
  });
  await settled(page);
  return page.evaluate(() => /^#\/w\/t\/([^/]+)/.exec(location.hash)[1]);
}
