// SPDX-License-Identifier: Apache-2.0
// Several users of `varve serve --users`: the page says who one is, and has no button for what one may not.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyLook, goTo, openPage, settled } from './browser.mjs';
import { startServer } from './servers.mjs';
import { newFolder } from './targets.mjs';

const kTokens = { ada: 'a'.repeat(32), bob: 'b'.repeat(32) };

export async function users(browser, checks, { varve, shots }) {
  const folder = newFolder();
  const db = join(folder, 'db');
  const file = join(folder, 'users');
  execFileSync(varve, ['put', db, 'key', 'value', '--create']);
  writeFileSync(file, `ada write ${kTokens.ada}\nbob read ${kTokens.bob}\n`, { mode: 0o600 });
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  const server = await startServer(varve, ['serve', db, '--write', '--users', file, ...asRoot]);
  try {
    for (const [name, may] of [
      ['ada', true],
      ['bob', false],
    ]) {
      const { page, context, seen } = await openPage(browser);
      await page.goto(`${server.url}#token=${kTokens[name]}`);
      await settled(page);
      await goTo(page, '#/h/t/t1/data');
      await page.click(
        'main [role=row]:has(:text-is("key")):has(:text-is("value")):not(:has(button))',
      );
      await page.waitForSelector('main [aria-label="selected record"]');
      const status = await page.textContent('footer.status');
      checks.that(`${name} is told who one is`, status.includes(name), status);
      checks.that(
        `${name}: what one may`,
        status.includes(may ? 'may write' : 'read-only'),
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
        (await page.textContent('main')).includes('bob may only read here'),
        !may,
      );
      await everyLook(page, checks, { shots, name, file: `http-user-${name}` });
      checks.equal('no error', seen.errors, []);
      await context.close();
    }
    const { page, context } = await openPage(browser);
    await page.goto(server.url);
    await settled(page);
    checks.that(
      'who has no token is asked for it',
      (await page.textContent('main')).includes('The token that it printed'),
    );
    await context.close();
  } finally {
    server.stop();
  }
}
