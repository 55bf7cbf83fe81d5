// SPDX-License-Identifier: Apache-2.0
// Many changes of a playground in one call of the worker.
import type { Playground } from '@varve/engine';
import type { Change, Written } from './engine';

export function writeAll(on: Pick<Playground, 'write'>, changes: Change[]): Written {
  for (const [written, change] of changes.entries()) {
    try {
      on.write(change);
    } catch (error) {
      return { written, refused: error instanceof Error ? error.message : String(error) };
    }
  }
  return { written: changes.length };
}
