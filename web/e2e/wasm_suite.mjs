// SPDX-License-Identifier: Apache-2.0
// The app on the engine in the tab: no server but one for files, and that one gone after the start.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { goTo, openPage, picture, settled, violations, withoutNetwork } from './browser.mjs';
import { databaseSuite } from './database_suite.mjs';
import { openInTab, wasmEngine } from './engines.mjs';
import { pluginsInTab } from './plugins.mjs';
import { newFolder } from './targets.mjs';

export function hasModule(dist) {
  // Not that of SQL, which is always there.
  return readdirSync(join(dist, 'assets')).some((name) => /^varve.*\.wasm$/.test(name));
}

export async function wasmSuite(browser, checks, settings) {
  const { dist, targets } = settings;
  if (!hasModule(dist)) {
    console.log('-- wasm: the app was built without the module');
    return;
  }
  const engine = await wasmEngine(dist, targets);
  try {
    await databaseSuite(browser, checks, engine, { ...settings, name: 'wasm' });
    await checks.in('wasm: drops', () => drops(browser, checks, engine, settings));
    await checks.in('wasm: an address', () => addresses(browser, checks, engine));
    await checks.in('wasm: a link to files', () => links(browser, checks, engine, settings));
    await checks.in('wasm: plugins', () => pluginsInTab(browser, checks, settings));
    await checks.in('wasm: samples', () => samples(browser, checks, engine, settings));
    await checks.in('wasm: without a network from the start', () =>
      offline(browser, checks, engine, settings),
    );
  } finally {
    engine.stop();
  }
}

