// SPDX-License-Identifier: Apache-2.0
// Which bytes of a block mean what: fields that a hex view marks and says. Pure.
import type { BlockEntry, LayoutRange } from '@/api/openapi';
import { decode, shorten } from '@/lib/bytes';

export interface Field {
  start: number; // In the bytes that are shown.
  end: number;
  name: string;
  meaning: string;
  tone: number; // Of alternating colours.
  entry?: number;
}

export function varintLength(n: number): number {
  let length = 1;
  for (; n >= 128; n = Math.floor(n / 128)) length += 1;
  return length;
}

// The fields of a block of entries, decompressed:
//
//   shared | non_shared | [value length] | key's new bytes | value      … entry by entry
//   restarts, their number                                              … the rest
//
// Values of index blocks may be stored as differences, and then have no length of their own: the
// value is what lies between the key and the next entry.
export function entryFields(entries: BlockEntry[], size: number): Field[] {
  const fields: Field[] = [];
  entries.forEach((entry, i) => {
    const next = entries[i + 1]?.offset ?? null;
    let at = entry.offset;
    const add = (length: number, name: string, meaning: string, tone: number) => {
      if (length > 0)
        fields.push({ start: at, end: Math.min(size, at + length), name, meaning, tone, entry: i });
      at += length;
    };
    const valueLength = entry.value?.len;
    add(varintLength(entry.shared), 'shared', `${entry.shared} bytes of the key before`, 0);
    add(
      varintLength(entry.non_shared),
      'non_shared',
      `${entry.non_shared} bytes of the key here`,
      0,
    );
    if (valueLength !== undefined)
      add(varintLength(valueLength), 'value length', `${valueLength} bytes`, 0);
    add(
      entry.non_shared,
      'key',
      `${shorten(decode(entry.key), 60)}${entry.seq ? ` @${entry.seq} ${entry.type}` : ''}`,
      i % 2 === 0 ? 1 : 2,
    );
    if (valueLength !== undefined)
      add(
        valueLength,
        'value',
        entry.value ? shorten(decode(entry.value), 60) : '',
        i % 2 === 0 ? 3 : 4,
      );
    else if (next !== null)
      add(
        next - at,
        'handle',
        `block at ${entry.handle?.offset}, ${entry.handle?.size} bytes`,
        i % 2 === 0 ? 3 : 4,
      );
  });
  const end = fields.at(-1)?.end ?? 0;
  if (end < size)
    fields.push({
      start: end,
      end: size,
      name: 'restarts',
      meaning: 'offsets of the restart points, and how many',
      tone: 5,
    });
  return fields;
}

// The leaves of the API's layout, from `base` on.
export function leafFields(leaves: LayoutRange[], base: number): Field[] {
  return leaves.map((leaf, i) => {
    const path = leaf.path ?? leaf.kind;
    const value = leaf.number ?? (leaf.bytes ? shorten(decode(leaf.bytes), 60) : '');
    return {
      start: leaf.o - base,
      end: leaf.o - base + leaf.n,
      name: path,
      meaning: [value, leaf.note].filter(Boolean).join(' · '),
      tone: toneOfPath(path, i),
    };
  });
}

function toneOfPath(path: string, i: number): number {
  if (/trailer|checksum|compression|restart|magic|footer/.test(path)) return 5;
  if (/key/.test(path)) return 1 + (i % 2);
  return /value|handle|bits/.test(path) ? 3 : 0;
}

// The field that a byte belongs to: fields are in order and do not overlap.
export function fieldAt(fields: Field[], at: number): number {
  let low = 0;
  let high = fields.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fields[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low < fields.length && fields[low]!.start <= at ? low : -1;
}

// Where a pattern of bytes occurs next, behind `from`, wrapping around; −1: nowhere.
export function findBytes(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  if (pattern.length === 0 || pattern.length > bytes.length) return -1;
  const places = bytes.length - pattern.length + 1;
  for (let step = 1; step <= places; step += 1) {
    const at = (from + step) % places;
    if (pattern.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}
