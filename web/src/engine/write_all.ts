// SPDX-License-Identifier: Apache-2.0
// Many changes of a playground in one call of the worker.
import type { Playground } from '@varve/engine';
import { numbered, numbersOf } from '@/lib/numbered';
import type { Change, Slice, Written } from './engine';

const refusal = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function writeAll(on: Pick<Playground, 'write'>, changes: Change[]): Written {
  for (const [written, change] of changes.entries()) {
    try {
      on.write(change);
    } catch (error) {
      return { written, refused: refusal(error) };
    }
  }
  return { written: changes.length };
}

const encoder = new TextEncoder();

export function writeNumbered(on: Pick<Playground, 'write' | 'step'>, slice: Slice): Written {
  const { kind, family, key, value, from, to, working } = slice;
  let written = 0;
  for (const n of numbersOf(slice, from, to)) {
    const change: Change = { kind, family, key: encoder.encode(numbered(key, n)) };
    if (kind === 'put') change.value = encoder.encode(numbered(value, n));
    try {
      on.write(change);
    } catch (error) {
      return { written, refused: refusal(error) };
    }
    written += 1;
    if (working) while (on.step());
  }
  return { written };
}
