// SPDX-License-Identifier: Apache-2.0
// What hands do with a view on either engine: sort, go back, copy, save.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goTo, openPage, picture, settled, violations } from './browser.mjs';
import { changedNumbers, formats, unsaid, unsaidBare } from './numbers.mjs';
import { newFolder } from './targets.mjs';
import { kDatabaseViews, linkOf } from './views.mjs';

export async function handsSuite(run) {
  await run('sorted by keys', sorted);
  await run('the way back', wayBack);
  await run('copies of a key', copies);
  await run('saved views', savedViews);
  await run('kept by the browser', kept);
  await run('numbers', numbers);
}

// Tab reaches the headers once, arrows choose one, Enter sorts; the focus stays.
async function sorted(browser, checks, engine) {
  const { page, context } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/files`);
  await page.focus('main [role=grid]');
  await page.keyboard.press('Tab');
  const at = () => page.evaluate(() => document.activeElement?.textContent);
  checks.equal('Tab reaches the first header', await at(), 'level');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  checks.equal('arrows choose another', await at(), 'size');
  await page.keyboard.press('Enter');
  checks.equal('Enter sorts, the focus stays', await at(), 'size ▼');
  await page.keyboard.press('Enter');
  checks.equal('and the other way', await at(), 'size ▲');
  const hash = await page.evaluate(() => location.hash);
  checks.that('no row was opened', hash.endsWith('/files'), hash);
  await context.close();
}

// What was in sight and selected is so again.
async function wayBack(browser, checks, engine) {
  const { page, context } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/data`);
  const place = () => page.evaluate(() => document.querySelector('main .grid').scrollTop);
  await page.evaluate(() => {
    document.querySelector('main .grid').scrollTop = 5600;
  });
  await page.click('main [role=row]:has-text("key000205")');
  const [before, link] = [await place(), page.url()];
  await page.click('main .record >> text=explain');
  await page.waitForURL(/explain/);
  await settled(page);
  await page.goBack();
  await page.waitForFunction(
    (wanted) => document.querySelector('main .grid')?.scrollTop === wanted,
    before,
  );
  checks.that('was not at the top', before > 5000, `${before}`);
  checks.equal('the selection is in the link', page.url(), link);
  await page.waitForSelector('main [role=row][aria-selected=true]:has-text("key000205")');
  await page.click('nav >> text=Files');
  await page.waitForSelector('[aria-label="table files"]');
  await page.click('nav >> text=Data');
  await page.waitForSelector('[role=grid][aria-label=records]');
  await settled(page);
  checks.equal('a new visit begins at the top', await place(), 0);
  await context.close();
}

async function copies(browser, checks, engine) {
  const { page, context } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/data`);
  await page.click('main [role=row]:has-text("key000000")');
  for (const [form, text] of [
    ['text', 'key000000'],
    ['hex', '6b6579303030303030'],
    ['base64', 'a2V5MDAwMDAw'],
    ['literal', 'key000000'],
  ]) {
    await page.click('.record [aria-label="copy: the key, in several forms"]');
    await page.click(`[role=menuitem]:has-text("as ${form}")`);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    checks.equal(`as ${form}`, copied, text);
  }
  await goTo(page, `#/${engine.letter}/t/${cursor}/files`);
  const [downloaded] = await Promise.all([
    page.waitForEvent('download'),
    page.click('[aria-label="JSON of files"]'),
  ]);
  const rows = JSON.parse(readFileSync(await downloaded.path(), 'utf8'));
  checks.equal('a table as JSON', rows.length, 8);
  checks.that(
    'with whole numbers',
    rows.every((row) => Number.isInteger(row.size)),
  );
  await context.close();
}

