// SPDX-License-Identifier: Apache-2.0
// Changes of one record: what is typed and what it means, the command that makes the same change, and
// how it is asked for. A change is made only while the key has the value that was read before.
import type { Batch } from '@/api/openapi';
import { answerOf, ask, type Client } from '@/engine/client';
import { fromHex, literal, literalHex, rawBytes, toBase64, toHex, utf8 } from '@/lib/bytes';
import { quote, varve } from '@/lib/cli';

export type Form = 'text' | 'hex' | 'json';
export const kForms: Form[] = ['text', 'hex', 'json'];

// Of key and value together: more does not fit into the 64 KiB that a request may have.
export const kMostBytes = 40_000;

// What is typed is what is stored: nothing is left out of it, and nothing that no eye can see.
// Null: it cannot be typed in that form.
export function textOf(bytes: Uint8Array, form: Form): string | null {
  if (form === 'hex') return toHex(bytes).replace(/(.{64})(?=.)/g, '$1\n');
  const text = utf8(bytes);
  // A field for text makes "\n" of other ends of lines.
  if (text === null || /[^\P{C}\n\t]/u.test(text)) return null;
  return form === 'json' && parsed(text) === null ? null : text;
}

export function formOf(bytes: Uint8Array): Form {
  const text = utf8(bytes);
  const isObject = text !== null && /^\s*[[{]/.test(text);
  if (isObject && textOf(bytes, 'json') !== null) return 'json';
  return textOf(bytes, 'text') === null ? 'hex' : 'text';
}

export type Meant = { bytes: Uint8Array } | { wrong: string };

export function bytesOf(text: string, form: Form): Meant {
  if (form === 'hex') {
    const digits = text.replace(/\s/g, '');
    return /^([0-9a-fA-F]{2})*$/.test(digits)
      ? { bytes: fromHex(digits) }
      : { wrong: 'pairs of hex digits are expected' };
  }
  if (form === 'json' && parsed(text) === null) return { wrong: 'this is no JSON' };
  const bytes = new TextEncoder().encode(text);
  return utf8(bytes) === text ? { bytes } : { wrong: 'half of a character cannot be stored' };
}

export function keyOf(text: string): Meant {
  const hex = literalHex(text);
  return hex === null
    ? { wrong: 'no key: hex: takes pairs of digits, b64: base64, u64be: a number' }
    : { bytes: fromHex(hex) };
}

// In an array, so that null is a value.
function parsed(text: string): [unknown] | null {
  try {
    return [JSON.parse(text)];
  } catch {
    return null;
  }
}

export interface Change {
  op: 'put' | 'delete' | 'single_delete';
  key: Uint8Array;
  value?: Uint8Array; // Of a put.
}

// One line for a shell. The database must be closed for it.
export function commandOf({ op, key, value }: Change, name: string, cf: string): string {
  const place = `./${name}`;
  if (op === 'put') return varve('put', [place, argument(key), argument(value!)], { cf });
  if (op === 'delete') return varve('delete', [place, argument(key)], { cf });
  return `printf 'single-delete\\t%s\\n' ${quote(`hex:${toHex(key)}`)} | ${varve('batch', [place], { cf })}`;
}

// A literal that is neither a flag nor the name of a file.
function argument(raw: Uint8Array): string {
  const hex = toHex(raw);
  const text = utf8(raw);
  const word = literal({ hex, len: raw.length, ...(text === null ? {} : { text }) });
  return /^[-@]/.test(word) ? `hex:${hex}` : word;
}

// What a key has at a moment.
export interface Now {
  sha256: string | undefined; // Of its value; undefined: there is no such key.
  value: Uint8Array | null; // Null also if it is too long to be shown and put back.
  len: number;
  hasColumns: boolean; // A put would drop all but one.
}

export type FamilyPath = Record<'t' | 'cf', string>;

export async function readNow(client: Client, path: FamilyPath, key: Uint8Array): Promise<Now> {
  const hex = toHex(key);
  const get = (bytes?: 'full') =>
    client.get(
      ask('/targets/{t}/cfs/{cf}/get', {
        path,
        query: { key: `hex:${hex}`, digest: true, ...(bytes && { bytes }) },
      }),
    );
  let answer = await get();
  if (answer.value?.truncated && answer.value.len <= kMostBytes) answer = await get('full');
  const { sha256, value } = answer;
  if (!value) return { sha256, value: null, len: 0, hasColumns: false };
  const isWhole = !value.truncated;
  const versions = await client.get(
    ask('/targets/{t}/cfs/{cf}/scan', {
      path,
      query: { from: `hex:${hex}`, to: `hex:${hex}00`, versions: true, bytes: 'none', limit: 1 },
    }),
  );
  return {
    sha256,
    value: isWhole ? rawBytes(value) : null,
    len: value.len,
    hasColumns: versions.rows[0]?.type === 'wide_columns',
  };
}

export function bodyOf({ op, key, value }: Change, cf: string, { sha256 }: Pick<Now, 'sha256'>) {
  const place = { cf, key: `hex:${toHex(key)}` };
  const body: Batch = {
    ops: [op === 'put' ? { op, ...place, value: `b64:${toBase64(value!)}` } : { op, ...place }],
    expect: [{ ...place, ...(sha256 !== undefined && { sha256 }) }],
  };
  return body;
}

// Returns the sequence number of the change.
export async function send(client: Client, path: FamilyPath, change: Change, now: Now) {
  const params = { path: { t: path.t } };
  const body = bodyOf(change, path.cf, now);
  const answer = answerOf(await client.api().POST('/targets/{t}/batch', { params, body }));
  return answer.as_of.seq;
}

export function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
