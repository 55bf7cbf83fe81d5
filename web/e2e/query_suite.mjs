// SPDX-License-Identifier: Apache-2.0
// What is inside, asked by SQL and saved for other programs, whichever engine reads it (database_suite.mjs).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goTo, openPage, picture, settled, violations } from './browser.mjs';
import { newFolder } from './targets.mjs';

export async function querySuite(run) {
  await run('SQL', sqlStory);
  await run('SQL, stopped', stopped);
  await run('SQL of a file alone', ofFiles);
}

const linkTo = (engine, target, query) =>
  `#/${engine.letter}/t/${target}/query?${new URLSearchParams(query)}`;

// The rows of a grid as text.
const rowsOf = (page, label = 'answer') =>
  page.$$eval(`[aria-label="${label}"] .grid-body [role=row]`, (rows) =>
    rows.map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)),
  );

async function ask(page, sql) {
  await page.fill('textarea', sql);
  await page.press('textarea', 'Control+Enter');
}

const answered = (page, words) => page.waitForSelector(`main section:has-text("${words}")`);

// From an example over an own statement and a facet to a saved file; every step is a link.
async function sqlStory(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  await goTo(page, linkTo(engine, cursor, { table: 'levels' }));
  await page.click('text=The factor from each level to the one before');
  await answered(page, 'of levels (');
  checks.that('the example is in the link', decodeURIComponent(page.url()).includes('lag(bytes)'));

  await ask(page, 'SELECT type, count(*) AS n, max(seq) AS newest FROM entries GROUP BY type');
  await answered(page, 'of entries (');
  const types = await rowsOf(page);
  checks.that(
    'entries by type',
    types.some(([type]) => type === 'put'),
    JSON.stringify(types),
  );
  const sum = types.reduce((all, [, n]) => all + Number(n), 0);

  // What a reader sees is what the reports count.
  await ask(page, 'SELECT count(*) AS n, min(key) AS first FROM records');
  await answered(page, 'of records (');
  const [[records, first]] = await rowsOf(page);
  checks.equal('the first key', first, 'key000000');
  checks.that(
    'no record without an entry',
    Number(records) > 500 && Number(records) <= sum,
    records,
  );

  await ask(page, 'SELECT * FROM records JOIN files ON key BETWEEN smallest AND largest');
  await answered(page, 'files (8 rows)');

  await page.getByLabel('rows of each table').fill('100');
  await ask(page, 'SELECT substr(key, 1, 8) AS start, value_bytes FROM records');
  await answered(page, 'About a part: of records, the first 100 rows');
  await page.click('[aria-label="counts by value"] >> text=start');
  await answered(page, 'Counts by start');
  await page.waitForSelector('[aria-label="counts by start"] .grid-body [role=row]');
  const counts = await rowsOf(page, 'counts by start');
  checks.equal(
    'a facet counts all rows',
    counts.reduce((all, [, n]) => all + Number(n), 0),
    100,
  );
  checks.equal('axe', await violations(page), []);
  await page.click('[aria-label="counts by start"] .grid-body [role=row]');
  await page.waitForFunction(
    (n) =>
      document.querySelector('[aria-label=answer]')?.getAttribute('aria-rowcount') ===
      String(Number(n) + 1),
    counts[0][1],
  );
  checks.that(
    'and narrows the statement',
    (await page.inputValue('textarea')).endsWith(`WHERE "start" IS '${counts[0][0]}'`),
  );
  await page.goBack();
  await answered(page, 'Counts by start');

  const saving = page.waitForEvent('download');
  await page.click('[aria-label="JSON of query"]');
  const file = join(newFolder(), 'query.json');
  await (await saving).saveAs(file);
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  checks.equal(
    'saved as JSON',
    [saved.length, Object.keys(saved[0])],
    [100, ['start', 'value_bytes']],
  );

  await ask(page, 'SELECT absent FROM records');
  await page.waitForSelector('.sql-error');
  checks.equal(
    'an error is SQLite’s',
    await page.textContent('.sql-error'),
    'no such column: absent',
  );
  await ask(page, 'DELETE FROM records');
  await page.waitForSelector('.sql-error:has-text("readonly")');
  await picture(page, shots, `${name}-query-error`);

  await goTo(
    page,
    linkTo(engine, cursor, { sql: 'SELECT count(*) AS n FROM records', prefix: 'key00087' }),
  );
  await answered(page, 'of records (');
  const link = page.url();
  const inRange = await rowsOf(page);
  checks.that('a range bounds the records', Number(inRange[0][0]) < 10, JSON.stringify(inRange));
  if (engine.letter === 'h') {
    const other = await context.newPage();
    await other.goto(link);
    await answered(other, 'of records (');
    checks.equal('the link shows the same', await rowsOf(other), inRange);
    await other.close();
  }
  checks.equal(
    'no request leaves the origin',
    seen.urls.filter((url) => !url.startsWith(engine.base) && !/^(data|blob):/.test(url)),
    [],
  );
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Without waiting until it is shown.
const begin = (page, hash) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

// A statement without an end is stopped; the page answers meanwhile, and goes on after.
async function stopped(browser, checks, engine, { shots, name }) {
  const { page, context, seen } = await openPage(browser);
  const { cursor } = await engine.start(page, ['cursor']);
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
  await begin(page, linkTo(engine, cursor, { sql: endless }));
  await page.waitForSelector('main >> text=asking');
  await page.click('[aria-label=tables] >> text=edits');
  await page.waitForSelector('h2:text-is("edits")');
  await picture(page, shots, `${name}-query-asking`);
  await page.click('main >> text=Stop');
  await page.waitForSelector('text=Stopped. Run asks again.');
  await ask(page, 'SELECT kind, count(*) AS edits FROM edits GROUP BY kind');
  await answered(page, 'of edits (22 rows)');
  checks.that('others are answered after', (await rowsOf(page)).length > 1);
  await begin(page, linkTo(engine, cursor, { sql: endless }));
  await page.waitForSelector('main >> text=asking');
  const worker = page.workers().find((one) => one.url().includes('sql'));
  const ended = new Promise((resolve) => worker.once('close', () => resolve(true)));
  await goTo(page, `#/${engine.letter}/t/${cursor}/overview`);
  checks.that('leaving ends it as well', await ended);
  checks.equal('no error', seen.errors, []);
  await context.close();
}

async function ofFiles(browser, checks, engine) {
  const { page, context, seen } = await openPage(browser);
  const queries = {
    table: ['SELECT count(*) FROM entries', '300'],
    manifest: ['SELECT count(*) > 0 FROM edits', '1'],
    wal: ["SELECT count(*) > 0 FROM log_records WHERE type = 'put'", '1'],
  };
  const ids = await engine.start(page, Object.keys(queries));
  for (const [kind, [sql, says]] of Object.entries(queries)) {
    await goTo(page, linkTo(engine, ids[kind], { sql }));
    await answered(page, 'Answer');
    await settled(page);
    checks.equal(`of a ${kind}`, (await rowsOf(page))[0], [says]);
  }
  checks.equal('no error', seen.errors, []);
  await context.close();
}
