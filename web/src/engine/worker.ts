// SPDX-License-Identifier: Apache-2.0
// The worker that has the engine. It answers one call after the other; jobs and event streams go on
// in between, a slice at a time.
import { createEngine, openStore, type Engine, type Playground, type Store } from '@varve/engine';
import type { Answer, Call, PlaygroundCall, Question } from './protocol';
import { writeAll, writeNumbered } from './write_all';

const kSlice = 12_000; // Microseconds of work on a job between looks at the mailbox.
const kPause = 30; // Milliseconds between looks at a stream that had nothing to say.

let engine: Engine;
const ready = createEngine().then((made) => {
  engine = made;
});
const playgrounds = new Map<string, Playground>();
let store: Store | null = null; // Of databases that the browser keeps, once one was asked for.
const streams = new Map<number, Generator<Uint8Array | null, void, void>>();
let working = false;

const say = (answer: Answer) => self.postMessage(answer);

function play(on: Playground, what: PlaygroundCall): unknown {
  switch (what.do) {
    case 'write':
      return writeAll(on, what.changes);
    case 'writeNumbered':
      return writeNumbered(on, what.slice);
    case 'ingest':
      return on.ingest(what.records, what.family);
    case 'createFamily':
      return on.createFamily(what.name);
    case 'snapshot':
      return on.snapshot();
    case 'release':
      return on.release(what.sequence);
    case 'searchNanoseconds':
      return on.searchNanoseconds(what.grade);
    case 'flush':
      return on.flush();
    case 'compact':
      return on.compact();
    case 'work':
      return on.step();
    case 'files':
      return on.files();
    case 'sizes':
      return on.sizes();
    case 'read':
      return on.read(what.name, what.offset, what.size);
    case 'close':
      playgrounds.delete(on.target);
      return on.close();
  }
}

// With slots for the files that a database begins with.
async function mount(files: number): Promise<void> {
  if (!store) await mountStore();
  while (store && engine.freeSlots < files) await store.grow(files - engine.freeSlots);
}

async function mountStore(): Promise<void> {
  store = await openStore().catch((error: unknown) => {
    throw new Error(
      `the browser's storage cannot be opened, perhaps because another tab has it: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  engine.mount(store);
}

function answer(of: Call): unknown {
  switch (of.call) {
    case 'request':
      return engine.request(of.request);
    case 'open':
      return engine.open(of.files);
    case 'playground': {
      if (of.kept?.anew && engine.stored().includes(of.kept.name))
        engine.removeStored(of.kept.name);
      const made = engine.playground(of.options, of.kept?.name, of.given);
      playgrounds.set(made.target, made);
      return { target: made.target, repaired: made.repaired };
    }
    case 'play': {
      const on = playgrounds.get(of.target);
      if (!on) throw new Error('that playground has been closed');
      return play(on, of.what);
    }
    case 'cancel':
      streams.get(of.stream)?.return();
      streams.delete(of.stream);
      return undefined;
    case 'stream':
      return undefined; // Begun by the caller.
  }
}

// Hands on what a stream has, and looks again later if it had nothing.
function pump(id: number): void {
  const stream = streams.get(id);
  if (!stream) return;
  try {
    for (let next = stream.next(); ; next = stream.next()) {
      if (next.done) break;
      if (next.value === null) {
        setTimeout(() => pump(id), kPause);
        return;
      }
      say({ id, piece: next.value });
    }
    say({ id, end: true });
  } catch (error) {
    say({ id, error: error instanceof Error ? error.message : String(error) });
  }
  streams.delete(id);
}

function work(): void {
  working = engine.step(kSlice);
  if (working) setTimeout(work);
}

self.onmessage = async ({ data: { id, of } }: MessageEvent<Question>) => {
  try {
    await ready;
    if (of.call === 'stream') {
      streams.set(id, engine.stream(of.request));
      pump(id);
    } else {
      if (of.call === 'playground' && of.kept) await mount(of.given?.files.length ?? 0);
      say({ id, result: answer(of) });
      await store?.ensure(engine.freeSlots);
    }
  } catch (error) {
    say({ id, error: error instanceof Error ? error.message : String(error) });
  }
  if (!working) work();
};
