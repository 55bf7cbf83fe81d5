// SPDX-License-Identifier: Apache-2.0
// Arrows from event to event: what one made and the other took. In columns, so that those of a part of
// the axis are found by bisection.
import { bisect, type Track } from './track';

export interface Flows {
  from: Uint32Array; // Numbers of events.
  to: Uint32Array;
  fromLane: Uint32Array;
  toLane: Uint32Array;
  at: Float64Array; // Where an arrow begins; ascending.
  until: Float64Array; // Where it ends.
  byEnd: Uint32Array; // Places, by where arrows end,
  ends: Float64Array; // and these, ascending.
}

export interface Arrow {
  from: number; // Numbers of events.
  to: number;
}

// Arrows between events that are in no lane are left out.
export function flowsOf(tracks: Track[], count: number, of: Arrow[]): Flows {
  const lanes = new Int32Array(count).fill(-1);
  const begins = new Float64Array(count);
  const ends = new Float64Array(count);
  tracks.forEach(({ event, from, to }, lane) =>
    event.forEach((number, i) => {
      lanes[number] = lane;
      begins[number] = from[i]!;
      ends[number] = to[i]!;
    }),
  );
  const startOf = ({ from, to }: Arrow) =>
    Math.max(begins[from]!, Math.min(ends[from]!, begins[to]!));
  const kept = of
    .filter(({ from, to }) => from !== to && lanes[from]! >= 0 && lanes[to]! >= 0)
    .map((arrow) => ({ ...arrow, at: startOf(arrow) }))
    .sort((a, b) => a.at - b.at);
  const until = Float64Array.from(kept, ({ to }) => begins[to]!);
  const byEnd = Uint32Array.from(kept, (_, i) => i).sort((a, b) => until[a]! - until[b]!);
  return {
    from: Uint32Array.from(kept, ({ from }) => from),
    to: Uint32Array.from(kept, ({ to }) => to),
    fromLane: Uint32Array.from(kept, ({ from }) => lanes[from]!),
    toLane: Uint32Array.from(kept, ({ to }) => lanes[to]!),
    at: Float64Array.from(kept, ({ at }) => at),
    until,
    byEnd,
    ends: Float64Array.from(byEnd, (i) => until[i]!),
  };
}

// Places of the arrows that begin or end within a part; none of them if they are more than `most`.
export function flowsWithin(
  flows: Flows,
  begin: number,
  end: number,
  most: number,
): { places: number[]; tooMany: boolean } {
  const [first, last] = [bisect(flows.at, begin), bisect(flows.at, end, true)];
  const [low, high] = [bisect(flows.ends, begin), bisect(flows.ends, end, true)];
  if (last - first > most || high - low > most) return { places: [], tooMany: true };
  const places = Array.from({ length: last - first }, (_, i) => first + i);
  for (let i = low; i < high; i += 1) {
    const place = flows.byEnd[i]!;
    if (place < first || place >= last) places.push(place);
  }
  return places.length > most ? { places: [], tooMany: true } : { places, tooMany: false };
}

// Places of the first arrows that lead to an event or from it.
export function flowsAt({ from, to }: Flows, event: number, most: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < from.length && places.length < most; i += 1)
    if (from[i] === event || to[i] === event) places.push(i);
  return places;
}
