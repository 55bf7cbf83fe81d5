// SPDX-License-Identifier: Apache-2.0
// A folder of the origin private file system as slots for the engine: its access handles can only
// be opened asynchronously, so some are always open ahead. In a worker only.
const kStep = 32; // Slots opened at a time.

class Store {
  /** What the engine reads and writes; grows. */
  handles = [];
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  async grow(slots) {
    const from = this.handles.length;
    const opened = await Promise.all(Array.from({ length: slots }, (_, i) => this.#open(from + i)));
    this.handles.push(...opened);
  }

  /** Opens more if fewer than half are free: a compaction of everything writes as many as it reads. */
  async ensure(free) {
    if (free < this.handles.length / 2) await this.grow(kStep);
  }

  close() {
    for (const handle of this.handles) handle.close();
    this.handles.length = 0;
  }

  async #open(slot) {
    const file = await this.#folder.getFileHandle(`slot-${slot}`, { create: true });
    return file.createSyncAccessHandle();
  }
}

// Fails if another tab has it open.
export async function openStore(name = 'varve') {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(name, { create: true });
  let there = 0;
  for await (const file of folder.keys()) if (/^slot-\d+$/.test(file)) there += 1;
  const store = new Store(folder);
  try {
    await store.grow(Math.max(there, kStep));
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

// What the module calls (wasm/access_handles.cc), over a store's handles.
export class Slots {
  #module;
  #handles;
  #trouble = null;

  constructor(module, { handles }) {
    this.#module = module;
    this.#handles = handles;
  }

  count() {
    return this.#handles.length;
  }

  read(slot, at, size, to) {
    return this.#try(slot, (handle) => handle.read(this.#bytes(to, size), { at }));
  }

  write(slot, at, size, from) {
    return this.#try(slot, (handle) => handle.write(this.#bytes(from, size), { at }));
  }

  size(slot) {
    return this.#try(slot, (handle) => handle.getSize());
  }

  resize(slot, size) {
    return this.#try(slot, (handle) => handle.truncate(size) ?? 0);
  }

  flush(slot) {
    return this.#try(slot, (handle) => handle.flush() ?? 0);
  }

  trouble() {
    return String(this.#trouble?.message);
  }

  full() {
    return this.#trouble?.name === 'QuotaExceededError';
  }

  #bytes(at, size) {
    return this.#module.HEAPU8.subarray(at >>> 0, (at >>> 0) + size);
  }

  #try(slot, work) {
    try {
      return work(this.#handles[slot]);
    } catch (error) {
      this.#trouble = error;
      return -1;
    }
  }
}
