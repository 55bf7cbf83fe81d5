// SPDX-License-Identifier: Apache-2.0
// node package_test.mjs PACKAGE FIXTURES VARVE: the package in node. Its answers are those of the
// command line, which tests/contract holds against the API's goldens; the files that it writes are
// read by RocksDB's own ldb.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { equal, finish } from './equal.mjs';

const [folder, fixtures, varve] = process.argv.slice(2);
const { createEngine, VarveError } = await import(pathToFileURL(join(folder, 'index.mjs')));
const engine = await createEngine({ wasm: readFileSync(join(folder, 'varve.wasm')) });
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);
const dropped = (path) =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path: folder, name }) => join(parentPath ?? folder, name))
    .map((file) => ({ path: join(basename(path), relative(path, file)), file: new Uint8Array(readFileSync(file)) }));
const attempt = (work) => {
  try {
    work();
    return 'done';
  } catch (error) {
    return error instanceof VarveError ? error.message : String(error.stack);
  }
};
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

// What is read in order is read in large slices: in a page, each of them is a question to the browser.
{
  const play = engine.playground({ block_size: '512', compression: 'none' });
  for (let i = 0; i < 5000; i += 1) play.put(bytes(`key${i}`), bytes(`a value of some length ${i}`));
  play.flush();
  const { bytes: whole } = play.files().find(({ name }) => name.endsWith('.sst'));
  play.close();
  let reads = 0;
  const read = (offset, length) => {
    reads += 1;
    return whole.slice(offset, offset + length);
  };
  const table = engine.open([{ path: 'table.sst', file: { size: whole.length, read } }]);
  const { data_blocks: blocks } = JSON.parse(ask(`/targets/${table}/files/0`)).file;
  reads = 0;
  engine.request({ method: 'POST', path: `/api/v1/targets/${table}/jobs`, headers: json, body: bytes('{"kind":"verify"}') });
  while (engine.step());
  const { jobs } = JSON.parse(ask(`/targets/${table}/jobs`));
  equal('it is clean', JSON.parse(ask(`/targets/${table}/jobs/${jobs[0].id}/result`)).clean, true);
  equal(`${blocks} blocks in ${reads} reads`, blocks > 200 && reads < 40, true);
  engine.close(table);
}

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

// Families, merges, snapshots and tables from outside.
{
  const play = engine.playground({ merge_operator: 'stringappend', compression: 'none' });
  const at = (key, more = '') =>
    JSON.parse(ask(`/targets/${play.target}/cfs/default/get?bytes=text&key=${key}${more}`)).value?.text;
  play.createFamily('fruit');
  play.write({ kind: 'put', key: bytes('apple'), value: bytes('red'), family: 'fruit' });
  equal('of a family', text(engine.get(play.target, bytes('apple'), 'fruit')), 'red');
  equal('not of the other', engine.get(play.target, bytes('apple')), undefined);
  for (const value of ['one', 'two']) play.write({ kind: 'merge', key: bytes('sum'), value: bytes(value) });
  const sequence = play.snapshot();
  play.write({ kind: 'merge', key: bytes('sum'), value: bytes('three') });
  play.compact();
  equal('merged', at('sum'), 'one,two,three');
  equal('at the snapshot', at('sum', `&at_seq=${sequence}`), 'one,two');
  play.release(sequence);
  play.ingest([[bytes('x1'), bytes('1')], [bytes('x2'), bytes('2')]]);
  equal('ingested', at('x2'), '2');
  equal('out of order', attempt(() => play.ingest([[bytes('b'), bytes('')], [bytes('a'), bytes('')]])).includes('order'), true);
  equal('an unknown family', attempt(() => play.write({ kind: 'put', key: bytes('k'), family: 'none' })).includes('no such column family'), true);
  equal('an unknown change', attempt(() => play.write({ kind: 'jump', key: bytes('k') })).includes('no such change'), true);
  equal('a search takes time', play.searchNanoseconds('prefix') > 0 && play.searchNanoseconds('comparator') > 0, true);
  equal('an unknown grade', attempt(() => play.searchNanoseconds('fast')).includes('comparator'), true);

  // Its files are those of a crash: opened again they have all of it, damaged they do not open, and
  // repaired they have the rest.
  play.write({ kind: 'put', key: bytes('last'), value: bytes('in the log') });
  const files = play.files().filter((file) => file.name !== 'LOCK');
  // In pieces, as those are read that do not fit into memory.
  const log = play.sizes().find(({ name }) => name.endsWith('.log'));
  const whole = files.find(({ name }) => name === log.name).bytes;
  equal('the size of a file', log.size, whole.length);
  equal('a part of a file', text(play.read(log.name, 5, 7)), text(whole.subarray(5, 12)));
  equal('the end of a file', play.read(log.name, log.size - 3, 100).length, 3);
  equal('behind a file', play.read(log.name, log.size + 9, 100).length, 0);
  equal('no file', attempt(() => play.read('none', 0, 1)), 'none is gone');
  play.close();
  const reads = [];
  const large = new Uint8Array(9 << 20).map((_, i) => i % 251);
  const readable = (bytes) => ({
    size: bytes.length,
    read: (offset, size) => (reads.push(size), bytes.subarray(offset, offset + size)),
  });
  const pieces = [...files, { name: 'other', bytes: large }].map(({ name, bytes }) => ({ name, bytes: readable(bytes) }));
  const given = engine.playground({ merge_operator: 'stringappend' }, '', { files: pieces });
  equal('given in pieces', text(engine.get(given.target, bytes('last'))), 'in the log');
  equal('no piece is large', Math.max(...reads), 4 << 20);
  equal('a file of three pieces', Buffer.compare(given.read('other', 0, large.length), large), 0);
  given.close();
  const reopened = engine.playground({ merge_operator: 'stringappend' }, '', { files });
  equal('after a crash', text(engine.get(reopened.target, bytes('last'))), 'in the log');
  equal('the family, too', text(engine.get(reopened.target, bytes('apple'), 'fruit')), 'red');
  reopened.close();
  const without = files.filter((file) => !file.name.startsWith('MANIFEST'));
  equal('without a MANIFEST', attempt(() => engine.playground({}, '', { files: without })).includes('MANIFEST'), true);
  const repaired = engine.playground({ merge_operator: 'stringappend' }, '', { files: without, repair: true });
  equal('what became of it', /^tables: \d+ whole, 0 salvaged, 0 lost; \d+ entries/.test(repaired.repaired), true);
  equal('repaired', text(engine.get(repaired.target, bytes('x2'))), '2');
  repaired.close();
}

