// SPDX-License-Identifier: Apache-2.0
// What a file is made of, from its first byte to its last, as boxes on a line. By "bytes" a part is
// as wide as it is long; "evenly" every part is as wide as the others, so that small ones are seen.
import type { LayoutRange } from '@/api/openapi';

export type MapScale = 'bytes' | 'evenly';

export interface MapBox {
  x: number;
  width: number;
  range: LayoutRange; // The first.
  count: number;
}

// The token of a kind's colour.
export function toneOf(kind: string): 'data' | 'index' | 'filter' | 'meta' | 'footer' | 'bad' {
  if (kind.startsWith('data')) return 'data';
  if (kind.startsWith('index')) return 'index';
  if (kind.includes('filter')) return 'filter';
  if (kind === 'footer') return 'footer';
  return kind === 'unreferenced' ? 'bad' : 'meta';
}

// Neighbours of one tone that share a pixel run together.
export function mapBoxes(ranges: LayoutRange[], scale: MapScale, pixels: number): MapBox[] {
  const size = ranges.reduce((sum, range) => sum + range.n, 0);
  const boxes: MapBox[] = [];
  let at = 0;
  for (const range of ranges) {
    const share = scale === 'bytes' ? range.n / Math.max(1, size) : 1 / ranges.length;
    const x = at * pixels;
    const width = share * pixels;
    at += share;
    const last = boxes.at(-1);
    if (
      last &&
      width < 1.5 &&
      last.width < 1.5 &&
      toneOf(last.range.kind) === toneOf(range.kind) &&
      x < last.x + 1.5
    ) {
      last.count += 1;
      last.width = Math.min(1.5, x + width - last.x);
    } else {
      boxes.push({ x, width, range, count: 1 });
    }
  }
  return boxes;
}

export interface KindTotal {
  kind: string;
  bytes: number;
  count: number;
}

export function totalsOf(ranges: LayoutRange[]): KindTotal[] {
  const totals = new Map<string, KindTotal>();
  for (const { kind, n } of ranges) {
    const total = totals.get(kind) ?? { kind, bytes: 0, count: 0 };
    total.bytes += n;
    total.count += 1;
    totals.set(kind, total);
  }
  return [...totals.values()].sort((a, b) => b.bytes - a.bytes);
}
