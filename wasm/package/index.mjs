// SPDX-License-Identifier: Apache-2.0
// The engine as an object: strings and byte arrays in and out of the module's memory. One thread;
// every call returns when it is done, so a page runs it in a worker.
import { Slots } from './store.mjs';
import createVarve from './varve.mjs';

export { openStore } from './store.mjs';

export class VarveError extends Error {
  constructor(message) {
    super(message);
    this.name = 'VarveError';
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Bytes of an opened file. A File can be read synchronously in a worker only.
function sliceOf(source, offset, size) {
  if (source instanceof Uint8Array) return source.subarray(offset, offset + size);
  if (typeof source.read === 'function') return source.read(offset, size);
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(source.slice(offset, offset + size)));
}

const kRun = 4; // Reads in a row, before more than was asked for is read.
const kGap = 16 << 10; // Bytes that may be left out in between.
const kAheadLeast = 64 << 10;
const kAheadMost = 4 << 20;

// Reads ahead of what is read from its beginning to its end: in a page, a slice takes a thousand times
// as long as the block that is in it. One for all files: no more memory, however many are open.
class ReadAhead {
  #id = 0;
  #at = 0;
  #bytes = new Uint8Array();
  #end = 0; // Of the last read.
  #run = 0;
  #ahead = kAheadLeast;

