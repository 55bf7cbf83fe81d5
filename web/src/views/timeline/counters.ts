// SPDX-License-Identifier: Apache-2.0
// A figure over time, as steps: each value holds until the next. However many there are, the least and
// the greatest within a part are found in the logarithm of that, so that a picture costs its columns.
import { bisect, kColumn } from './track';

export interface Counter {
  group: string; // A column family, a process.
  name: string; // "L0 files"
  at: Float64Array; // Ascending.
  values: Float64Array; // None of them is NaN or infinite.
  least: Float64Array[]; // least[0]: of each kFan values together; least[1]: of each kFan of those.
  greatest: Float64Array[];
}

const kFan = 16;

function summary(values: Float64Array, of: (a: number, b: number) => number): Float64Array[] {
  const levels: Float64Array[] = [];
  for (let below = values; below.length > kFan; below = levels.at(-1)!) {
    const next = new Float64Array(Math.ceil(below.length / kFan));
    below.forEach((value, i) => {
      const place = Math.floor(i / kFan);
      next[place] = i % kFan === 0 ? value : of(next[place]!, value);
    });
    levels.push(next);
  }
  return levels;
}

export interface Point {
  at: number;
  value: number;
}

// In any order; of those at one time the last one stays.
export function counterOf(named: Pick<Counter, 'group' | 'name'>, of: Point[]): Counter {
  const known = of.filter(({ at, value }) => Number.isFinite(at) && Number.isFinite(value));
  known.sort((a, b) => a.at - b.at);
  const points = known.filter(({ at }, i) => known[i + 1]?.at !== at);
  const values = Float64Array.from(points, ({ value }) => value);
  return {
    ...named,
    at: Float64Array.from(points, ({ at }) => at),
    values,
    least: summary(values, Math.min),
    greatest: summary(values, Math.max),
  };
}

// Of the values from place `first` up to `end`, of which there is one at least.
function extreme(
  values: Float64Array,
  levels: Float64Array[],
  of: (a: number, b: number) => number,
  first: number,
  end: number,
): number {
  let [low, high, level] = [first, end, values];
  let best = values[first]!;
  for (let i = 0; low < high; i += 1) {
    const next = levels[i];
    if (!next || high - low <= kFan) {
      for (; low < high; low += 1) best = of(best, level[low]!);
      break;
    }
    for (; low % kFan !== 0; low += 1) best = of(best, level[low]!);
    for (; high % kFan !== 0; high -= 1) best = of(best, level[high - 1]!);
    [low, high, level] = [low / kFan, high / kFan, next];
  }
  return best;
}

export interface Extremes {
  least: number;
  greatest: number;
  last: number;
  points: number; // How many values begin within.
}

// Of a part, with what holds when it begins; null: nothing is known of it.
export function extremesOf(counter: Counter, begin: number, end: number): Extremes | null {
  const { at, values, least, greatest } = counter;
  const inside = bisect(at, begin);
  const first = at[inside] === begin ? inside : Math.max(0, inside - 1);
  const beyond = bisect(at, end, true);
  if (first >= beyond) return null;
  return {
    least: extreme(values, least, Math.min, first, beyond),
    greatest: extreme(values, greatest, Math.max, first, beyond),
    last: values[beyond - 1]!,
    points: beyond - inside,
  };
}

// What holds at a time; null: before the first value.
export function valueAt({ at, values }: Counter, time: number): number | null {
  return values[bisect(at, time, true) - 1] ?? null;
}

// A part of the axis with one value, or a column with all that a counter was within it.
export interface Step {
  x: number; // Pixels from the beginning.
  width: number;
  least: number;
  greatest: number;
}

// No more than two for each column.
export function stepsOf(counter: Counter, begin: number, end: number, pixels: number): Step[] {
  const { at, values } = counter;
  const scale = pixels / (end - begin);
  const beyond = bisect(at, end, true);
  const steps: Step[] = [];
  let i = Math.max(0, bisect(at, begin, true) - 1);
  while (i < beyond) {
    const x = Math.max(0, (at[i]! - begin) * scale);
    const until = i + 1 < beyond ? Math.min(pixels, (at[i + 1]! - begin) * scale) : pixels;
    if (until - x >= kColumn) {
      steps.push({ x, width: until - x, least: values[i]!, greatest: values[i]! });
      i += 1;
      continue;
    }
    // All that begin within this column; the last of them may be wide enough for itself.
    const edge = (Math.floor(x / kColumn) + 1) * kColumn;
    let next = Math.min(beyond, Math.max(i + 1, bisect(at, begin + edge / scale, false, i + 1)));
    const last = next - 1;
    const lastEnd = last + 1 < beyond ? (at[last + 1]! - begin) * scale : pixels;
    const lastBegin = Math.max(0, (at[last]! - begin) * scale);
    if (last > i && lastEnd - lastBegin >= kColumn) next = last;
    const right = next < beyond ? Math.min(pixels, (at[next]! - begin) * scale) : pixels;
    steps.push({
      x,
      width: Math.max(1, right - x),
      least: extreme(values, counter.least, Math.min, i, next),
      greatest: extreme(values, counter.greatest, Math.max, i, next),
    });
    i = next;
  }
  return steps;
}
