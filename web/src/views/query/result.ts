// SPDX-License-Identifier: Apache-2.0
// What a statement says, and how much of it at most.

export type Cell = string | number | bigint | Uint8Array | null;

export interface Result {
  columns: string[];
  rows: Cell[][];
  more: 'rows' | 'bytes' | null; // There are further rows; what kept them from being taken.
}

export interface Bounds {
  rows: number;
  bytes: number; // Of texts and blobs in the result.
  heap: number; // Bytes that SQLite may have: tables, sorting, the lot.
}

export const kBounds: Bounds = { rows: 10_000, bytes: 32 << 20, heap: 1 << 30 };
