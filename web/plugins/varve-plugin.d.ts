// SPDX-License-Identifier: Apache-2.0
/* eslint-disable @typescript-eslint/no-explicit-any -- documents of the API are of many shapes. */
// What a plugin of Varve's page is: one file, a module of JavaScript, whose default export is a
// Plugin. For an editor that checks it while it is written:
//
//   // @ts-check
//   /** @type {import('./varve-plugin').Plugin} */
//   export default { name: 'mine', title: 'Mine', value: { decode: (value) => value.length } };
//
// It runs in an interpreter of its own, which has the language (ES2023) and what is declared in
// `Sandbox` below, and nothing of a browser: no network, no page, no storage, no clock but Date.

export interface Plugin {
  /** What links and SQL know it by: a letter, then letters, digits or _; all small, 32 at most. */
  name: string;
  /** What people know it by; 60 characters at most. */
  title: string;
  /** One sentence; 300 characters at most. */
  about?: string;
  version?: string;
  key?: Decoder;
  value?: Decoder;
  view?: View;
}

export interface Decoder {
  /**
   * What the bytes mean: text, a number, or whatever JSON can say. Besides: a bigint, which is shown
   * as digits; bytes, shown as hex:…; Map and Set, as objects and lists. Undefined: they are none of
   * this plugin's. An error that is thrown is shown in their place. `other` is the value of that key
   * or the key of that value, where it is known. At most 250 ms and 1 MiB of JSON for each.
   */
  decode(bytes: Uint8Array, other: Uint8Array | undefined): unknown;
  /**
   * Names of columns that tables have for it: the member of that name of what decode() gave, or of a
   * list the item at that place. At most 16.
   */
  columns?: string[];
}

export interface View {
  /** What a person can set; kept in the link. At most 8. */
  controls?: Control[];
  /** Made anew when a control changes. At most 20 s of its own, without what it waits for. */
  draw(about: About): Promise<Block[]> | Block[];
}

export interface Control {
  name: string;
  label: string;
  /** Without it, the control is a text. */
  number?: { unset: number; max: number };
}

export interface About {
  /** Of the page: the name of the target, and of the column family. */
  target: string;
  family: string;
  /** What the controls say. */
  set: Record<string, string | number>;
  /**
   * A document of the API (GET, of this target only): ask('/cfs/default/scan', { page_size: 100 }).
   * What it can be asked is in GET /api/v1/openapi.json, below /targets/{t}. Rejects with the
   * problem's title and detail. At most 2,000 times.
   */
  ask(path: string, query?: Record<string, string | number | boolean>): Promise<any>;
  /** The same of a list, page by page, to its end. */
  pages(path: string, query?: Record<string, string | number | boolean>): AsyncGenerator<any, void>;
}

/** What the page draws. At most 100 of them, 20,000 rows and 8 MiB in all. */
export type Block =
  | { heading: string }
  | { text: string }
  | { code: string }
  | { facts: [name: string, value: Cell][] }
  | { bars: [label: string, value: number][]; title: string; unit?: 'bytes' }
  | { table: { columns: string[]; rows: Cell[][] }; title: string };

export type Cell = string | number | null;

/** The bytes of a document of the API: a key, a value, a bound. */
export interface ApiBytes {
  len: number;
  text?: string;
  hex?: string;
  b64?: string;
  truncated?: boolean;
}

/** Beside the language. */
export interface Sandbox {
  varve: {
    /** Bytes of the API as bytes. */
    bytes(from: ApiBytes): Uint8Array;
    hex(bytes: Uint8Array): string;
  };
  /** For UTF-8 only. */
  TextDecoder: {
    new (label?: string, options?: { fatal?: boolean }): { decode(bytes?: Uint8Array): string };
  };
  TextEncoder: { new (): { encode(text?: string): Uint8Array } };
}

declare global {
  const varve: Sandbox['varve'];
}
