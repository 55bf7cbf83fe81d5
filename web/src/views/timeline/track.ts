// SPDX-License-Identifier: Apache-2.0
// A lane of the drawn timeline: any number of events that do not overlap, in columns, so that what a
// picture of it needs is found by bisection. However many events there are, one picture of a lane asks
// for no more pieces than it has columns.

export interface Track {
  group: string; // A column family, a process.
  name: string; // "compaction → L1"
  color: string; // A token: "--level-1".
  from: Float64Array; // Ascending, as `to` is.
  to: Float64Array;
  before: Float64Array; // before[i]: what the first i events take together; one more than there are events.
  event: Uint32Array; // Their numbers among all events.
}

export interface Spanned {
  from: number;
  to: number;
  event: number;
}

// `of`: by their beginnings, without overlaps.
export function trackOf(named: Pick<Track, 'group' | 'name' | 'color'>, of: Spanned[]): Track {
  const before = new Float64Array(of.length + 1);
  of.forEach(({ from, to }, i) => {
    before[i + 1] = before[i]! + (to - from);
  });
  return {
    ...named,
    from: Float64Array.from(of, ({ from }) => from),
    to: Float64Array.from(of, ({ to }) => to),
    before,
    event: Uint32Array.from(of, ({ event }) => event),
  };
}

// The same lane with some of its events.
export function partOfTrack(track: Track, isIn: (event: number) => boolean): Track {
  const of: Spanned[] = [];
  track.event.forEach((event, i) => {
    if (isIn(event)) of.push({ from: track.from[i]!, to: track.to[i]!, event });
  });
  return trackOf(track, of);
}

// The first place from `low` on whose value is `at` or more; with `after`, more.
export function bisect(values: Float64Array, at: number, after = false, low = 0): number {
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < at || (after && values[middle] === at)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Which events are at least partly within: from the first place up to the second.
export function within({ from, to }: Track, begin: number, end: number): [number, number] {
  const first = bisect(to, begin);
  return [first, Math.max(first, bisect(from, end, true))];
}

// How much of a time its events take, exactly.
export function busyWithin(track: Track, begin: number, end: number): number {
  const [first, last] = within(track, begin, end);
  if (first === last) return 0;
  const whole = track.before[last]! - track.before[first]!;
  const head = Math.max(0, begin - track.from[first]!);
  const tail = Math.max(0, track.to[last - 1]! - end);
  return whole - head - tail;
}

export const kColumn = 2; // Pixels: what is narrower shares a column with its neighbours.

// One event, or all that begin within one column.
export interface Piece {
  x: number; // Pixels from the beginning.
  width: number;
  first: number; // Place in the lane.
  count: number;
  busy: number; // Share of the column that they take.
}

export function piecesOf(track: Track, begin: number, end: number, pixels: number): Piece[] {
  const pieces: Piece[] = [];
  const scale = pixels / (end - begin);
  const [first, last] = within(track, begin, end);
  for (let i = first; i < last;) {
    const x = (track.from[i]! - begin) * scale;
    const width = (track.to[i]! - track.from[i]!) * scale;
    if (width >= kColumn) {
      const left = Math.max(0, x);
      pieces.push({
        x: left,
        width: Math.min(pixels, x + width) - left,
        first: i,
        count: 1,
        busy: 1,
      });
      i += 1;
      continue;
    }
    const column = Math.max(0, Math.floor(x / kColumn));
    const columnEnd = begin + ((column + 1) * kColumn) / scale;
    let next = Math.min(last, Math.max(i + 1, bisect(track.from, columnEnd, false, i)));
    // The last of them may be wide enough for itself.
    if (next > i + 1 && (track.to[next - 1]! - track.from[next - 1]!) * scale >= kColumn) next -= 1;
    const busy = Math.min(1, ((track.before[next]! - track.before[i]!) * scale) / kColumn);
    const count = next - i;
    pieces.push({
      x: count === 1 ? Math.max(0, Math.min(x, pixels - kColumn)) : column * kColumn,
      width: kColumn,
      first: i,
      count,
      busy: count === 1 ? 1 : busy,
    });
    i = next;
  }
  return pieces;
}

// How many events begin in each of so many equal parts of a time.
export function density(tracks: Track[], begin: number, end: number, parts: number): Float64Array {
  const counts = new Float64Array(parts);
  for (const { from } of tracks) {
    let low = 0;
    for (let i = 0; i < parts && low < from.length; i += 1) {
      const high =
        i + 1 === parts ? from.length : bisect(from, begin + ((i + 1) * (end - begin)) / parts);
      counts[i]! += high - low;
      low = high;
    }
  }
  return counts;
}
