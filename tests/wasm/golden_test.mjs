// SPDX-License-Identifier: Apache-2.0
// node golden_test.mjs PACKAGE FIXTURES: every table that real RocksDB and LevelDB wrote, against
// its manifest; every database, against what its own writer printed of it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { equal, finish } from './equal.mjs';

const [folder, fixtures] = process.argv.slice(2);
const { createEngine } = await import(pathToFileURL(join(folder, 'index.mjs')));
const engine = await createEngine({ wasm: readFileSync(join(folder, 'varve.wasm')) });
const ask = (path) => JSON.parse(new TextDecoder().decode(engine.request({ path: `/api/v1/targets${path}` }).body));

// The format's bytes for the API's words.
const kTypes = {
  delete: 0, put: 1, merge: 2, single_delete: 7, blob_index: 17, delete_with_timestamp: 20, wide_columns: 22, put_with_time: 24,
};

// "<user key hex> <sequence> <type> <value hex>" a line, as the manifest hashes them.
function digestOf(target) {
  const hash = createHash('sha256');
  let entries = 0;
  let token = '';
  do {
    const page = ask(`/${target}/files/0/entries?bytes=full&page_size=5000${token && `&page_token=${encodeURIComponent(token)}`}`);
    if (!page.entries) return page.detail;
    for (const { key, seq, type, value } of page.entries) {
      if (type === 'range_delete') continue; // Not of a data block.
      hash.update(`${key.hex} ${seq} ${kTypes[type]} ${value?.hex ?? ''}\n`);
      entries += 1;
    }
    token = page.next_page_token;
  } while (token);
  return `${entries} ${hash.digest('hex')}`;
}

const { files } = JSON.parse(readFileSync(join(fixtures, 'sst/manifest.json'), 'utf8'));
for (const golden of files) {
  const target = engine.open([{ path: golden.file, file: new Uint8Array(readFileSync(join(fixtures, 'sst', golden.file))) }]);
  if (golden.refuse) equal(`${golden.file}: refused`, ask(`/${target}/files/0/entries`).entries, undefined);
  else equal(golden.file, digestOf(target), `${golden.entries_found} ${golden.entries_sha256}`);
  engine.close(target);
}
finish(100);