  read(id, source, offset, size) {
    if (source instanceof Uint8Array) return sliceOf(source, offset, size);
    if (id === this.#id && offset >= this.#end && offset <= this.#end + kGap) {
      this.#run += 1;
    } else {
      this.#run = 0;
      this.#ahead = kAheadLeast;
      this.#bytes = new Uint8Array();
    }
    this.#id = id;
    this.#end = offset + size;
    const from = offset - this.#at;
    if (from >= 0 && from + size <= this.#bytes.length) return this.#bytes.subarray(from, from + size);
    if (this.#run < kRun || size >= kAheadMost) return sliceOf(source, offset, size);
    const wanted = Math.min(Math.max(size, this.#ahead), source.size - offset);
    this.#bytes = sliceOf(source, offset, wanted);
    this.#at = offset;
    this.#ahead = Math.min(kAheadMost, 2 * this.#ahead);
    return this.#bytes.subarray(0, size);
  }
}

const kPiece = 4 << 20; // Bytes of a file that is written into a directory.

// What is given in pieces, each with where it begins; of nothing one that is empty.
function* pieces(source) {
  const size = source instanceof Uint8Array ? source.length : source.size;
  let offset = 0;
  do {
    yield [offset, sliceOf(source, offset, Math.min(kPiece, size - offset))];
    offset += kPiece;
  } while (offset < size);
}

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

class VarveEngine {
  #module;
  #sources = new Map(); // By the id that the module knows it by.
  #ahead = new ReadAhead();
  #made = 0;
  #folders = new Map(); // Of targets: what to forget when they are closed.

  constructor(module) {
    this.#module = module;
    module.readDropped = (id, offset, size, to) => {
      try {
        const bytes = this.#ahead.read(id, this.#sources.get(id), offset, size);
        module.HEAPU8.set(bytes, to >>> 0);
        return bytes.length;
      } catch {
        return -1;
      }
    };
  }

  request(request) {
    const handle = this.#send(request);
    try {
      const pieces = [];
      while (this.#module._varve_response_next(handle) === 0) pieces.push(this.#piece(handle));
      return { ...this.#head(handle), body: join(pieces) };
    } finally {
      this.#module._varve_response_free(handle);
    }
  }

  *stream(request) {
    const handle = this.#send(request);
    try {
      for (;;) {
        const event = this.#module._varve_response_next(handle);
        if (event === 2) return;
        yield event === 0 ? this.#piece(handle) : null;
      }
    } finally {
      this.#module._varve_response_free(handle);
    }
  }

  open(files) {
    if (files.length === 0) throw new VarveError('nothing to open');
    const root = `/dropped/${++this.#made}`;
    const ids = [];
    const { name, below } = whole(files);
    for (const { path, file } of files) {
      const id = ++this.#made;
      ids.push(id);
      this.#sources.set(id, file);
      const size = file instanceof Uint8Array ? file.length : file.size;
      this.#withText([`${root}/${below}${path}`], (at) => this.#module._varve_drop(at, id, size));
    }
    try {
      const target = this.#said(this.#withText([`${root}/${name}`], (at) => this.#module._varve_open(at)));
      this.#folders.set(target, { root, ids });
      return target;
    } catch (error) {
      this.#forget(root, ids);
      throw error;
    }
  }

  close(target) {
    this.#withText([target], (at) => this.#module._varve_close(at));
    const folder = this.#folders.get(target);
    if (folder) this.#forget(folder.root, folder.ids);
    this.#folders.delete(target);
  }

  step(budgetMicros = 8000) {
    return this.#module._varve_step(budgetMicros) !== 0;
  }

  mount(store) {
    this.#module.slots = new Slots(this.#module, store);
    this.#said(this.#module._varve_mount_stored());
  }

  get freeSlots() {
    return this.#module._varve_free_slots();
  }

  stored() {
    return this.#said(this.#module._varve_stored()).split('\n').filter(Boolean);
  }

  removeStored(name) {
    this.#said(this.#withText([nameOf(name)], (at) => this.#module._varve_remove_stored(at)));
  }

  playground(options = {}, stored = '', given = {}) {
    const name = stored && nameOf(stored);
    const m = this.#module;
    const number = Number(this.#said(this.#withText([name], (at) => m._varve_playground_new(at))));
    const call = (f, ...bytes) => this.#said(this.#withBytes(bytes, (...at) => f(number, ...at)));
    const text = (f, ...texts) => this.#said(this.#withText(texts, (...at) => f(number, ...at)));
    let target, repaired;
    try {
      for (const { name, bytes } of given.files ?? []) {
        for (const [offset, piece] of pieces(bytes)) {
          this.#withText([name], (at) => call((id, ...rest) => m._varve_playground_file(id, at, offset, ...rest), piece));
        }
      }
      if (given.repair) repaired = call(m._varve_playground_repair);
      const lines = Object.entries(options).map(([name, value]) => `${name}=${value}\n`).join('');
      target = text(m._varve_playground_start, lines);
    } catch (error) {
      m._varve_playground_close(number);
      throw error;
    }
    const write = ({ kind, key, value = new Uint8Array(), family = 'default' }) =>
      void this.#withText([kind, family], (...names) =>
        call((id, ...rest) => m._varve_playground_write(id, ...names, ...rest), key, value));
    const sizes = () =>
      call(m._varve_playground_files).split('\n').filter(Boolean).map((line) => {
        const space = line.indexOf(' ');
        return { name: line.slice(space + 1), size: Number(line.slice(0, space)) };
      });
    const read = (name, offset, size) => this.#readFile(number, name, offset, size);
    return {
      target,
      repaired,
      write,
      put: (key, value) => write({ kind: 'put', key, value }),
      delete: (key) => write({ kind: 'delete', key }),
      deleteRange: (from, to) => write({ kind: 'range_delete', key: from, value: to }),
      ingest: (records, family = 'default') =>
        void this.#withText([family], (at) =>
          call((id, ...rest) => m._varve_playground_ingest(id, at, ...rest), fields(records.flat()))),
      createFamily: (name) => void text(m._varve_playground_create_family, name),
      snapshot: () => Number(call(m._varve_playground_snapshot)),
      release: (sequence) => void this.#said(m._varve_playground_release(number, sequence)),
      searchNanoseconds: (grade) => Number(text(m._varve_playground_search_time, grade)),
      flush: () => void call(m._varve_playground_flush),
      compact: () => void call(m._varve_playground_compact),
      step: () => m._varve_playground_step() !== 0,
      close: () => void call(m._varve_playground_close),
      sizes,
      read,
      files: () => sizes().map(({ name, size }) => ({ name, bytes: read(name, 0, size) })),
    };
  }

  get(target, key, family = 'default') {
    const path = `/api/v1/targets/${encodeURIComponent(target)}/cfs/${encodeURIComponent(family)}/get?key=hex:${toHex(key)}&bytes=full`;
    const { found, value } = this.#json(path);
    return found ? fromHex(value.hex) : undefined;
  }

  *scan(target, { from, to, family = 'default' } = {}) {
    const base = `/api/v1/targets/${encodeURIComponent(target)}/cfs/${encodeURIComponent(family)}/scan?bytes=full`;
    for (const { key, value } of this.#rows(base, 'rows', from, to)) yield { key: fromHex(key.hex), value: fromHex(value.hex) };
  }

  *entries(target, { from, to, file = '0' } = {}) {
    const base = `/api/v1/targets/${encodeURIComponent(target)}/files/${encodeURIComponent(file)}/entries?bytes=full`;
    for (const { key, seq, type, value } of this.#rows(base, 'entries', from, to)) {
      yield { key: fromHex(key.hex), seq: BigInt(seq), type, value: fromHex(value.hex) };
    }
  }

  *#rows(base, member, from, to) {
    const range = `${from ? `&from=hex:${toHex(from)}` : ''}${to ? `&to=hex:${toHex(to)}` : ''}`;
    let token = '';
    do {
      const page = this.#json(`${base}${range}&page_size=1000${token && `&page_token=${encodeURIComponent(token)}`}`);
      yield* page[member];
      token = page.next_page_token ?? '';
    } while (token);
  }

  #json(path) {
    const { status, body } = this.request({ path });
    const answer = JSON.parse(decoder.decode(body));
    if (status >= 400) throw new VarveError(answer.detail ?? answer.title);
    return answer;
  }

  #send({ method = 'GET', path, headers = {}, body = new Uint8Array() }) {
    const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`).join('');
    return this.#withText([method, path, named], (...texts) =>
      this.#withBytes([body], (at, size) => this.#module._varve_request(...texts, at, size)));
  }

  #head(handle) {
    const lines = this.#module.UTF8ToString(this.#module._varve_response_headers(handle)).split('\n').filter(Boolean);
    const headers = lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);
    return { status: this.#module._varve_response_status(handle), headers };
  }

  #piece(handle) {
    const at = this.#module._varve_piece_data(handle) >>> 0;
    return this.#module.HEAPU8.slice(at, at + (this.#module._varve_piece_size(handle) >>> 0));
  }

  #readFile(number, name, offset, size) {
    const handle = this.#withText([name], (at) => this.#module._varve_playground_read(number, at, offset, size));
    if (!handle) throw new VarveError(`${name} is gone`);
    try {
      return this.#module._varve_response_next(handle) === 0 ? this.#piece(handle) : new Uint8Array();
    } finally {
      this.#module._varve_response_free(handle);
    }
  }

  // "ok …" is what was wanted, "error …" why not.
  #said(at) {
    const text = this.#module.UTF8ToString(at);
    if (text.startsWith('error ')) throw new VarveError(text.slice(6));
    return text.slice(3);
  }

  #forget(root, ids) {
    this.#withText([root], (at) => this.#module._varve_forget(at));
    for (const id of ids) this.#sources.delete(id);
  }

  #withBytes(arrays, body) {
    const places = [];
    try {
      const passed = arrays.flatMap((bytes) => {
        const at = this.#module._malloc(bytes.length + 1);
        if (!at) throw new VarveError('out of memory');
        places.push(at);
        this.#module.HEAPU8.set(bytes, at >>> 0);
        this.#module.HEAPU8[(at >>> 0) + bytes.length] = 0;
        return [at, bytes.length];
      });
      return body(...passed);
    } finally {
      for (const at of places) this.#module._free(at);
    }
  }

  #withText(texts, body) {
    return this.#withBytes(texts.map((text) => encoder.encode(text)), (...passed) => body(...passed.filter((_, i) => i % 2 === 0)));
  }
}

function nameOf(name) {
  if (!/^[\w][\w.-]*$/.test(name)) throw new VarveError(`${name}: a stored database is named by letters, digits, ".", "-" and "_"`);
  return name;
}

// Each behind its size.
function fields(arrays) {
  return join(arrays.flatMap((bytes) => {
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, bytes.length, true);
    return [size, bytes];
  }));
}

function join(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// What of the opened files is the target: one file is itself, several are the folder they share,
// which gets a name if they came without one.
function whole(files) {
  if (files.length === 1) return { name: files[0].path, below: '' };
  const parts = files.map(({ path }) => path.split('/').slice(0, -1));
  const first = parts[0];
  let shared = 0;
  while (shared < first.length && parts.every((other) => other[shared] === first[shared])) shared += 1;
  return shared > 0 ? { name: first.slice(0, shared).join('/'), below: '' } : { name: 'files', below: 'files/' };
}

export async function createEngine({ wasm } = {}) {
  const options = {};
  if (wasm instanceof Uint8Array) options.wasmBinary = wasm;
  else if (wasm) options.locateFile = () => String(wasm);
  return new VarveEngine(await createVarve(options));
}