// One compaction at a time, as the engine's own picker has them due: of the two tables that were
// there when it fell due. They are large beside a memtable of 64 KiB and go down.
function threeTables(options, value) {
  const db = engine.playground({ level0_file_num_compaction_trigger: '2', compression: 'none', ...options });
  for (let file = 0; file < 3; file += 1) {
    db.put(bytes('key'), bytes(`${value}${file}`));
    db.flush();
  }
  return { db, levels: () => JSON.parse(ask(`/targets/${db.target}/files`)).files.map((file) => file.level).join(' ') };
}
const large = threeTables({ write_buffer_size: '65536' }, 'v'.repeat(20_000));
equal('before the step', large.levels(), '0 0 0');
equal('a compaction is due', large.db.step(), true);
equal('after the step', large.levels(), '0 6');
equal('nothing is due', large.db.step(), false);
large.db.close();

// Small ones are merged with each other in level 0.
const merged = threeTables({}, 'value-');
equal('small tables: a compaction is due', merged.db.step(), true);
equal('small tables: the two have become one', merged.levels(), '0 0');
equal('small tables: so are that and the third', merged.db.step(), true);
equal('small tables: one is left', merged.levels(), '0');
equal('small tables: nothing is due', merged.db.step(), false);
merged.db.close();

// Stored databases, on access handles as the browser has them; the handles outlive the engine.
class Handle {
  #bytes = new Uint8Array(0);
  #room;
  constructor(room) {
    this.#room = room;
  }
  read(to, { at }) {
    const from = this.#bytes.subarray(at, at + to.length);
    to.set(from);
    return from.length;
  }
  write(from, { at }) {
    if (at + from.length > this.#room) throw new DOMException('no room left', 'QuotaExceededError');
    if (at + from.length > this.#bytes.length) this.truncate(at + from.length);
    this.#bytes.set(from, at);
    return from.length;
  }
  truncate(size) {
    const cut = new Uint8Array(size);
    cut.set(this.#bytes.subarray(0, size));
    this.#bytes = cut;
  }
  getSize() {
    return this.#bytes.length;
  }
  flush() {}
  close() {}
}
const storeOf = (slots, room = 1 << 24) => ({ handles: Array.from({ length: slots }, () => new Handle(room)) });
const another = () => createEngine({ wasm: readFileSync(join(folder, 'varve.wasm')) });
const store = storeOf(32);
{
  const first = await another();
  first.mount(store);
  const kept = first.playground({}, 'kept');
  kept.put(bytes('flushed'), bytes('1'));
  kept.flush();
  kept.put(bytes('logged'), bytes('2')); // And the tab is gone, without closing.
}
const second = await another();
second.mount(store);
equal('stored: by name', second.stored().join(), 'kept');
const kept = second.playground({}, 'kept');
equal('stored: everything is there again', [...second.scan(kept.target)].map(({ key, value }) => `${text(key)}=${text(value)}`).join(), 'flushed=1,logged=2');
kept.close();
second.removeStored('kept');
equal('stored: removed', second.stored().join(), '');
equal('stored: slots come back', second.freeSlots, 30);
equal('stored: a bad name', attempt(() => second.playground({}, '../x')).includes('is named by'), true);
const small = await another();
small.mount(storeOf(32, 20_000));
const full = small.playground({}, 'full');
equal('stored: quota', attempt(() => full.put(bytes('key'), new Uint8Array(50_000))).includes('no room left'), true);
const few = await another();
few.mount(storeOf(4));
equal('stored: too few slots', attempt(() => few.playground({}, 'few')).includes('no slot is free'), true);

// Under 2 MB to load.
equal('size of the module, compressed', gzipSync(readFileSync(join(folder, 'varve.wasm')), { level: 9 }).length < 2_000_000, true);

finish(50);
