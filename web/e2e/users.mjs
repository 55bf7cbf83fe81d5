// SPDX-License-Identifier: Apache-2.0
// Several users of `varve serve --users`: they sign in or bring a token, the page says who one is, and has no
// button and no view for what one may not.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { everyLook, goTo, openPage, settled } from './browser.mjs';
import { startServer } from './servers.mjs';
import { newFolder } from './targets.mjs';

const kPassword = 'correct horse';

export async function users(browser, checks, { varve, shots }) {
  const folder = newFolder();
  const db = join(folder, 'orders');
  const file = join(folder, 'users');
  const run = (words, input = '') =>
    execFileSync(varve, [...words, '-q'], { input, encoding: 'utf8' }).trim();
  run(['put', db, 'key', 'value', '--create']);
  run(['cf', 'create', db, 'stock']);
  run(['put', db, 'key', 'of the stock', '--cf', 'stock']);
  const add = (name, right, how, input) =>
    run(['users', 'add', file, name, '--may', right, how], input);
  const tokens = {
    ada: add('ada', 'write:*', '--token'),
    bob: add('bob', 'read:orders', '--token'),
    cem: add('cem', 'write:orders/stock', '--token'),
  };
  add('dee', 'write:orders', '--password', kPassword);
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  const server = await startServer(varve, ['serve', db, '--write', '--users', file, ...asRoot]);
  const context = { varve, shots, server, tokens, run, file };
  try {
    for (const [name, may] of [
      ['ada', true],
      ['bob', false],
    ])
      await wholeTarget(browser, checks, context, name, may);
    await oneFamily(browser, checks, context);
    await signingIn(browser, checks, context);
  } finally {
    server.stop();
  }
}

async function wholeTarget(browser, checks, { shots, server, tokens }, name, may) {
  const { page, context, seen } = await openPage(browser);
  await page.goto(`${server.url}#token=${tokens[name]}`);
  await settled(page);
  await goTo(page, '#/h/t/t1/data');
  await page.click('main [role=row]:has(:text-is("key")):has(:text-is("value")):not(:has(button))');
  await page.waitForSelector('main [aria-label="selected record"]');
  const status = await page.textContent('footer.status');
  checks.that(`${name} is told who one is`, status.includes(name), status);
  checks.that(
    `${name}: what one may`,
    status.includes(may ? 'may write' : 'read-only') &&
      status.includes(may ? 'write everything' : 'read orders'),
    status,
  );
  for (const button of ['Edit', 'Delete', 'New record'])
    checks.equal(
      `${name}: ${button}`,
      await page.locator(`main button:has(:text-is("${button}"))`).count(),
      may ? 1 : 0,
    );
  await goTo(page, '#/h/t/t1/options');
  checks.equal(
    `${name}: the form of the options`,
    (await page.textContent('main')).includes('bob may only read default'),
    !may,
  );
  await everyLook(page, checks, { shots, name, file: `http-user-${name}` });
  checks.equal('no error', seen.errors, []);
  await context.close();
}

// Who may see one family, which is not the default one.
async function oneFamily(browser, checks, { shots, server, tokens }) {
  const { page, context } = await openPage(browser); // Refused requests are errors of the console.
  await page.goto(`${server.url}#token=${tokens.cem}`);
  await settled(page);
  await page.waitForFunction(() => location.hash.includes('/cf/stock/'));
  await goTo(page, '#/h/t/t1/cf/stock/data');
  await page.waitForSelector('main [role=row]:has(:text-is("of the stock"))');
  checks.equal(
    'cem: the records may be changed',
    await page.locator('main button:has(:text-is("New record"))').count(),
    1,
  );
  for (const view of ['Timeline', 'Logs', 'Metrics'])
    checks.that(
      `cem: no ${view}`,
      (await page.textContent(`nav .nav-off:has-text("${view}")`)).includes(
        'cem may not read all of orders',
      ),
    );
  await goTo(page, '#/h/t/t1/cf/stock/overview');
  await settled(page);
  await page.waitForSelector('main [role=note]:has-text("Not for you to see or do")');
  checks.that(
    'cem: what is missing is said',
    (await page.textContent('main')).includes('read:orders'),
  );
  checks.that(
    'cem: other families are not there',
    !(await page.textContent('body')).includes('default:'),
  );
  await everyLook(page, checks, { shots, name: 'cem', file: 'http-user-cem' });
  await context.close();
}

async function signingIn(browser, checks, { shots, server, run, file }) {
  const { page, context } = await openPage(browser);
  await page.goto(server.url);
  await settled(page);
  const form = page.locator('form[aria-label="Sign in"]');
  await form.waitFor();
  checks.that(
    'who has a token brings it',
    (await page.textContent('main')).includes('The token that it printed'),
  );
  const send = async (password) => {
    await form.getByLabel('Name').fill('dee');
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Sign in' }).click();
  };
  await send('battery staple');
  await form.locator('[role=alert]').waitFor();
  checks.equal(
    'a wrong password is said',
    await form.locator('[role=alert]').textContent(),
    'the name or the password is wrong',
  );
  await everyLook(page, checks, { shots, name: 'sign in', file: 'http-user-sign-in' });
  await send(kPassword);
  await page.waitForSelector('footer .status-user');
  checks.that(
    'who has signed in may write',
    (await page.textContent('footer.status')).includes('may write'),
  );
  const [cookie] = await context.cookies(`${server.url}api/v1/`);
  checks.equal(
    'the cookie',
    [cookie.httpOnly, cookie.sameSite, cookie.path],
    [true, 'Strict', '/api/'],
  );
  checks.equal(
    'no script reads it, but that one signs in here',
    await page.evaluate(() => document.cookie),
    'varve-sign-in=1',
  );
  const other = await context.newPage(); // The other tab tells it the key.
  await other.goto(`${server.url}#/h/t/t1/data`);
  await other.waitForSelector('footer .status-user');
  await other.close();
  await page.click('footer button:has-text("sign out")');
  await goTo(page, '#/');
  await form.waitFor();
  const old = await page.evaluate(() => sessionStorage.getItem('varve.credential'));
  checks.equal('nothing of it is kept', old, null);

  await send(kPassword);
  await page.waitForSelector('footer .status-user');
  run(['users', 'remove', file, 'dee']);
  await goTo(page, '#/h/t/t1/data');
  await goTo(page, '#/h/t/t1/files');
  await page.waitForSelector('main:has-text("sign in")');
  checks.that('who is removed has to sign in again', true);
  await context.close();
}
