// SPDX-License-Identifier: Apache-2.0
// Where keys lie on a map. The bounds of the files cut the axis into pieces; how wide one is depends
// on what distances on the axis mean:
//
//   key     the difference of the keys as numbers (digits.ts)
//   bytes   what is stored there: the bytes of the files over the piece
//   rank    how many bounds lie before it
//
//   bounds    a       c   d           k       z
//   pieces    |   0   | 1 |     2     |   3   |
//   files     [───────────────────────]
//             [───────]   [───────────]            1 is a gap
//
// By bytes and by rank, the gap between two neighbours of a level has no width, so they touch.
import type { Span } from '@/ui/span_hands';
import type { FileSummary } from '@/api/openapi';
import { hexOf } from '@/lib/bytes';
import { commonPrefix } from '@/lib/prefix';
import { Digits } from './digits';

export const kAxisModes = ['key', 'bytes', 'rank'] as const;
export type AxisMode = (typeof kAxisModes)[number];

// The bytewise order of hex strings is that of what they stand for.
export type KeyOrder = (a: string, b: string) => number;
const bytewise: KeyOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export function keyOrder(comparator: string): KeyOrder {
  return comparator === 'rocksdb.ReverseBytewiseComparator' ? (a, b) => bytewise(b, a) : bytewise;
}

type Ranks = readonly [number, number]; // Of a file's bounds.

export class KeyAxis {
  private readonly bounds: string[];
  private readonly starts: Float64Array; // starts[i]: of bound i, in [0, 1].
  readonly spans: Map<FileSummary, Span>;

  constructor(
    files: FileSummary[],
    readonly mode: AxisMode,
    private readonly order: KeyOrder = bytewise,
  ) {
    const ends = files.map((file) => [hexOf(file.smallest.key), hexOf(file.largest.key)] as const);
    this.bounds = [...new Set(ends.flat())].sort(order);
    const place = new Map(this.bounds.map((bound, i) => [bound, i]));
    const ranks = ends.map(([from, to]): Ranks => [place.get(from)!, place.get(to)!]);
    const widths =
      mode === 'key'
        ? widthsByKey(this.bounds)
        : mode === 'bytes'
          ? widthsByBytes(files, ranks, this.bounds)
          : widthsByRank(ranks, this.bounds.length);
    this.starts = startsOf(widths, this.bounds.length);
    this.spans = new Map(
      files.map((file, i) => [
        file,
        { from: this.starts[ranks[i]![0]]!, to: this.starts[ranks[i]![1]]! },
      ]),
    );
  }

  // The place of any key: within its piece by the key's distance from both bounds.
  at(hex: string): number {
    const high = lowest(this.bounds.length, (i) => this.order(this.bounds[i]!, hex) >= 0);
    if (high === this.bounds.length) return 1;
    if (this.bounds[high] === hex || high === 0) return this.starts[high]!;
    const [from, to] = [this.starts[high - 1]!, this.starts[high]!];
    const { digits, first, last } = this.piece(high - 1);
    const share = last === first ? 0.5 : (digits.value(hex) - first) / (last - first);
    return from + Math.min(1, Math.max(0, share)) * (to - from);
  }

  // A key at that place, in hex: the shortest of those that are no further away than `within`.
  keyAt(place: number, within = 0): string {
    if (within === 0 || place <= 0 || place >= 1) return this.exactKeyAt(place);
    const [low, high] = [place - within, place + within].map((at) => this.exactKeyAt(at)).sort();
    return high!.slice(0, Math.max(commonPrefix(low!, high!).length + 2, 2));
  }

  private exactKeyAt(place: number): string {
    const { bounds, starts } = this;
    if (place <= 0 || bounds.length < 2) return bounds[0] ?? '';
    if (place >= 1) return bounds.at(-1)!;
    const i = lowest(bounds.length, (at) => starts[at]! > place) - 1;
    const [from, to] = [starts[i]!, starts[i + 1]!];
    if (place === from) return bounds[i]!;
    const { digits, first, last } = this.piece(i);
    const key = digits.key(first + ((place - from) / (to - from)) * (last - first));
    // Of keys that are nearer than the digits tell.
    return this.order(key, bounds[i]!) < 0 || this.order(key, bounds[i + 1]!) > 0
      ? bounds[i]!
      : key;
  }

  private piece(i: number): { digits: Digits; first: number; last: number } {
    const [from, to] = [this.bounds[i]!, this.bounds[i + 1]!];
    const digits = new Digits([from, to]);
    return { digits, first: digits.value(from), last: digits.value(to) };
  }
}

