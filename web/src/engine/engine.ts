// SPDX-License-Identifier: Apache-2.0
// What the app asks, whoever answers: a server over HTTP or the WebAssembly module in a worker.
// Both answer with the same bytes (webview/api); they differ only in what the root resource says
// that they can.
import type { Numbered } from '@/lib/numbered';

export interface Engine {
  // Which part of a link names it: "#/h/t/t1" is a target of the server, "#/w/t/t1" one in this tab.
  readonly letter: 'h' | 'w';
  readonly name: 'http' | 'wasm';
  // Answers what is asked of this page's /api/v1; the events of a job come as they happen.
  fetch(request: Request): Promise<Response>;
  // Since when it does not answer, in ms as of Date.now(); null while it does. Only of a server.
  lostSince?(): number | null;
  onLostSince?(changed: () => void): () => void; // Returns what ends it.
  // Opens dropped files; only where files can be given to the engine without a server.
  attach?(files: DroppedFile[]): Promise<{ target: string }>;
  // A new, empty database to play with, in memory, or the one that the browser keeps under a name;
  // only where the engine runs in this tab.
  playground?(options: Record<string, string>, kept?: Kept, given?: Given): Promise<Playground>;
}

// A database in the origin private file system; `anew`: without what is in it.
export interface Kept {
  name: string;
  anew: boolean;
}

export interface StoredFile {
  name: string;
  bytes: Uint8Array;
}

// What the directory of a new playground holds; `repair`: a database is made of what can be read.
export interface Given {
  files: { name: string; bytes: Uint8Array | Blob }[];
  repair?: boolean;
}

export interface Change {
  kind: 'put' | 'delete' | 'single_delete' | 'merge' | 'range_delete';
  key: Uint8Array;
  value?: Uint8Array; // Of a range deletion: its end.
  family?: string;
}

// A database that lives in this tab. It is a target like any other besides.
export interface Playground {
  readonly target: string;
  readonly repaired?: string | undefined; // What became of its tables, if it was repaired.
  // One after the other, until one is refused; how many were written.
  write(changes: Change[]): Promise<Written>;
  writeNumbered(slice: Slice): Promise<Written>;
  ingest(records: [Uint8Array, Uint8Array][], family?: string): Promise<void>;
  createFamily(name: string): Promise<void>;
  snapshot(): Promise<number>; // A sequence number to read at, until it is released.
  release(sequence: number): Promise<void>;
  searchNanoseconds(grade: string): Promise<number>; // Of one search for a file.
  flush(): Promise<void>; // Of all families, as compact().
  compact(): Promise<void>; // Everything, to the last level.
  work(): Promise<boolean>; // One flush or compaction that is due; false: none is.
  files(): Promise<StoredFile[]>; // As they lie on disk.
  sizes(): Promise<FileSize[]>; // Of all of them, for those that do not fit into memory.
  read(name: string, offset: number, size: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

// Records that are made where the engine is, so that the page has no work with them.
export interface Slice extends Numbered {
  kind: 'put' | 'delete';
  family: string;
  from: number; // Places in the count.
  to: number;
  working: boolean; // Flushes and compactions run as they become due.
}

export interface FileSize {
  name: string;
  size: number;
}

export interface Written {
  written: number;
  refused?: string; // Why the next one was not.
}

export interface DroppedFile {
  path: string; // "db/000012.sst"; relative to what was dropped.
  file: File;
}
