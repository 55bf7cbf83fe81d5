// SPDX-License-Identifier: Apache-2.0
// node package_test.mjs PACKAGE FIXTURES VARVE: the package in node. Its answers are those of the
// command line, which tests/contract holds against the API's goldens; the files that it writes are
// read by RocksDB's own ldb.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, fixtures, varve] = process.argv.slice(2);
const { createEngine, VarveError } = await import(pathToFileURL(join(folder, 'index.mjs')));
const engine = await createEngine({ wasm: readFileSync(join(folder, 'varve.wasm')) });
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);
let passed = 0;
let failed = 0;

function equal(what, is, should) {
  if (is === should) passed += 1;
  else {
    failed += 1;
    console.log(`FAIL ${what}\n  is        ${String(is).slice(0, 400)}\n  should be ${String(should).slice(0, 400)}`);
  }
}
const dropped = (path) =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path: folder, name }) => join(parentPath ?? folder, name))
    .map((file) => ({ path: join(basename(path), relative(path, file)), file: new Uint8Array(readFileSync(file)) }));
const cli = (...words) => execFileSync(varve, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
// Whatever differs by design: who is asked says whether lists have pages.
const ask = (path) => text(engine.request({ path: `/api/v1${path}` }).body).trim();

// Databases: the same bytes as the command line prints.
for (const name of ['cursor', 'multi_cf', 'blob', 'archive']) {
  const path = join(fixtures, 'db/rocksdb-7.8.3', name);
  const target = engine.open(dropped(path));
  equal(`${name}: levels`, ask(`/targets/${target}/cfs/default/levels`), cli('lsm', 'show', path, '--cf', 'default', '--json').trim());
  equal(`${name}: history`, ask(`/targets/${target}/history?page_size=10000`), cli('lsm', 'history', path, '--json').trim());
  const scanned = [...engine.scan(target)].map(({ key, value }) => `${text(key)}\t${text(value)}`).join('\n');
  equal(`${name}: scan`, scanned, cli('scan', path, '-F', 'tsv').trim());
  engine.close(target);
}

// Tables of every codec.
for (const name of readdirSync(join(fixtures, 'sst')).filter((file) => /comp_.*\.sst$/.test(file))) {
  const target = engine.open([{ path: name, file: new Uint8Array(readFileSync(join(fixtures, 'sst', name))) }]);
  equal(`${name}: info`, ask(`/targets/${target}/files/0`), cli('sst', 'info', join(fixtures, 'sst', name), '--json').trim());
  engine.close(target);
}

// A job, stepped.
const cursor = engine.open(dropped(join(fixtures, 'db/rocksdb-7.8.3/cursor')));
const json = { 'Content-Type': 'application/json' };
engine.request({ method: 'POST', path: `/api/v1/targets/${cursor}/jobs`, headers: json, body: bytes('{"kind":"verify"}') });
while (engine.step());
equal('verify is clean', JSON.parse(ask(`/targets/${cursor}/jobs/j1/result`)).clean, true);
equal('get', text(engine.get(cursor, bytes('key000000'))), 'zgvrqhbsdngysnvhdlftvnvaqcitxqkqnkaeivtxfaoszzyhmi');
equal('get of nothing', engine.get(cursor, bytes('nothing')), undefined);

// What cannot be opened says why.
let why = '';
try {
  engine.open([{ path: 'x.sst', file: bytes('no table at all') }]);
} catch (error) {
  why = error instanceof VarveError ? 'said' : String(error);
}
equal('opening nonsense', ['said', ''].includes(why), true);

// A database made here is one that RocksDB reads.
const db = engine.playground({ disable_auto_compactions: 'true' });
for (let i = 0; i < 500; i += 1) db.put(bytes(`key${String(i).padStart(4, '0')}`), bytes(`value-${i}`));
db.flush();
db.delete(bytes('key0007'));
db.deleteRange(bytes('key0100'), bytes('key0200'));
db.flush();
db.compact();
db.put(bytes('last'), bytes('in the log'));
equal('the playground is a live target', JSON.parse(ask(`/targets/${db.target}`)).as_of.live, true);
equal('explain finds it in memory', JSON.parse(ask(`/targets/${db.target}/cfs/default/explain?key=last`)).steps[0].source, 'memtable');
const out = join(mkdtempSync(join(tmpdir(), 'varve-wasm-')), 'db');
mkdirSync(out);
for (const file of db.files()) writeFileSync(join(out, file.name), file.bytes);
const scan = execFileSync('ldb', [`--db=${out}`, 'scan'], { encoding: 'utf8' }).trim().split('\n').filter((line) => line.includes(' : '));
equal('ldb scan: records', scan.length, 400);
equal('ldb scan: the log too', scan.at(-1), 'last : in the log');
equal('ldb checkconsistency', execFileSync('ldb', [`--db=${out}`, 'checkconsistency'], { encoding: 'utf8' }).trim(), 'OK');

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
