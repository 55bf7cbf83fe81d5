// SPDX-License-Identifier: Apache-2.0
// web/dist from a host that knows nothing but files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openPage, settled, violations } from './browser.mjs';
import { serveStatic } from './servers.mjs';

const kBudget = 300 * 1024; // Of scripts before the first page is shown, gzipped.

export async function staticSuite(browser, checks, settings) {
  const host = await serveStatic(settings.dist);
  try {
    await checks.in('static: first load', async () => {
      const { page, context, seen } = await openPage(browser);
      await page.goto(host.url);
      await settled(page);
      checks.that('shows the landing page', (await page.textContent('main')).includes('Drop a table file'));
      const scripts = seen.urls.filter((url) => url.endsWith('.js')).map((url) => url.split('/').at(-1));
      const packed = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(settings.dist, 'assets', name))).length, 0);
      checks.that('is within its budget', packed > 0 && packed < kBudget, `${packed} bytes`);
      console.log(`   first load: ${scripts.length} scripts, ${(packed / 1024).toFixed(0)} KiB gzipped`);
      checks.equal('asks its own folder only', seen.urls.filter((url) => !url.startsWith(host.url)), []);
      checks.equal('no error', seen.errors, []);
      checks.equal('axe', await violations(page), []);
      await context.close();
    });
    await checks.in('static: without a network', async () => {
      const { page, context, seen } = await openPage(browser);
      await page.goto(host.url);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await context.setOffline(true);
      await page.reload();
      await settled(page);
      await page.evaluate(() => { location.hash = '#/bench'; });
      await page.waitForSelector('text=varve bench compare');
      checks.that('loads pages that were never shown before', (await page.textContent('h1')) === 'Bench');
      checks.equal('no error', seen.errors, []);
      await context.close();
    });
    await checks.in('static: names of files have no host in them', async () => {
      const texts = readdirSync(join(settings.dist, 'assets')).filter((name) => name.endsWith('.css')).map((name) => readFileSync(join(settings.dist, 'assets', name), 'utf8'));
      checks.that('no style asks another host', texts.every((text) => !/url\(\s*["']?https?:/.test(text)));
    });
  } finally {
    host.stop();
  }
}
