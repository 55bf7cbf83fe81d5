// SPDX-License-Identifier: Apache-2.0
// What the checks of the playground's pages share.
import { join } from 'node:path';
import { overflow, settled, violations } from './browser.mjs';

export const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

const kWidths = [
  [1440, 900],
  [768, 1024],
  [390, 844],
];

// Fits, is in order for axe, and has its picture, at three widths.
export async function atAllWidths(page, checks, shots, name) {
  for (const [width, height] of kWidths) {
    await page.setViewportSize({ width, height });
    await settled(page);
    const over = await overflow(page);
    checks.that(`${name} fits in ${width}`, over <= 1, `${over} px too wide`);
    await page.screenshot({ path: join(shots, `${name}-${width}.png`), fullPage: true });
  }
  checks.equal(`${name}: axe`, await violations(page), []);
  await page.setViewportSize({ width: 1440, height: 900 });
}
