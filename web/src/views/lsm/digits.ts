// SPDX-License-Identifier: Apache-2.0
// Keys as numbers, so that they have distances. What some keys have in common at their beginning is
// left out; each byte after it is a digit, in the smallest usual alphabet that all of them use there:
//
//   user:0040  user:0917     "user:0" is common, then decimal digits: 0.040 and 0.917
//
// The order of the numbers is that of the bytes. Keys of other letters lie between the digits.
import { commonPrefix } from '@/lib/prefix';

const kDigitsMost = 16; // Of more, a double says nothing.
const kPrecision = 1e-13;

class Alphabet {
  private readonly below = new Uint16Array(257); // below[b]: how many of it come before byte b.

  constructor(readonly bytes: number[]) {
    for (let byte = 0; byte < 256; byte += 1)
      this.below[byte + 1] = this.below[byte]! + (bytes.includes(byte) ? 1 : 0);
  }
  rank(byte: number): number {
    return this.below[byte]!;
  }
  has(byte: number): boolean {
    return this.below[byte + 1]! > this.below[byte]!;
  }
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const kDecimal = range(0x30, 0x39);
const kUpper = range(0x41, 0x5a);
const kLower = range(0x61, 0x7a);
const kAlphabets = [
  kDecimal,
  [...kDecimal, ...range(0x61, 0x66)],
  [...kDecimal, ...range(0x41, 0x46)],
  kLower,
  kUpper,
  [...kDecimal, ...kUpper, ...kLower],
  range(0x20, 0x7e),
  range(0, 0xff),
].map((bytes) => new Alphabet(bytes));

const nibble = (code: number) => (code < 0x3a ? code - 0x30 : code - 0x57); // Of "0-9a-f".
const byteAt = (hex: string, at: number) =>
  16 * nibble(hex.charCodeAt(at)) + nibble(hex.charCodeAt(at + 1));

export class Digits {
  private readonly prefix: string;
  private readonly alphabets: Alphabet[] = [];

  // Of keys in hex. In any order, but the first and the last are the extremes.
  constructor(keys: string[]) {
    const first = keys[0] ?? '';
    this.prefix = commonPrefix(first, keys.at(-1) ?? '');
    for (let i = 0; i < kDigitsMost; i += 1) {
      const at = this.prefix.length + 2 * i;
      const used = new Uint8Array(256);
      for (const key of keys) if (key.length > at) used[byteAt(key, at)] = 1;
      if (!used.includes(1)) break;
      this.alphabets.push(
        kAlphabets.find((one) => used.every((is, byte) => !is || one.has(byte)))!,
      );
    }
  }

  // In [0, 1].
  value(hex: string): number {
    if (!hex.startsWith(this.prefix)) return hex < this.prefix ? 0 : 1;
    let value = 0;
    let place = 1;
    let at = this.prefix.length;
    for (const alphabet of this.alphabets) {
      if (at >= hex.length || place < kPrecision) break;
      const byte = byteAt(hex, at);
      at += 2;
      place /= alphabet.bytes.length;
      value += place * alphabet.rank(byte);
      if (!alphabet.has(byte)) break;
    }
    return value;
  }

  // A key of that value, or nearly.
  key(value: number): string {
    let hex = this.prefix;
    let left = Math.min(1 - kPrecision, Math.max(0, value)) + kPrecision / 2;
    let place = 1;
    for (const { bytes } of this.alphabets) {
      place /= bytes.length;
      const digit = Math.min(bytes.length - 1, Math.floor(left / place));
      left -= digit * place;
      hex += bytes[digit]!.toString(16).padStart(2, '0');
      if (left < kPrecision) break;
    }
    return hex;
  }
}
