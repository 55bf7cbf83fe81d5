// SPDX-License-Identifier: Apache-2.0
// The engine in this process, for unit tests: what the worker does, without a worker.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '@varve/engine';
import type { Engine } from '@/engine/engine';
import { writeAll, writeNumbered } from '@/engine/write_all';

const kModule = join(import.meta.dirname, '../../../build/wasm/package/varve.wasm');
const kMethods = ['GET', 'POST', 'PATCH'] as const;

export async function engineHere(): Promise<Engine> {
  const engine = await createEngine({ wasm: new Uint8Array(readFileSync(kModule)) });
  return {
    letter: 'w',
    name: 'wasm',
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { status, headers, body } = engine.request({
        method: kMethods.find((one) => one === request.method) ?? 'GET',
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: new Uint8Array(await request.arrayBuffer()),
      });
      while (engine.step());
      return new Response(new Uint8Array(body), { status, headers });
    },
    playground(options, kept, given) {
      const made = engine.playground(options, kept?.name, given);
      const now = async <T>(body: () => T) => Promise.resolve(body());
      return now(() => ({
        target: made.target,
        repaired: made.repaired,
        write: (changes) => now(() => writeAll(made, changes)),
        writeNumbered: (slice) => now(() => writeNumbered(made, slice)),
        ingest: (records, family) => now(() => made.ingest(records, family)),
        createFamily: (name) => now(() => made.createFamily(name)),
        snapshot: () => now(() => made.snapshot()),
        release: (sequence) => now(() => made.release(sequence)),
        searchNanoseconds: (grade) => now(() => made.searchNanoseconds(grade)),
        flush: () => now(() => made.flush()),
        compact: () => now(() => made.compact()),
        work: () => now(() => made.step()),
        files: () => now(() => made.files()),
        sizes: () => now(() => made.sizes()),
        read: (name, offset, size) => now(() => new Uint8Array(made.read(name, offset, size))),
        close: () => now(() => made.close()),
      }));
    },
  };
}
