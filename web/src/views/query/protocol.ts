// SPDX-License-Identifier: Apache-2.0
// What the page and the worker that has SQLite say to each other.
import type { Cell, Result } from './result';

export type SqlCall =
  | { do: 'create'; name: string; columns: string }
  | { do: 'add'; name: string; rows: Cell[][] }
  | { do: 'run'; sql: string };

// Each call is answered once, in order.
export type SqlAnswer = { result: Result | null } | { error: string };
