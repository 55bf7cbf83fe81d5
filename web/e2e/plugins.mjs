// SPDX-License-Identifier: Apache-2.0
// Plugins: those that come with the app, one of a file, and ones that mean harm, on either engine.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyLook, goTo, openPage, overflow, picture, settled, violations } from './browser.mjs';
import { openInTab } from './engines.mjs';
import { serveStatic, startServer } from './servers.mjs';
import { newFolder } from './targets.mjs';

// Keys that are tuples ("user", number), values that are MessagePack; one value of each that is not.
function madeDatabase(varve) {
  const db = join(newFolder(), 'packed');
  const key = (n) => `hex:027573657200${n === 0 ? '14' : `15${hex(n)}`}`;
  const hex = (n) => n.toString(16).padStart(2, '0');
  const text = (word) => `${hex(0xa0 + word.length)}${Buffer.from(word).toString('hex')}`;
  const value = (n) => `hex:82${text('name')}${text(`n${n}`)}${text('age')}${hex(n)}`;
  const words = (k, v, ...more) => execFileSync(varve, ['put', db, k, v, ...more]);
  words(key(0), value(0), '--create');
  for (let n = 1; n < 6; n += 1) words(key(n), value(n));
  words('plain', 'hex:c1');
  return db;
}

const plugin = (name, body) =>
  `export default { name: '${name}', title: 'Plugin ${name}', ${body} };`;

// What each tries, and what the page must say instead.
const kHostile = {
  hangs: { body: 'value: { decode() { for (;;); } }', says: 'it took too long for one value' },
  grows: {
    body: 'value: { decode() { const all = []; for (;;) all.push("x".repeat(1e6) + all.length); } }',
    says: /out of memory|took too long|did not come back/,
  },
  throws: { body: "value: { decode() { throw new Error('on purpose'); } }", cell: 'on purpose' },
  huge: { body: "value: { decode() { return 'x'.repeat(3e6); } }", cell: 'more than' },
  markup: {
    body: `value: { decode() { return '<img src=x onerror="document.title=1"><script>document.title=2</' + 'script>'; } }`,
    cell: '<img src=x',
  },
  network: {
    body: `value: { decode() {
      const tried = [];
      for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'importScripts', 'Worker'])
        tried.push(typeof globalThis[name]);
      return tried.join();
    } }`,
    cell: 'undefined,undefined,undefined,undefined,undefined,undefined',
  },
  parent: {
    body: `value: { decode() {
      return [typeof window, typeof parent, typeof self, typeof document, typeof localStorage, typeof postMessage].join();
    } }`,
    cell: 'undefined,undefined,undefined,undefined,undefined,undefined',
  },
};
const kHostileViews = {
  elsewhere: {
    draw: `const says = [];
      for (const path of ['/../t2', '/../../../plugins', '/%2e%2e/%2e%2e/', '//evil.example/x', 'https://evil.example/', '/..\\\\..', '/jobs', '/cfs/default'])
        says.push([path, await ask(path).then((d) => d.schema, (e) => e.message)]);
      return [{ facts: says }];`,
    says: ['is not below the target', 'varve.cf/1'],
    hasNot: ['varve.root/1', 'varve.plugins/1'],
  },
  flood: { draw: 'for (;;) ask("/");', says: ['it asked more than 2000 times'] },
  forever: { draw: 'await new Promise(() => {});', says: ['its view waits for nothing'] },
  rows: {
    draw: 'return [{ title: "t", table: { columns: ["a"], rows: Array(30000).fill([1]) } }];',
    says: ['more than 20000 rows'],
  },
  html: { draw: 'return [{ html: "<b>x</b>" }];', says: ['is none that the page can draw'] },
};

const addText = async (page, name, text) => {
  await page.setInputFiles('#plugin-file', {
    name: `${name}.js`,
    mimeType: 'text/javascript',
    buffer: Buffer.from(text),
  });
};