// As a page and as pictures that show the same without the app, and ask nobody for anything.
async function savedViews(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, `#/${engine.letter}/t/${cursor}/lsm?view=map`);
  const folder = newFolder();
  const save = async (label) => {
    await page.click('[aria-label="… this view"]');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`[role=menuitem]:has-text("${label}")`),
    ]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  const html = await save('Save as a page');
  const svg = await save('Save as SVG');
  const png = await save('Save as PNG');
  await goTo(page, `#/${engine.letter}/t/${cursor}/data`);
  const data = await save('Save as a page');
  const alone = await openPage(browser, { offline: true });
  for (const [path, words] of [
    [html, ['8 files', 'Levels', 'varve lsm show']],
    [svg, ['8 files', 'Levels']],
    [data, ['key000000', 'key000300']], // Rows that were not in sight.
  ]) {
    await alone.page.goto(`file://${path}`);
    const text = await alone.page.evaluate(() => document.documentElement.textContent);
    for (const word of words)
      checks.that(`${path.split('/').at(-1)} says "${word}"`, text.includes(word));
  }
  await alone.page.goto(`file://${html}`);
  const drawn = await alone.page.$$eval('img', (all) => all.map((one) => one.naturalWidth));
  checks.that('the map is a picture', drawn.length === 1 && drawn[0] > 500, drawn.join());
  await picture(alone.page, shots, `${name}-saved-page`);
  checks.equal('axe', await violations(alone.page), []);
  checks.equal(
    'asks for nothing',
    alone.seen.urls.filter((url) => !/^(file|data):/.test(url)),
    [],
  );
  checks.that('the PNG is one', readFileSync(png).subarray(1, 4).toString() === 'PNG');
  checks.equal('no error', [...seen.errors, ...alone.seen.errors], []);
  await alone.context.close();
  await context.close();
}

// A view under a name of one's own, found on the first page; so is what was open.
async function kept(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  const view = `#/${engine.letter}/t/${cursor}/lsm?axis=bytes&sel=30`;
  await goTo(page, view);
  await page.click('[aria-label="… this view"]');
  await page.click('[role=menuitem]:has-text("Name this view")');
  await page.fill('[role=dialog] input', 'where file 30 lies');
  await page.waitForSelector('[role=menu]', { state: 'detached' }); // It fades.
  checks.equal('the dialog: axe', await violations(page), []);
  await page.keyboard.press('Enter');
  await page.click('nav >> text=Open');
  await page.waitForSelector('#recent');
  await settled(page);
  checks.that('what was open', (await page.textContent('main')).includes('Recent'));
  checks.equal('axe', await violations(page), []);
  await picture(page, shots, `${name}-kept`, { fullPage: true });
  await page.click('a:has-text("where file 30 lies")');
  await settled(page);
  checks.equal('leads there', await page.evaluate(() => location.hash), view);
  await page.click('nav >> text=Open');
  await page.click('[aria-label="forget where file 30 lies"]');
  await page.click('button:has-text("Clear")');
  await page.waitForSelector('#recent', { state: 'detached' });
  checks.equal('is forgotten', await page.locator('#views').count(), 0);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Amounts and bare numbers on every view are what the API has said for it, added up or rounded.
async function numbers(browser, checks, engine, { dist }) {
  if (engine.letter === 'w') return; // Its replies do not pass the network.
  const format = await formats(join(dist, '..'));
  const { page, context } = await openPage(browser, { serviceWorkers: 'block' });
  let replies = [];
  page.on('response', (response) => {
    if (/json/.test(response.headers()['content-type'] ?? ''))
      replies.push(response.json().catch(() => null));
  });
  const { cursor } = await engine.start(page, ['cursor']);
  const noticed = { changed: 0, of: 0 };
  for (const view of kDatabaseViews) {
    const link = linkOf(view, engine.letter, cursor);
    await page.goto('about:blank');
    replies = []; // A view is held against its own replies.
    await page.goto(`${engine.base}${link}`);
    await settled(page);
    const text = await page.evaluate(() => document.querySelector('main').innerText);
    const said = await Promise.all(replies);
    checks.equal(`${view.name} shows amounts that were said`, unsaid(text, said, format), []);
    checks.equal(
      `${view.name} shows numbers that were said`,
      unsaidBare(text, said, link, format),
      [],
    );
    const others = changedNumbers(text, format);
    noticed.of += others.length;
    noticed.changed += others.filter(
      (one) => unsaidBare(one, said, link, format).length > 0,
    ).length;
  }
  checks.that('there are numbers enough', noticed.of > 100, noticed.of);
  checks.that(
    'of changed numbers, 19 in 20 are noticed',
    noticed.changed >= 0.95 * noticed.of,
    `${noticed.changed} of ${noticed.of}`,
  );
  await context.close();
}
