// SPDX-License-Identifier: Apache-2.0
// What the checks of the playground's pages share.
import { overflow, picture, settled, violations } from './browser.mjs';

export const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

const kWidths = [
  [1440, 900],
  [768, 1024],
  [390, 844],
];

// Fits, is in order for axe in both themes, and has its picture, at three widths.
export async function atAllWidths(page, checks, shots, name) {
  for (const [width, height] of kWidths) {
    await page.setViewportSize({ width, height });
    await settled(page);
    const over = await overflow(page);
    checks.that(`${name} fits in ${width}`, over <= 1, `${over} px too wide`);
    await picture(page, shots, `${name}-${width}-light`, { fullPage: true });
  }
  checks.equal(`${name}: axe`, await violations(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForSelector('html[data-mantine-color-scheme=dark]', { state: 'attached' });
  await settled(page);
  checks.equal(`${name}: axe, in the dark`, await violations(page, { onlyColours: true }), []);
  await picture(page, shots, `${name}-dark`, { fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
