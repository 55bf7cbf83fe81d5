// SPDX-License-Identifier: Apache-2.0
// The keys that are written below a map.
import { decode, fromHex, shorten } from '@/lib/bytes';
import { commonPrefix } from '@/lib/prefix';
import type { Span } from '@/ui/span_hands';
import type { KeyAxis } from './axis';

export interface Tick {
  place: number; // On the axis.
  hex: string;
}

// About `most` keys over what is shown, each as short as it can be there.
export function ticksOf(axis: KeyAxis, shown: Span, most: number): Tick[] {
  const step = (shown.to - shown.from) / Math.max(1, most);
  const ticks: Tick[] = [];
  for (let i = 0; i <= most; i += 1) {
    const hex = axis.keyAt(shown.from + i * step, step / 4);
    const place = axis.at(hex);
    if (hex !== ticks.at(-1)?.hex && place >= shown.from - 1e-9 && place <= shown.to + 1e-9)
      ticks.push({ place, hex });
  }
  return ticks;
}

const kPrefixLeast = 4; // Bytes; less is not worth leaving out.

// What all keys that are shown begin with, if it is long: it is said once.
export function prefixOf(axis: KeyAxis, shown: Span): string {
  const prefix = commonPrefix(axis.keyAt(shown.from), axis.keyAt(shown.to));
  return prefix.length / 2 >= kPrefixLeast ? prefix : '';
}

export const textOf = (hex: string) => decode(bytesOf(hex));

function bytesOf(hex: string) {
  const raw = fromHex(hex);
  const printable = raw.every((byte) => byte >= 0x20 && byte < 0x7f);
  return { hex, len: raw.length, ...(printable && { text: String.fromCharCode(...raw) }) };
}

export function tickLabel(hex: string, prefix: string): string {
  if (!prefix || !hex.startsWith(prefix)) return shorten(textOf(hex), 18);
  const rest = hex.slice(prefix.length);
  return rest ? `…${shorten(textOf(rest), 16)}` : '…';
}
