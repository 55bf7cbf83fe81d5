// SPDX-License-Identifier: Apache-2.0
// Where keys lie on a map. Keys have an order and no distance, so the axis is made of the bounds of
// the files: between two neighbouring bounds lies one piece.
//
//   bounds    a       c   d           k       z
//   pieces    |   0   | 1 |     2     |   3   |
//   files     [───────────]
//                     [───────────────────────]
//
// By "key" all pieces are equally wide, but for those that no file lies over, which are narrow; by
// "bytes" each is as wide as the bytes of the files over it, so that what is stored, not how it is
// named, takes the room.
import type { FileSummary } from '@/api/openapi';
import { hexOf } from '@/lib/bytes';

export type AxisMode = 'key' | 'bytes';

// The bytewise order of hex strings is that of what they stand for.
export type KeyOrder = (a: string, b: string) => number;
const bytewise: KeyOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export function keyOrder(comparator: string): KeyOrder {
  return comparator === 'rocksdb.ReverseBytewiseComparator' ? (a, b) => bytewise(b, a) : bytewise;
}

const kGap = 0.1; // Of the width of a piece with files.

export interface Span {
  from: number; // In [0, 1] of the axis.
  to: number;
}

export class KeyAxis {
  private readonly bounds: string[];
  private readonly starts: Float64Array; // starts[i]: of bound i, in [0, 1].
  readonly spans: Map<FileSummary, Span>;

  constructor(
    files: FileSummary[],
    mode: AxisMode,
    private readonly order: KeyOrder = bytewise,
  ) {
    const ends = files.map((file) => [hexOf(file.smallest.key), hexOf(file.largest.key)] as const);
    this.bounds = [...new Set(ends.flat())].sort(order);
    const place = new Map(this.bounds.map((bound, i) => [bound, i]));
    const ranks = ends.map(([from, to]) => [place.get(from)!, place.get(to)!] as const);
    this.starts = this.widths(files, ranks, mode);
    this.spans = new Map(
      files.map((file, i) => [
        file,
        { from: this.starts[ranks[i]![0]]!, to: this.starts[ranks[i]![1]]! },
      ]),
    );
  }

  private widths(
    files: FileSummary[],
    ranks: (readonly [number, number])[],
    mode: AxisMode,
  ): Float64Array {
    const pieces = Math.max(1, this.bounds.length - 1);
    const covers = new Int32Array(pieces + 1);
    const bytes = new Float64Array(pieces + 1);
    files.forEach((file, i) => {
      const [from, to] = ranks[i]!;
      if (to <= from) return;
      covers[from]! += 1;
      covers[to]! -= 1;
      bytes[from]! += file.size / (to - from);
      bytes[to]! -= file.size / (to - from);
    });
    const starts = new Float64Array(pieces + 1);
    let over = 0; // Files over the piece, and their bytes.
    let weight = 0;
    let sum = 0;
    for (let i = 0; i < pieces; i += 1) {
      over += covers[i]!;
      weight += bytes[i]!;
      starts[i] = sum;
      if (mode === 'bytes') sum += over > 0 ? Math.max(weight, 0) : 0;
      else sum += over > 0 ? 1 : kGap;
    }
    starts[pieces] = sum;
    if (sum > 0) for (let i = 0; i <= pieces; i += 1) starts[i]! /= sum;
    return starts;
  }

  // The place of any key: on its bound, or in the middle of the piece that it falls into.
  at(hex: string): number {
    let low = 0;
    let high = this.bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.order(this.bounds[middle]!, hex) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === this.bounds.length) return 1;
    if (this.bounds[low] === hex || low === 0) return this.starts[low]!;
    return (this.starts[low - 1]! + this.starts[low]!) / 2;
  }

  // The bound nearest below a place, in hex.
  boundAt(place: number): string {
    let low = 0;
    let high = this.bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return this.bounds[low] ?? '';
  }
}
