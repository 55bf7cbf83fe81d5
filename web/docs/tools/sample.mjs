// SPDX-License-Identifier: Apache-2.0
// node sample.mjs FOLDER: writes the database that the page "The format by example" shows, FOLDER/orders,
// and FOLDER/files.json, the names of its files. The engine in WebAssembly makes it, in memory.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../../../build/wasm/package/index.mjs';

const folder = process.argv[2];
const bytes = (text) => new TextEncoder().encode(text);
const number = (n) => String(n).padStart(4, '0');

const engine = await createEngine();
const db = engine.playground({ compression: 'none', filter_policy: 'bloomfilter:10' });
const put = (key, value) => db.put(bytes(key), bytes(JSON.stringify(value)));

for (let n = 1; n <= 400; n += 1)
  put(`customer:${number(n)}`, { name: `Customer ${n}`, city: n % 3 ? 'Uppsala' : 'Lund' });
for (let n = 1; n <= 300; n += 1)
  put(`order:${number(n)}`, { customer: 1 + ((n * 7) % 400), total: (n * 13) % 97 });
db.flush();
db.compact(); // To the last level.
put('customer:0042', { name: 'Ada', city: 'Lund' });
for (let n = 301; n <= 340; n += 1)
  put(`order:${number(n)}`, { customer: 1 + ((n * 7) % 400), total: (n * 13) % 97 });
db.flush(); // A table of level 0, over the other.
db.delete(bytes('customer:0043'));
db.deleteRange(bytes('order:0001'), bytes('order:0101'));
db.flush();
put('customer:0042', { name: 'Ada Lovelace', city: 'London' }); // Of these, the log alone knows.
db.delete(bytes('order:0340'));

const files = db.files();
mkdirSync(join(folder, 'orders'), { recursive: true });
for (const { name, bytes: content } of files) writeFileSync(join(folder, 'orders', name), content);
writeFileSync(join(folder, 'files.json'), JSON.stringify(files.map(({ name }) => name)));
