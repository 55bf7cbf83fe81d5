// SPDX-License-Identifier: Apache-2.0
// The documentation as scripts/build.sh docs puts it together, from a host that knows nothing but files.
import { readdirSync } from 'node:fs';
import { openPage, picture, settled, violations } from './browser.mjs';
import { serveStatic } from './servers.mjs';

// VitePress has no <main>, and Markdown no table without a head.
const kOfTheTheme = ['landmark-one-main', 'region', 'empty-table-header'];

// The bar and the list of pages are the same on each page of a folder: judged on one of them, and on all
// that lie in none.
const kFrame = ['.VPNav', '.VPLocalNav', '.VPSidebar'];

function judged() {
  const folders = new Set();
  return (name) => {
    const folder = name.split('/').slice(0, -1).join('/');
    const isKnown = folder !== '' && folders.has(folder);
    folders.add(folder);
    return { without: kOfTheTheme, outside: isKnown ? kFrame : [] };
  };
}

// What of the sample database each place of the page "The format by example" shows.
const kStops = [
  ['The database', 'Shape of default'],
  ['The tree', 'LSM map'],
  ['A table', 'format version 5'],
  ['A block', 'customer:0001'],
  ['The filter', 'customer:0042'],
  ['The MANIFEST', 'flush'],
  ['The log', 'Ada Lovelace'],
  ['A get', 'memtable'],
  ['A scan', 'order:0101'],
];

// There are many pages, and a machine may be busy.
async function openSlowly(browser, how) {
  const opened = await openPage(browser, how);
  opened.page.setDefaultTimeout(60_000);
  return opened;
}

export async function docsSuite(browser, checks, { docs, shots }) {
  const host = await serveStatic(docs, {}, '/');
  const foreign = (seen) =>
    seen.urls.filter((url) => !url.startsWith(host.url) && !/^(data|blob):/.test(url));
  const names = readdirSync(docs, { recursive: true })
    .filter((name) => name.endsWith('.html') && !/^(reference|inspector)\//.test(name))
    .sort();
  try {
    await checks.in('docs: pages', async () => {
      const { page, context, seen } = await openSlowly(browser, { width: 1280 });
      const outsideOf = judged();
      for (const name of names) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(host.url + name);
        await page.waitForSelector('.VPSwitchAppearance[title]', { state: 'attached' }); // The page is alive.
        checks.equal(`${name}: axe`, await violations(page, outsideOf(name)), []);
        if (!name.includes('/')) await picture(page, shots, `docs-${name}-light`);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.waitForSelector('html.dark', { state: 'attached' });
        if (!name.includes('/')) {
          checks.equal(
            `${name}: axe, in the dark`,
            await violations(page, { without: kOfTheTheme, onlyColours: true }),
            [],
          );
          await picture(page, shots, `docs-${name}-dark`);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        checks.that(`${name}: fits a phone`, beyond <= 0, `${beyond} px too wide`);
        if (!name.includes('/')) await picture(page, shots, `docs-${name}-phone`);
      }
      checks.equal('nobody else is asked', foreign(seen), []);
      checks.equal('no error', seen.errors, []);
      await context.close();
    });
    await checks.in('docs: search', async () => {
      const { page, context, seen } = await openSlowly(browser);
      await page.goto(host.url);
      await page.click('.VPNavBarSearch button');
      await page.fill('#localsearch-input', 'torn tail');
      await page.waitForSelector('.VPLocalSearchBox .result');
      const found = await page.textContent('.VPLocalSearchBox .results');
      checks.that('finds a decision', found.includes('Damage in a WAL'), found.slice(0, 300));
      await picture(page, shots, 'docs-search');
      checks.equal('nobody else is asked', foreign(seen), []);
      checks.equal('no error', seen.errors, []);
      await context.close();
    });
    await checks.in('docs: reference', async () => {
      const { page, context, seen } = await openSlowly(browser);
      await page.goto(`${host.url}embed.html`);
      await page.click('main a:has-text("reference")');
      await page.waitForURL(/reference\/index\.html/);
      checks.that('is reached from the site', (await page.textContent('body')).includes('Varve'));
      await page.goto(`${host.url}reference/annotated.html`);
      checks.equal('nobody else is asked', foreign(seen), []);
      await context.close();
    });
    await checks.in('docs: the inspector in the page', async () => {
      const { page, context, seen } = await openSlowly(browser, { height: 1100 });
      await page.goto(`${host.url}format.html`);
      const frame = await (await page.waitForSelector('iframe')).contentFrame();
      await frame.waitForFunction(() => /^#\/w\/t\/[^/]+\/overview/.test(location.hash), null, {
        timeout: 30_000,
      });
      await frame.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      const titles = await page.$$eval('.stops button', (buttons) =>
        buttons.map((button) => button.textContent.trim()),
      );
      checks.equal(
        'places',
        titles,
        kStops.map(([title]) => title),
      );
      for (const [title, words] of kStops) {
        await page.click(`.stops button:text-is("${title}")`);
        // What does not come is told by the check.
        await frame
          .waitForFunction(
            (text) => document.querySelector('#main')?.textContent.includes(text),
            words,
            { timeout: 15_000 },
          )
          .catch(() => undefined);
        await settled(frame);
        checks.that(
          `${title}: shows "${words}"`,
          (await frame.textContent('#main')).includes(words),
          (await frame.textContent('#main')).slice(0, 300),
        );
        checks.equal(
          `${title}: no problem`,
          await frame.$$eval('.problem', (notes) => notes.map((note) => note.textContent)),
          [],
        );
        await picture(page, shots, `docs-format-${title.replaceAll(' ', '-')}`);
      }
      await page.click('.VPNavBarAppearance button');
      await frame.waitForFunction(
        () => document.documentElement.dataset.mantineColorScheme === 'dark',
      );
      checks.that('takes on the theme of the page', true);
      checks.equal('axe', await violations(page, { without: kOfTheTheme }), []);
      checks.equal('nobody else is asked', foreign(seen), []);
      checks.equal('no error', seen.errors, []);
      await context.close();
    });
  } finally {
    host.stop();
  }
}
