// SPDX-License-Identifier: Apache-2.0

export interface VarveRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** "/api/v1/targets/t1/files?page_size=10" */
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

export interface VarveResponse {
  status: number;
  headers: [string, string][];
  body: Uint8Array;
}

/** Whatever can be read at an offset, of any size: a file descriptor in node, for one. */
export interface Readable {
  size: number;
  /** Fewer bytes only at the end. What it throws is an I/O error of the request. */
  read(offset: number, size: number): Uint8Array;
}

/** A File is read in place, in slices (in a worker only); bytes are read where they are. */
export interface OpenedFile {
  /** Relative to what is opened: "db/000012.sst". */
  path: string;
  file: File | Uint8Array | Readable;
}

/** Slots of the origin private file system, for databases that outlive the page. */
export interface Store {
  readonly handles: object[];
  grow(slots: number): Promise<void>;
  /** Opens more if `free` (the engine's freeSlots) is low; between calls that write much. */
  ensure(free: number): Promise<void>;
  close(): void;
}

/** In a worker; fails if another tab has it open. */
export function openStore(name?: string): Promise<Store>;

/** What was asked for cannot be done; the message says why and where. */
export class VarveError extends Error {}

export interface Change {
  kind: 'put' | 'delete' | 'single_delete' | 'merge' | 'range_delete';
  key: Uint8Array;
  /** Of a range deletion: its end. */
  value?: Uint8Array;
  /** "default" if not given. */
  family?: string;
}

export interface StoredFile {
  name: string;
  bytes: Uint8Array;
}

/** A file that a directory gets. A File is read in pieces (in a worker only), as a Readable is. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array | Blob | Readable;
}

export interface Playground {
  /** The target of the API that shows it. */
  readonly target: string;
  /** What became of its tables, for people, if it was repaired. */
  readonly repaired: string | undefined;
  /** Fails if compactions are so far behind that the engine would slow down the writer. */
  write(change: Change): void;
  put(key: Uint8Array, value: Uint8Array): void;
  delete(key: Uint8Array): void;
  deleteRange(from: Uint8Array, to: Uint8Array): void;
  /** Makes a table of the records, keys in ascending order, and adds it. */
  ingest(records: [key: Uint8Array, value: Uint8Array][], family?: string): void;
  createFamily(name: string): void;
  /** The sequence number to read at (`at_seq` of the API), until it is released. */
  snapshot(): number;
  release(sequence: number): void;
  /** What one search for the file of a key takes among its tables, with that grade of file_search. */
  searchNanoseconds(grade: string): number;
  flush(): void;
  /** Everything, to the last level. */
  compact(): void;
  /** One flush or compaction that is due; false: none is. */
  step(): boolean;
  /** As they lie on disk: a directory of these opens with RocksDB. */
  files(): StoredFile[];
  /** Their names, for those that do not fit into memory. */
  sizes(): { name: string; size: number }[];
  /** A part of one; fewer bytes only at its end. */
  read(name: string, offset: number, size: number): Uint8Array;
  close(): void;
}

export interface Entry {
  key: Uint8Array;
  seq: bigint;
  /** "put", "delete", "merge", "range_delete", … as the API names them. */
  type: string;
  value: Uint8Array;
}

export interface Engine {
  /** Asks the API of webview/api; the same bytes as over HTTP. */
  request(request: VarveRequest): VarveResponse;
  /** The body piece by piece: lists as JSON lines, events of jobs. `null`: nothing yet, step(). */
  stream(request: VarveRequest): Generator<Uint8Array | null, void, void>;
  /** Opens a file, or a folder of files; returns its target. */
  open(files: OpenedFile[]): string;
  close(target: string): void;
  /** Works on jobs for about so long; false: there are none. */
  step(budgetMicros?: number): boolean;
  /** Databases can be stored from now on; those of before are there again. */
  mount(store: Store): void;
  readonly freeSlots: number;
  /** Names of the stored databases. */
  stored(): string[];
  removeStored(name: string): void;
  /** A new database in memory, or the stored one of that name, made if need be; options as of `varve options`. */
  playground(options?: Record<string, string>, stored?: string, given?: {
    /** What its directory holds at first: of a database that crashed, or was damaged. */
    files?: GivenFile[];
    /** Makes a new database of what can be read in them. */
    repair?: boolean;
  }): Playground;
  /** The value of a key of a database that was opened, or undefined. */
  get(target: string, key: Uint8Array, family?: string): Uint8Array | undefined;
  /** What a table holds, oldest versions and deletions included, in its order. */
  entries(target: string, range?: { from?: Uint8Array; to?: Uint8Array; file?: string }): Generator<Entry, void, void>;
  /** Records of a database in key order. */
  scan(target: string, range?: { from?: Uint8Array; to?: Uint8Array; family?: string }): Generator<{ key: Uint8Array; value: Uint8Array }, void, void>;
}

/** Loads the module. `wasm`: where varve.wasm lies, or its bytes; beside this file if not given. */
export function createEngine(options?: { wasm?: string | URL | Uint8Array }): Promise<Engine>;