// The lowest index that holds; `length` if none does. Those that hold come last.
function lowest(length: number, holds: (i: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function widthsByKey(bounds: string[]): Float64Array {
  const digits = new Digits(bounds);
  const values = Float64Array.from(bounds, (bound) => digits.value(bound));
  return Float64Array.from({ length: Math.max(0, bounds.length - 1) }, (_, i) =>
    Math.abs(values[i + 1]! - values[i]!),
  );
}

// 1 where a piece begins with the end of files only, and ends with the beginning of files only: there
// is no key of the level that they are on in between.
function gapsOf(ranks: Ranks[], bounds: number): Uint8Array {
  const starts = new Uint8Array(bounds);
  const ends = new Uint8Array(bounds);
  for (const [from, to] of ranks) {
    starts[from] = 1;
    ends[to] = 1;
  }
  return Uint8Array.from({ length: Math.max(0, bounds - 1) }, (_, i) =>
    ends[i] && !starts[i] && starts[i + 1] && !ends[i + 1] ? 1 : 0,
  );
}

function widthsByRank(ranks: Ranks[], bounds: number): Float64Array {
  return Float64Array.from(gapsOf(ranks, bounds), (gap) => 1 - gap);
}

// Where within a file its bytes lie, its bounds do not say: they are taken to lie as those of the
// files do that it overlaps and that say it better, being narrower; elsewhere, as far apart as there.
function widthsByBytes(files: FileSummary[], ranks: Ranks[], bounds: string[]): Float64Array {
  const gaps = gapsOf(ranks, bounds.length);
  const lengths = widthsByKey(bounds);
  const widths = new Float64Array(gaps.length);
  const narrowFirst = files
    .map((file, i) => ({ size: file.size, from: ranks[i]![0], to: ranks[i]![1] }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.to - a.from - (b.to - b.from));
  for (const { size, from, to } of narrowFirst) {
    const shares = sharesOf({ widths, lengths, gaps, from, to });
    const whole = shares.reduce((sum, share) => sum + share, 0);
    for (let i = from; i < to; i += 1) widths[i]! += (size * shares[i - from]!) / whole;
  }
  return widths;
}

interface Pieces {
  widths: Float64Array; // In bytes, as far as they are known.
  lengths: Float64Array; // By key.
  gaps: Uint8Array;
  from: number; // Those of one file.
  to: number;
}

// How the file's bytes are spread over its pieces.
function sharesOf({ widths, lengths, gaps, from, to }: Pieces): Float64Array {
  let bytes = 0;
  let length = 0; // Of the pieces whose bytes are known.
  let pieces = 0;
  for (let i = from; i < to; i += 1) {
    if (widths[i] === 0) continue;
    bytes += widths[i]!;
    length += lengths[i]!;
    pieces += 1;
  }
  const shares = widths.slice(from, to);
  for (let i = from; i < to; i += 1) {
    if (widths[i]! > 0 || gaps[i]) continue;
    // A piece of which nothing is known is not wider than those that are known usually are: it may
    // lie between two heaps of keys.
    const most = pieces > 0 ? bytes / pieces : Infinity;
    shares[i - from] = Math.min(most, length > 0 ? (lengths[i]! / length) * bytes : lengths[i]!);
  }
  return shares.some((share) => share > 0) ? shares : shares.fill(1);
}

function startsOf(widths: Float64Array, bounds: number): Float64Array {
  const starts = new Float64Array(Math.max(1, bounds));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  for (let i = 0; i < widths.length; i += 1)
    starts[i + 1] = starts[i]! + (whole > 0 ? widths[i]! / whole : 1 / widths.length);
  if (bounds > 1) starts[bounds - 1] = 1;
  return starts;
}

// Keys under a few long prefixes lie in heaps that are far apart: by key, there would be nothing to
// see of most files. Then the axis is one of bytes, unless one of keys is asked for.
export function axisOf(files: FileSummary[], order: KeyOrder, mode: AxisMode | undefined): KeyAxis {
  const axis = new KeyAxis(files, mode ?? 'key', order);
  return !mode && liesInHeaps(files, axis) ? new KeyAxis(files, 'bytes', order) : axis;
}

function liesInHeaps(files: FileSummary[], axis: KeyAxis): boolean {
  const ofLevel = new Map<number, number>();
  for (const { level } of files) ofLevel.set(level, (ofLevel.get(level) ?? 0) + 1);
  const wide = files.filter((file) => hexOf(file.smallest.key) !== hexOf(file.largest.key));
  const thin = wide.filter((file) => {
    const { from, to } = axis.spans.get(file)!;
    return (to - from) * ofLevel.get(file.level)! < 1 / 20;
  });
  return thin.length * 2 > wide.length;
}