// `engine`: 'h' or 'w'.
async function story(
  browser,
  checks,
  { page, context, seen },
  { engine, target, shots, origin, table },
) {
  const at = (rest) => `#/${engine}/t/${target}/${rest}`;
  const look = (name) =>
    everyLook(page, checks, { shots, name, file: `plugins-${engine}-${name}` });
  await goTo(page, at('data'));
  checks.equal(
    'without plugins nothing is to be chosen',
    await page.locator('[aria-label="read values by"]').count(),
    0,
  );
  await goTo(page, at('plugins'));
  for (const title of ['MessagePack', 'Tuples', 'Value sizes']) {
    await page.click(`button[aria-label="add ${title}"]`);
    await page.waitForSelector(`[role=status]:has-text("${title} was added")`);
  }
  if (engine === 'h') await look('page'); // It is the same on both.
  await page.reload();
  await settled(page);
  if (engine === 'w') return; // What was open in the tab is gone: another story.
  await goTo(page, at('data'));
  await page.selectOption('[aria-label="read keys by"]', 'tuple');
  await page.selectOption('[aria-label="read values by"]', 'msgpack');
  await page.waitForSelector('main [role=gridcell]:has-text("[\\"user\\",3]")');
  await page.waitForSelector('main [role=gridcell]:has-text("{\\"name\\":\\"n5\\",\\"age\\":5}")');
  checks.that('they are in the link', page.url().includes('keys=tuple&values=msgpack'), page.url());
  checks.that(
    'what is none is said to be none',
    (await page.textContent('main [aria-label=records]')).includes('no object begins with 0xc1'),
  );
  await page.click('main [role=row]:has-text("[\\"user\\",3]")');
  const record = await page.waitForSelector('main [aria-label="selected record"]');
  const text = await record.textContent();
  checks.that('the record says it whole', text.includes('"age": 3'), text);
  await look('data');
  for (const place of [`file/${table}?tab=entries&`, `block/${table}/0?`]) {
    await goTo(page, at(`${place}keys=tuple&values=msgpack`));
    await page.waitForSelector('main [role=gridcell]:has-text("[\\"user\\",")');
    await page.waitForSelector('main [role=gridcell]:has-text("{\\"name\\":")');
    checks.that(`${place} fits`, (await overflow(page)) <= 1);
    checks.equal(`axe, ${place}`, await violations(page), []);
    await picture(page, shots, `plugins-${place.split('/')[0]}`);
  }
  await goTo(page, at('plugin/value_sizes?letters=5'));
  await page.waitForSelector('main h2:has-text("Records by bytes of the value")');
  checks.that(
    'the view has all records',
    /records looked at\s*7/.test(await page.textContent('main')),
    (await page.textContent('main')).slice(0, 400),
  );
  await look('view');
  checks.equal('no error', seen.errors, []);
  checks.equal(
    'no request leaves the origin',
    seen.urls.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url)),
    [],
  );
  await context.close();
}

async function hostile(checks, { page, context, seen }, { engine, target, shots, origin }) {
  const at = (rest) => `#/${engine}/t/${target}/${rest}`;
  await goTo(page, at('plugins'));
  for (const [name, { body }] of Object.entries(kHostile)) {
    await addText(page, name, plugin(name, body));
    await page.waitForSelector(`[role=status]:has-text("Plugin ${name} was added")`);
  }
  for (const [name, { draw }] of Object.entries(kHostileViews)) {
    const body = `view: { async draw({ ask }) { ${draw} } }`;
    await addText(page, name, plugin(name, body));
    await page.waitForSelector(`[role=status]:has-text("Plugin ${name} was added")`);
  }
  for (const [text, why] of [
    ['for (;;);', 'it took too long to load'],
    ['export default {', 'was not added'],
    ['export default 1', 'its default export is no object'],
    [plugin('Bad Name', 'value: { decode() {} }'), 'its name is not'],
    ["import 'https://evil.example/x.js'", 'was not added'],
    [`export default ${JSON.stringify('x'.repeat(1.2e6))}`, 'it is larger than'],
  ]) {
    await addText(page, 'refused', text);
    await page.waitForSelector(`[role=alert]:has-text("${why}")`, { timeout: 20_000 });
  }
  const title = await page.title();
  for (const [name, { says, cell }] of Object.entries(kHostile)) {
    await goTo(page, at(`data?values=${name}`));
    if (says !== undefined) {
      // Memory may be at its end before the time is: then it is the value's failure.
      const told = await page.waitForSelector(
        `[role=alert]:has-text("Plugin ${name} was ended"), main [role=gridcell]:has-text("out of memory")`,
        { timeout: 20_000 },
      );
      const text = await told.textContent();
      checks.that(
        `${name}: says why`,
        says instanceof RegExp ? says.test(text) : text.includes(says),
        text,
      );
    } else await page.waitForSelector(`main [role=gridcell]:has-text(${JSON.stringify(cell)})`);
    checks.equal(
      `${name}: the records are there all the same`,
      await page.locator('main [role=gridcell]:has(:text-is("plain"))').count(),
      1,
    );
    checks.equal(
      `${name}: nothing of it is in the page`,
      await page.locator('main img').count(),
      0,
    );
    if (name === 'hangs') await picture(page, shots, `plugins-${engine}-hangs`);
  }
  checks.that('the title is ours', !/^[12]$/.test(await page.title()), title);
  for (const [name, { says, hasNot = [] }] of Object.entries(kHostileViews)) {
    await goTo(page, at(`plugin/${name}`));
    for (const word of says)
      await page.waitForSelector(`main :text(${JSON.stringify(word)})`, { timeout: 30_000 });
    const text = await page.textContent('main');
    for (const word of hasNot) checks.that(`${name}: has no ${word}`, !text.includes(word), text);
  }
  await goTo(page, at('data'));
  checks.that('the page lives', (await page.textContent('main')).includes('plain'));
  checks.equal('no error', seen.errors, []);
  checks.equal(
    'no request leaves the origin',
    seen.urls.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url)),
    [],
  );
  await context.close();
}

