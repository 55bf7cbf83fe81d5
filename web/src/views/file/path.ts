// SPDX-License-Identifier: Apache-2.0
import { useTargetPath } from '@/engine/context';
import { useRoute } from '@/lib/route';

// What names the table of the route in paths of the API.
export interface FilePath {
  t: string;
  n: string;
}

export function useFilePath(): FilePath {
  return { ...useTargetPath(), n: useRoute().route.rest[0] ?? '0' };
}

// What was typed as an offset, "4096" or "0x1000"; null: it is none.
export function offsetOf(typed: string): number | null {
  const text = typed.replaceAll(/[\s_,]/g, '');
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(text)) return null;
  const offset = Number(text);
  return Number.isSafeInteger(offset) ? offset : null;
}