// Each of the gallery opens, and is read in this tab.
async function samples(browser, checks, engine, { shots }) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(engine.url);
  await settled(page);
  const names = await page.locator('.gallery a').allTextContents();
  checks.that('there are ten', names.length === 10, names.join());
  await picture(page, shots, 'landing-samples');
  for (const [i, name] of names.entries()) {
    await goTo(page, '#/');
    await page.locator('.gallery a').nth(i).click();
    await page.waitForFunction(() => /^#\/w\/t\/[^/]+\/overview/.test(location.hash));
    await settled(page);
    const problems = await page.locator('main [role=alert]').count();
    checks.equal(`${name}: opens without a problem`, problems, 0);
  }
  await goTo(page, '#/?sample=nothing');
  await page.waitForSelector('text=There is no sample');
  checks.equal(
    'no request leaves the origin',
    seen.urls.filter((url) => !url.startsWith(engine.base) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// A drop as the browser makes one: of a file, or of a folder with its entries.
async function drop(page, path, name) {
  const isFolder = statSync(path).isDirectory();
  const files = (
    isFolder
      ? readdirSync(path)
          .map((file) => join(path, file))
          .filter((file) => statSync(file).isFile())
      : [path]
  ).map((file) => ({
    name: isFolder ? file.split('/').at(-1) : name,
    bytes: [...readFileSync(file)],
  }));
  const transfer = await page.evaluateHandle(
    ([given, folder]) => {
      const made = given.map(
        ({ name: called, bytes }) => new File([new Uint8Array(bytes)], called),
      );
      const data = new DataTransfer();
      for (const file of made) data.items.add(file);
      if (!folder) return data;
      // Only a hand can drop a folder: its entry is what the page would be given.
      let left = made.map((file) => ({
        isDirectory: false,
        isFile: true,
        fullPath: `/${folder}/${file.name}`,
        file: (take) => take(file),
      }));
      const entry = {
        isDirectory: true,
        isFile: false,
        createReader: () => ({
          readEntries: (take) => {
            take(left.slice(0, 5));
            left = left.slice(5);
          },
        }),
      };
      const item = { kind: 'file', webkitGetAsEntry: () => entry, getAsFile: () => null };
      Object.defineProperty(data, 'items', { value: [item] });
      return data;
    },
    [files, isFolder ? name : null],
  );
  await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: transfer });
}

async function drops(browser, checks, engine, { targets, shots }) {
  const { page, context, seen } = await openPage(browser);
  const show = async (path, name, words) => {
    await page.goto(engine.url);
    await settled(page);
    await drop(page, path, name);
    await page.waitForFunction(() => location.hash.includes('/overview'), null, {
      timeout: 20_000,
    });
    await settled(page);
    const text = await page.textContent('main');
    for (const word of words)
      checks.that(`${name}: says "${word}"`, text.includes(word), text.slice(0, 300));
    await page.evaluate(() => {
      location.hash = '';
    });
  };
  await show(targets.cursor, 'cursor', ['MANIFEST-000005', 'Shape of default', '58.5 KiB']);
  await show(targets.table, 'holiday.jpg', ['a table file', 'holiday.jpg']); // What counts is what is in it.
  await show(targets.manifest, 'MANIFEST-000003', ['a MANIFEST']);
  await show(targets.wal, '000004.log', ['a log']);
  await show(targets.damaged, 'damaged.sst', ['a table file']);
  await show(targets.cuckoo, 'cuckoo.sst', ['cuckoo.sst']);
  await show(targets.text, 'c.sst', ['something unknown']);
  await picture(page, shots, 'wasm-dropped');
  checks.equal('axe', await violations(page), []);
  checks.equal(
    'nothing was sent',
    seen.urls.filter((url) => !url.startsWith(engine.base) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function addresses(browser, checks, engine) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(engine.url);
  await settled(page);
  const ask = async (address) => {
    await page.fill('[aria-label="address of a file on this host"]', address);
    await page.keyboard.press('Enter');
  };
  await ask('https://example.com/000012.sst');
  await page.waitForSelector('text=another_origin');
  await ask('samples/none.sst');
  await page.waitForSelector('text=not_there');
  await ask('samples/000012.sst');
  await page.waitForFunction(() => location.hash.includes('/overview'), null, { timeout: 20_000 });
  await settled(page);
  checks.that('shows it', (await page.textContent('main')).includes('000012.sst'));
  checks.equal(
    'nobody else was asked',
    seen.urls.filter((url) => !url.startsWith(engine.base) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function links(browser, checks, engine, { targets }) {
  const { page, context, seen } = await openPage(browser);
  const show = async (open, words) => {
    await page.goto('about:blank');
    await page.goto(`${engine.url}#/?open=${open}`);
    await page.waitForFunction(() => location.hash.includes('/overview'), null, {
      timeout: 20_000,
    });
    await settled(page);
    const text = await page.textContent('#main');
    for (const word of words)
      checks.that(`${open}: says "${word}"`, text.includes(word), text.slice(0, 300));
  };
  const names = readdirSync(targets.cursor).filter((name) =>
    statSync(join(targets.cursor, name)).isFile(),
  );
  await show('samples/000012.sst', ['000012.sst', 'a table file']);
  await show(`samples/cursor/${names.join(',')}`, [
    'MANIFEST-000005',
    'Shape of default',
    'cursor',
  ]);
  await page.goto('about:blank');
  await page.goto(`${engine.url}#/?open=https://example.com/000012.sst`);
  await page.waitForSelector('text=another_origin');
  checks.equal(
    'nobody else was asked',
    seen.urls.filter((url) => !url.startsWith(engine.base) && !/^(data|blob|about):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// The service worker has kept the app, the worker and the module.
async function offline(browser, checks, engine, { targets }) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(engine.url);
  await withoutNetwork(page, context);
  await page.reload();
  await settled(page);
  const id = await openInTab(page, targets.table);
  await goTo(page, `#/w/t/${id}/file/0`);
  checks.that('reads a file', (await page.textContent('main')).includes('300 entries'));
  checks.equal('no error', seen.errors, []);
  await context.close();
}

const kFirstView = 1000; // Milliseconds from the file's choice to its first view.

// Read in place: the footer and the index, whatever the size. Its job shows progress and ends when
// it is told to, while the page stays alive.
export async function gigabyte(browser, checks, engine, { varve, shots }) {
  const db = join(newFolder(), 'large');
  execFileSync(
    varve,
    [
      'bench',
      'run',
      'fillseq',
      '--db',
      db,
      '--num',
      '1M',
      '--value-size',
      '1000',
      '--durability',
      'none',
      '-q',
      '--option',
      'write_buffer_size=2147483647',
      '--option',
      'compression=none',
    ],
    { stdio: 'ignore' },
  );
  const path = join(
    db,
    readdirSync(db).find((name) => name.endsWith('.sst')),
  );
  const size = statSync(path).size;
  checks.that('it is that large', size > 1_000_000_000, String(size));

  const { page, context, seen } = await openPage(browser);
  await page.goto(engine.url);
  await settled(page);
  await openInTab(page, path); // Once, so that the engine is there.
  await page.evaluate(() => {
    location.hash = '#/';
  });
  await page.waitForSelector('#files', { state: 'attached' });
  // From the moment that the page has the file until something of it is drawn.
  await page.evaluate(() => {
    document.querySelector('#files').addEventListener(
      'change',
      () => {
        window.began = performance.now();
      },
      true,
    );
    new MutationObserver(() => {
      if (
        window.began &&
        !window.shown &&
        document.querySelector('main h1')?.textContent.endsWith('.sst') &&
        !document.querySelector('main .loading')
      )
        window.shown = performance.now();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.setInputFiles('#files', path);
  await page.waitForFunction(() => window.shown);
  const took = await page.evaluate(() => window.shown - window.began);
  console.log(`   ${(size / 2 ** 30).toFixed(2)} GiB: first view after ${took.toFixed(0)} ms`);
  checks.that('first view within a second', took < kFirstView, `${took.toFixed(0)} ms`);
  await goTo(page, `#/w/t/t2/file/${parseInt(basename(path), 10)}`);
  checks.that(
    'says how many entries',
    (await page.textContent('main')).includes('1\u202f000\u202f000 entries'),
    (await page.textContent('main')).slice(0, 300),
  );
  await picture(page, shots, 'wasm-gigabyte');

  await goTo(page, '#/w/t/t2/findings');
  await page.click('main button:has-text("Verify")');
  const done = () => page.evaluate(() => document.querySelector('.status progress')?.value ?? 0);
  await page.waitForFunction(
    () => (document.querySelector('.status progress')?.value ?? 0) > 0,
    null,
    { timeout: 20_000 },
  );
  const early = await done();
  await page.waitForFunction(
    (then) => (document.querySelector('.status progress')?.value ?? 0) > then,
    early,
    { timeout: 20_000 },
  );
  await goTo(page, '#/w/t/t2/data'); // The engine answers in between.
  checks.that(
    'answers while it works',
    (await page.textContent('main')).includes('so far'),
    (await page.textContent('main')).slice(0, 200),
  );
  await goTo(page, '#/w/t/t2/findings');
  await picture(page, shots, 'wasm-verifying');
  await page.click('main button:has-text("Cancel")');
  await page.waitForSelector('main h2:has-text("cancelled")', { timeout: 10_000 });
  await page.waitForSelector('.status progress', { state: 'detached' });
  checks.equal('no error', seen.errors, []);
  await context.close();
}
