// SPDX-License-Identifier: Apache-2.0
// node large_table_test.mjs PACKAGE SPARSE_TABLE VARVE: a table of 10 GB opens by its footer and its
// index, is read where it is asked for, and takes memory for what was read only.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, sparseTable, varve] = process.argv.slice(2);
const { createEngine } = await import(pathToFileURL(join(folder, 'index.mjs')));
const engine = await createEngine({ wasm: readFileSync(join(folder, 'varve.wasm')) });
const place = mkdtempSync(join(tmpdir(), 'varve-large-'));
let failed = 0;
function check(what, holds) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) failed += 1;
}

try {
  const path = join(place, 'large.sst');
  execFileSync(sparseTable, [path, '10']);
  const { size } = statSync(path);
  const descriptor = openSync(path, 'r');
  let asked = 0;
  const file = {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      asked += length;
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    },
  };
  const before = process.memoryUsage().rss;
  const target = engine.open([{ path: 'large.sst', file }]);
  const ask = (rest) => {
    const text = new TextDecoder().decode(engine.request({ path: `/api/v1/targets/${target}/files/0${rest}` }).body);
    return text.trim();
  };
  const cli = (...words) => execFileSync(varve, ['sst', ...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
  check(`a table of ${size} bytes`, size > 10 * 2 ** 30);
  check('info is the command line\'s', ask('') === cli('info', path));
  check(`opening and info read ${asked} bytes`, asked < 8 << 20);
  const { data_bytes: bytes, data_blocks: blocks, largest } = JSON.parse(ask('')).file;
  const last = (bytes / blocks) * (blocks - 1); // One entry a block, all of one size.
  const entries = JSON.parse(ask(`/blocks/${last}/entries`)).entries;
  check(`the block at ${last} has the last key`, last > 10 * 2 ** 30 - (1 << 20) && entries.length === 1 && entries[0].key.text === largest.key.text);
  check('the hex of the end is the command line\'s', ask(`/hex?offset=${size - 53}&size=53`) === cli('hex', path, '--offset', String(size - 53), '--size', '53'));
  const grown = process.memoryUsage().rss - before;
  check(`all of it read ${asked} bytes and took ${grown} of memory`, asked < 32 << 20 && grown < 256 << 20);
  closeSync(descriptor);
} finally {
  rmSync(place, { recursive: true });
}
process.exit(failed > 0 ? 1 : 0);
