// SPDX-License-Identifier: Apache-2.0
// What the app asks, whoever answers: a server over HTTP or the WebAssembly module in a worker.
// Both answer with the same bytes (webview/api); they differ only in what the root resource says
// that they can.

export interface EngineRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string; // "/api/v1/targets/t1?edit=3"
  headers?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
}

export interface EngineResponse {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

export interface Engine {
  // Which part of a link names it: "#/h/t/t1" is a target of the server, "#/w/t/t1" one in this tab.
  readonly letter: 'h' | 'w';
  readonly name: 'http' | 'wasm';
  request(request: EngineRequest): Promise<EngineResponse>;
  // Pieces as they come, of a list as JSON lines or of a job's events.
  stream(request: EngineRequest): AsyncIterable<Uint8Array>;
  // Opens dropped files; only where files can be given to the engine without a server.
  attach?(files: DroppedFile[]): Promise<{ target: string }>;
  // A new, empty database to play with, in memory, or the one that the browser keeps under a name;
  // only where the engine runs in this tab.
  playground?(options: Record<string, string>, kept?: Kept): Promise<Playground>;
  // Bytes that have left this tab, for the status bar.
  readonly sentBytes: number;
}

// A database in the origin private file system; `anew`: without what is in it.
export interface Kept {
  name: string;
  anew: boolean;
}

// A database that lives in this tab. It is a target like any other besides.
export interface Playground {
  readonly target: string;
  put(key: Uint8Array, value: Uint8Array): Promise<void>;
  delete(key: Uint8Array): Promise<void>;
  deleteRange(from: Uint8Array, to: Uint8Array): Promise<void>;
  flush(): Promise<void>;
  compact(): Promise<void>; // Everything, to the last level.
  work(): Promise<boolean>; // One flush or compaction that is due; false: none is.
  files(): Promise<{ name: string; bytes: Uint8Array }[]>; // As they lie on disk.
  close(): Promise<void>;
}

export interface DroppedFile {
  path: string; // "db/000012.sst"; relative to what was dropped.
  file: File;
}
