// SPDX-License-Identifier: Apache-2.0
// node picture.mjs VARVE DATABASE FILE: the view of the levels as a picture. web/docs/inspector.png is of a
// database with three levels, a log, and files of 512 KiB (write_buffer_size, target_file_size_base).
import { goTo, launch, openPage, settled } from './browser.mjs';
import { serveVarve } from './servers.mjs';

const [varve, database, file] = process.argv.slice(2);
const server = await serveVarve(varve, [database]);
const browser = await launch();
try {
  const { page } = await openPage(browser, { width: 1280, height: 760 });
  await page.goto(server.url);
  await settled(page);
  await goTo(page, '#/h/t/t1/lsm');
  for (let i = 0; i < 6; i += 1) await page.keyboard.press(']');
  await settled(page);
  await page.screenshot({ path: file });
} finally {
  await browser.close();
  server.stop();
}
