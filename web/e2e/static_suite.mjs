// SPDX-License-Identifier: Apache-2.0
// web/dist from a host that knows nothing but files.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openPage, picture, settled, violations } from './browser.mjs';
import { serveStatic } from './servers.mjs';
import { newFolder } from './targets.mjs';
import { hasModule } from './wasm_suite.mjs';

const kBudget = 130 * 1024; // Of scripts before the first page is shown, gzipped.

export async function staticSuite(browser, checks, settings) {
  const host = await serveStatic(settings.dist);
  try {
    await checks.in('static: first load', async () => {
      const { page, context, seen } = await openPage(browser);
      await page.goto(host.url);
      await settled(page);
      checks.that(
        'shows the landing page',
        (await page.textContent('main')).includes('Drop a table file'),
      );
      const scripts = seen.urls
        .filter((url) => url.endsWith('.js'))
        .map((url) => url.split('/').at(-1));
      const packed = scripts.reduce(
        (sum, name) => sum + gzipSync(readFileSync(join(settings.dist, 'assets', name))).length,
        0,
      );
      checks.that('is within its budget', packed > 0 && packed < kBudget, `${packed} bytes`);
      console.log(
        `   first load: ${scripts.length} scripts, ${(packed / 1024).toFixed(0)} KiB gzipped`,
      );
      checks.equal(
        'asks its own folder only',
        seen.urls.filter((url) => !url.startsWith(host.url)),
        [],
      );
      checks.equal('no error', seen.errors, []);
      checks.equal('axe', await violations(page), []);
      for (const theme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: theme });
        await settled(page);
        await picture(page, settings.shots, `landing-${theme}`);
      }
      checks.equal('axe, in the dark', await violations(page, { onlyColours: true }), []);
      await context.close();
    });
    // Where the module is, what is dropped is opened (wasm_suite.mjs); without it, it is recognised.
    if (!hasModule(settings.dist))
      await checks.in('static: drop', async () => {
        const { page, context, seen } = await openPage(browser);
        await page.goto(host.url);
        const drop = async (name, bytes) => {
          const transfer = await page.evaluateHandle(
            ([n, b]) => {
              const data = new DataTransfer();
              data.items.add(new File([new Uint8Array(b)], n));
              return data;
            },
            [name, [...bytes]],
          );
          await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: transfer });
        };
        // Names that mislead: what counts is what is in the file.
        await drop(
          'holiday.jpg',
          readFileSync(join(settings.fixtures, 'sst/r119_comp_zstd_fv7.sst')),
        );
        await page.waitForSelector('text=a table file of RocksDB');
        await drop(
          'a.txt',
          readFileSync(join(settings.fixtures, 'db/rocksdb-7.8.3/cursor/MANIFEST-000005')),
        );
        await page.waitForSelector('text=a MANIFEST');
        await drop(
          'b.sst',
          readFileSync(join(settings.fixtures, 'db/rocksdb-7.8.3/wal_basic/000004.log')),
        );
        await page.waitForSelector('text=a write-ahead log');
        await drop('c.sst', Buffer.from('just some text that is no database at all'));
        await page.waitForSelector('text=no format that Varve reads');
        await picture(page, settings.shots, 'landing-dropped');
        checks.equal('axe', await violations(page), []);
        checks.that(
          'nothing was sent',
          seen.urls.every((url) => url.startsWith(host.url)),
        );
        await context.close();
      });
    await checks.in('static: built without the engine', () => withoutEngine(browser, checks));
    await checks.in('static: without a network', async () => {
      const { page, context, seen } = await openPage(browser);
      await page.goto(host.url);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await context.setOffline(true);
      await page.reload();
      await settled(page);
      await page.evaluate(() => {
        location.hash = '#/bench';
      });
      await page.waitForSelector('text=varve bench compare');
      checks.that(
        'loads pages that were never shown before',
        (await page.textContent('h1')) === 'Bench',
      );
      checks.equal('no error', seen.errors, []);
      await context.close();
    });
    await checks.in('static: names of files have no host in them', async () => {
      const texts = readdirSync(join(settings.dist, 'assets'))
        .filter((name) => name.endsWith('.css'))
        .map((name) => readFileSync(join(settings.dist, 'assets', name), 'utf8'));
      checks.that(
        'no style asks another host',
        texts.every((text) => !/url\(\s*["']?https?:/.test(text)),
      );
    });
  } finally {
    host.stop();
  }
}

// The app from its sources where no module was built: it says so, and does the rest.
async function withoutEngine(browser, checks) {
  const root = join(import.meta.dirname, '../..');
  const web = join(newFolder(), 'web');
  mkdirSync(web);
  const all = ['src', 'public', 'plugins', 'tools', 'index.html', 'package.json'];
  for (const name of [...all, 'tsconfig.json', 'vite.config.ts'])
    cpSync(join(root, 'web', name), join(web, name), { recursive: true });
  symlinkSync(join(root, 'web/node_modules'), join(web, 'node_modules'));
  symlinkSync(join(root, 'tests'), join(web, '../tests'));
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {
    cwd: web,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const dist = join(web, 'dist');
  checks.that('it has no module', !hasModule(dist));
  const host = await serveStatic(dist);
  const { page, context, seen } = await openPage(browser);
  try {
    await page.goto(host.url);
    await settled(page);
    checks.that('shows the landing page', (await page.textContent('main')).length > 100);
    checks.equal('no error', seen.errors, []);
  } finally {
    host.stop();
    await context.close();
  }
}
