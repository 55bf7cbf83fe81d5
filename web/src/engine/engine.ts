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
  // Bytes that have left this tab, for the status bar.
  readonly sentBytes: number;
}

export interface DroppedFile {
  path: string; // "db/000012.sst"; relative to what was dropped.
  file: File;
}