export async function pluginsServed(browser, checks, { varve, shots }) {
  const folder = newFolder();
  writeFileSync(join(folder, 'len.js'), plugin('len', 'value: { decode: (v) => v.length }'));
  writeFileSync(join(folder, 'broken.js'), 'export default {');
  writeFileSync(join(folder, 'binary.js'), Buffer.from([0xff, 0xfe]));
  writeFileSync(join(folder, 'notes.txt'), 'no plugin');
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  const db = madeDatabase(varve);
  const server = await startServer(varve, ['serve', db, '--plugins', folder, ...asRoot]);
  try {
    const { page, context, seen } = await openPage(browser);
    await page.goto(server.url);
    await settled(page);
    await goTo(page, '#/h/t/t1/plugins');
    await page.waitForSelector('main :text("of the server: len.js")');
    const text = await page.textContent('main');
    for (const word of ['broken.js', 'is not UTF-8'])
      checks.that(`says ${word}`, text.includes(word), text);
    checks.that('other files are none', !text.includes('notes.txt'));
    await picture(page, shots, 'plugins-served');
    checks.equal('axe', await violations(page), []);
    await goTo(page, '#/h/t/t1/data?values=len');
    await page.waitForSelector('main [role=gridcell] :text-is("1")');
    checks.equal('no error', seen.errors, []);
    await context.close();
  } finally {
    server.stop();
  }
}

export async function pluginsOverHttp(browser, checks, { varve, shots }) {
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  const db = madeDatabase(varve);
  const table = parseInt(
    readdirSync(db).find((name) => name.endsWith('.sst')),
    10,
  );
  const server = await startServer(varve, ['serve', db, ...asRoot]);
  try {
    for (const tell of [story, null]) {
      const opened = await openPage(browser);
      await opened.page.goto(server.url);
      await settled(opened.page);
      const { origin } = new URL(server.url);
      const where = { engine: 'h', target: 't1', shots, origin, table };
      if (tell) await tell(browser, checks, opened, where);
      else await hostile(checks, opened, where);
    }
  } finally {
    server.stop();
  }
}

export async function pluginsInTab(browser, checks, { varve, dist, shots }) {
  const host = await serveStatic(dist);
  const db = madeDatabase(varve);
  try {
    const opened = await openPage(browser);
    const { page, context, seen } = opened;
    await page.goto(host.url);
    await settled(page);
    let target = await openInTab(page, db);
    await story(browser, checks, opened, { engine: 'w', target, shots });
    target = await openInTab(page, db); // The plugins are kept, the database is not.
    await goTo(page, `#/w/t/${target}/data?keys=tuple&values=msgpack`);
    await page.waitForSelector('main [role=gridcell]:has-text("[\\"user\\",3]")');
    await page.waitForSelector('main [role=gridcell]:has-text("\\"age\\":5")');
    await goTo(page, `#/w/t/${target}/plugin/value_sizes`);
    await page.waitForSelector('main h2:has-text("Bytes of values by prefix")');
    checks.equal('no error', seen.errors, []);
    await context.close();

    const other = await openPage(browser);
    await other.page.goto(host.url);
    await settled(other.page);
    const where = { engine: 'w', target: await openInTab(other.page, db), shots, origin: host.url };
    await hostile(checks, other, where);
  } finally {
    host.stop();
  }
}
