// SPDX-License-Identifier: Apache-2.0
// While a view is saved as a page, tables have all their rows in it, not only those in sight.
import { useSyncExternalStore } from 'react';

export const kWholeRows = 5000; // Of each table, at most.

let isWhole = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setWhole(whole: boolean): void {
  isWhole = whole;
  for (const listener of listeners) listener();
}

export const useIsWhole = () => useSyncExternalStore(subscribe, () => isWhole);
