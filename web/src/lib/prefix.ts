// SPDX-License-Identifier: Apache-2.0
// A tree of key prefixes, found by skipping: of each child one key is asked for, so that a branch
// costs as many questions as it has children, however many keys lie below.
import { ask, type Client, type ParametersOf } from '@/engine/client';
import { hexOf } from './bytes';

type ScanParameters = ParametersOf<'/targets/{t}/cfs/{cf}/scan'>;

export interface Branch {
  prefix: string; // In hex.
  only: boolean; // It is one whole key.
}

const kDelimiters = new Set(['3a', '2f', '2e', '5f', '2d', '7c', '23', '00']); // : / . _ - | # NUL

// The first hex string that no key beginning with `prefix` reaches; null: there is none.
export function successor(prefix: string): string | null {
  for (let end = prefix.length; end > 0; end -= 2) {
    const byte = parseInt(prefix.slice(end - 2, end), 16);
    if (byte < 0xff) return prefix.slice(0, end - 2) + (byte + 1).toString(16).padStart(2, '0');
  }
  return null;
}

export function commonPrefix(a: string, b: string): string {
  let end = 0;
  while (end + 2 <= Math.min(a.length, b.length) && a.slice(end, end + 2) === b.slice(end, end + 2))
    end += 2;
  return a.slice(0, end);
}

// The branch that `key` lies on below `stem`: up to and with the next delimiter, else one byte.
export function branchOf(stem: string, key: string): string {
  for (let at = stem.length; at < key.length && at < stem.length + 64; at += 2) {
    if (kDelimiters.has(key.slice(at, at + 2))) return key.slice(0, at + 2);
  }
  return key.slice(0, stem.length + 2);
}

async function oneKey(
  client: Client,
  path: ScanParameters['path'],
  query: ScanParameters['query'],
): Promise<string | null> {
  const page = await client.get(
    ask('/targets/{t}/cfs/{cf}/scan', {
      path,
      query: { ...query, keys_only: true, page_size: 1, bytes: 'hex' },
    }),
  );
  const [row] = page.rows;
  return row ? hexOf(row.key) : null;
}

// The children of a prefix (bytewise order only), at most `most`.
export async function branches(
  client: Client,
  path: ScanParameters['path'],
  prefix: string,
  most: number,
): Promise<{ found: Branch[]; complete: boolean }> {
  const within = prefix ? { prefix: `hex:${prefix}` } : {};
  const first = await oneKey(client, path, within);
  const last = first === null ? null : await oneKey(client, path, { ...within, reverse: true });
  if (first === null || last === null) return { found: [], complete: true };
  const stem = commonPrefix(first, last);
  const found: Branch[] = [];
  for (let key: string | null = first; key !== null;) {
    if (found.length === most) return { found, complete: false };
    const child = branchOf(stem, key);
    found.push({ prefix: child, only: child === key && child === last });
    const next = child === key ? `${child}00` : successor(child);
    if (next === null || next > last) break;
    key = await oneKey(client, path, {
      from: `hex:${next}`,
      ...(prefix && successor(prefix) ? { to: `hex:${successor(prefix)!}` } : {}),
    });
  }
  return { found, complete: true };
}
