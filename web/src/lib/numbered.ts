// SPDX-License-Identifier: Apache-2.0
// Records that are made from a pattern and a number: what the playground's fill, scatter, load, erase
// and ingest write.

export interface Numbered {
  count: number;
  by: number; // From one number to the next.
  scattered: boolean; // In an order that looks random.
  key: string;
  value: string;
}

const kLettersMade = 64;
const kLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// Letters that look random and are the same each time.
function letters(n: number): string {
  let state = BigInt(n + 1) * 0x9e3779b97f4a7c15n;
  let text = '';
  for (let i = 0; i < kLettersMade; i += 1) {
    state = BigInt.asUintN(64, (state ^ (state >> 29n)) * 0xbf58476d1ce4e5b9n);
    text += kLetters[Number(state >> 58n)];
  }
  return text;
}

// `#` becomes 0000, 0001, …, `~` letters.
export function numbered(pattern: string, n: number): string {
  const text = pattern.replaceAll('#', String(n).padStart(4, '0'));
  return text.includes('~') ? text.replaceAll('~', letters(n)) : text;
}

export const kMostNumbered = 10_000_000;
const kStride = 10_000_019; // A prime above every count: each number comes once.

// The numbers from place `from` to place `to` of the count.
export function* numbersOf(
  of: Pick<Numbered, 'count' | 'by' | 'scattered'>,
  from = 0,
  to = of.count,
): Generator<number> {
  for (let i = from; i < to; i += 1) yield (of.scattered ? (i * kStride) % of.count : i) * of.by;
}
