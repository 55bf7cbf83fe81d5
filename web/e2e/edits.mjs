// SPDX-License-Identifier: Apache-2.0
// Changes of records in the page of `varve serve --write`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { everyLook, goTo, openPage, settled } from './browser.mjs';
import { startServer } from './servers.mjs';
import { newFolder } from './targets.mjs';

// A record is made, changed, deleted and put back; not if another has changed it meanwhile, and not without
// --write.
export async function recordsEdited(browser, checks, { varve, shots, fixtures }) {
  const folder = join(newFolder(), 'db');
  const stdin = {
    input: 'apple\tred\nplum\t{"colour":"blue","n":12345678901234567890}\nraw\t\\x00\\xff\n',
  };
  execFileSync(varve, ['load', folder, '-'], stdin);
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  const server = await startServer(varve, ['serve', folder, '--write', ...asRoot]);
  const { page, context, seen } = await openPage(browser);
  const editor = '[role=dialog]';
  const press = (name) => page.click(`${editor} button:has(:text-is("${name}"))`);
  const typeValue = (text) => page.fill(`${editor} textarea`, text);
  const select = (key) => page.click(`main [role=row]:has-text("${key}")`);
  const change = (name) => page.click(`main .record button:has(:text-is("${name}"))`);
  const read = async (key) => {
    const { origin, hash } = new URL(server.url);
    const headers = { Authorization: `Bearer ${hash.replace('#token=', '')}` };
    const answer = await fetch(`${origin}/api/v1/targets/t1/cfs/default/get?key=${key}`, {
      headers,
    });
    return (await answer.json()).value?.hex;
  };
  const hex = (text) => Buffer.from(text).toString('hex');
  const look = (name) => everyLook(page, checks, { shots, name, file: `http-${name}` });
  try {
    await page.goto(server.url);
    await settled(page);
    await goTo(page, '#/h/t/t1/data');
    await select('apple');
    await change('Edit');
    await page.waitForSelector(`${editor} textarea`);
    checks.equal('what is there', await page.inputValue(`${editor} textarea`), 'red');
    await press('Look at the change');
    await page.waitForSelector('text=this is what is there');
    await typeValue('green');
    await look('edit-typed');
    await press('Look at the change');
    const said = await page.textContent(editor);
    for (const word of ['apple', 'red', 'green', 'varve put ./db apple green'])
      checks.that(`says ${word}`, said.includes(word), said);
    await look('edit-confirm');
    await press('Write');
    await page.waitForSelector('text=/Written: apple/');
    checks.equal('written', await read('apple'), hex('green'));
    await page.waitForSelector('main [role=row]:has-text("green")');
    await look('edit-made');

    await page.focus('main button:has(:text-is("Undo"))');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${editor} >> text=varve put ./db apple red`);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Write');
    await page.keyboard.press('Enter');
    await page.waitForSelector('main [role=row]:has-text("red")');
    checks.equal('undone', await read('apple'), hex('red'));

    await select('plum');
    await change('Edit');
    await page.waitForSelector(`${editor} textarea`);
    const json = await page.inputValue(`${editor} textarea`);
    checks.that('a number keeps its digits', json.includes('12345678901234567890'), json);
    checks.equal('as JSON', await page.inputValue(`${editor} select`), 'json');
    await typeValue('{"colour":');
    await press('Look at the change');
    await page.waitForSelector('text=this is no JSON');
    await page.keyboard.press('Escape');
    await page.waitForSelector(editor, { state: 'detached' });
    checks.equal('nothing was written', await read('plum'), hex(json));

    await select('raw');
    await change('Edit');
    await page.waitForSelector(`${editor} textarea`);
    checks.equal('bytes as hex', await page.inputValue(`${editor} textarea`), '00ff');
    await typeValue('00 01');
    await press('Look at the change');
    await page.waitForSelector(`${editor} >> text=varve put ./db raw hex:0001`);
    // Another one is first.
    const { origin, hash } = new URL(server.url);
    await fetch(`${origin}/api/v1/targets/t1/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${hash.replace('#token=', '')}`,
        'Content-Type': 'application/json',
      },
      body: '{"ops":[{"op":"put","key":"raw","value":"theirs"}]}',
    });
    await press('Write');
    await page.waitForSelector(`${editor} >> text=precondition_failed`);
    checks.equal('theirs stays', await read('raw'), hex('theirs'));
    await look('edit-stale');
    await press('Read it again');
    await page.waitForSelector(`${editor} .change >> text=theirs`);
    await press('Write');
    await page.waitForSelector('text=/Written: raw/');
    checks.equal('now ours', await read('raw'), '0001');

    await change('Delete');
    await page.waitForSelector(`${editor} >> text=varve delete ./db raw`);
    await look('edit-delete');
    await page.click(`${editor} :text("single delete")`);
    await page.waitForSelector(`${editor} >> text=varve batch ./db`);
    await page.click(`${editor} :text("single delete")`);
    await press('Delete');
    await page.waitForSelector('text=/Deleted: raw/');
    await page.waitForSelector('main [role=row]:has-text("raw")', { state: 'detached' });
    checks.equal('deleted', await read('raw'), undefined);
    await page.click('main button:has(:text-is("Undo"))');
    await press('Write');
    await page.waitForSelector('main [role=row]:has-text("raw")');
    checks.equal('put back', await read('raw'), '0001');

    await page.click('main button:has(:text-is("New record"))');
    await page.fill(`${editor} input`, 'hex:0');
    await press('Go on');
    await page.waitForSelector('text=no key: hex:');
    await page.fill(`${editor} input`, 'apple');
    await press('Go on');
    await page.waitForSelector('text=There is a record of that key');
    await page.keyboard.press('Escape');
    await page.click('main button:has(:text-is("New record"))');
    await page.fill(`${editor} input`, 'pear');
    await press('Go on');
    await page.waitForSelector(`${editor} textarea`);
    await press('Look at the change');
    await page.waitForSelector(`${editor} >> text=no record`);
    await press('Write');
    await page.waitForSelector('text=/Written: pear/');
    checks.equal('an empty value', await read('pear'), '');
    checks.equal('no error', seen.errors, []);
  } finally {
    server.stop();
  }
  const reading = await startServer(varve, [
    'serve',
    join(fixtures, 'db/rocksdb-7.8.3/cursor'),
    ...asRoot,
  ]);
  try {
    await page.goto('about:blank');
    await page.goto(reading.url);
    await settled(page);
    await goTo(page, '#/h/t/t1/data');
    await select('key000000');
    const buttons = await page.$$eval('main button', (all) => all.map((one) => one.textContent));
    checks.equal(
      'without --write there is nothing to press',
      buttons.filter((text) => /^(Edit|Delete|New record|Undo|Write)$/.test(text)),
      [],
    );
  } finally {
    reading.stop();
    await context.close();
  }
}
