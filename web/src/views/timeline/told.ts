// SPDX-License-Identifier: Apache-2.0
// What a trace of any format tells, in any order, put in lanes: spans, marks where one begins or ends,
// values of counters, and points of flows. What is more than a picture can have is left out, and said.
import { counterOf, type Counter, type Point } from './counters';
import { rangeOf, type Events } from './events';
import { flowsOf, type Arrow } from './flows';
import { Lanes } from './lanes';
import { trackOf, type Spanned, type Track } from './track';

// Of a flow, at an event: more may arrive where it came from, none after it ends.
export type FlowRole = 'begins' | 'passes' | 'arrives' | 'ends';
// Which event a point of a flow is at, if it does not say: the one around it, or the next in its row.
type Binding = 'around' | 'next';

export interface Named {
  group: string;
  name: string;
}

const kEventsMost = 4_000_000;
const kPointsMost = 4_000_000; // Of all counters together.
const kFlowPointsMost = 2_000_000;
const kLanesMost = 400; // A canvas is no higher than a browser allows.
const kCountersMost = 200;
const kTimeMost = 2 ** 52; // Microseconds: what lies beyond is no date, and a step of one is lost there.
const kYear2000 = 946_684_800e6; // Microseconds: an earlier time is no date.
const kColors = Array.from({ length: 7 }, (_, i) => `--level-${i}`);

const isTime = (at: number) => Math.abs(at) <= kTimeMost; // False for NaN, too.

export class Told {
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly names: string[] = [];
  private readonly rows: string[] = [];
  private readonly raws: unknown[] = [];
  private readonly marks = new Map<string, { at: number; event: number }[]>(); // −1: an end.
  private readonly counters = new Map<string, { named: Named; points: Point[] }>();
  private readonly flows: {
    id: string | number;
    at: number;
    role: FlowRole;
    event: number;
    row: string;
    binding: Binding;
  }[] = [];
  private points = 0;
  private readonly left = new Map<string, number>();

  leaveOut(what: string, times = 1): void {
    this.left.set(what, (this.left.get(what) ?? 0) + times);
  }

  // The number of the event; −1: it is left out.
  span(row: string, from: number, to: number, name: string, raw: unknown): number {
    if (!isTime(from) || !isTime(to)) this.leaveOut('events at a time that cannot be drawn');
    else if (this.from.length >= kEventsMost) this.leaveOut('events: there are too many');
    else {
      this.rows.push(row);
      this.names.push(name);
      this.raws.push(raw);
      this.to.push(Math.max(from, to));
      return this.from.push(from) - 1;
    }
    return -1;
  }

  // The begin and the end of a span have one key; they match by time, the innermost first.
  begin(row: string, key: string, at: number, name: string, raw: unknown): number {
    const event = this.span(row, at, at, name, raw);
    if (event >= 0) this.mark(key, at, event);
    return event;
  }

  end(key: string, at: number): void {
    if (isTime(at)) this.mark(key, at, -1);
    else this.leaveOut('ends at a time that cannot be drawn');
  }

  private mark(key: string, at: number, event: number) {
    const of = this.marks.get(key) ?? [];
    this.marks.set(key, of);
    of.push({ at, event });
  }

  count(key: string, named: Named, at: number, value: number): void {
    if (!isTime(at) || !Number.isFinite(value)) {
      this.leaveOut('values of counters that cannot be drawn');
      return;
    }
    const known = this.counters.get(key);
    if (this.points >= kPointsMost || (!known && this.counters.size >= kCountersMost)) {
      this.leaveOut('values of counters: there are too many');
      return;
    }
    this.points += 1;
    if (known) known.points.push({ at, value });
    else this.counters.set(key, { named, points: [{ at, value }] });
  }

  flowAt(event: number, id: string | number, role: FlowRole): void {
    if (event < 0) return;
    this.flow(id, this.from[event]!, role, event, '', 'around');
  }

  flowIn(row: string, at: number, id: string | number, role: FlowRole, binding: Binding): void {
    if (isTime(at)) this.flow(id, at, role, -1, row, binding);
    else this.leaveOut('flows at a time that cannot be drawn');
  }

  private flow(
    id: string | number,
    at: number,
    role: FlowRole,
    event: number,
    row: string,
    binding: Binding,
  ) {
    if (this.flows.length >= kFlowPointsMost) this.leaveOut('points of flows: there are too many');
    else this.flows.push({ id, at, role, event, row, binding });
  }

  // Moves all that was told, if its axis begins elsewhere.
  shift(by: number): void {
    if (!isTime(by) || by === 0) return;
    for (let i = 0; i < this.from.length; i += 1) {
      this.from[i]! += by;
      this.to[i]! += by;
    }
    for (const of of [...this.marks.values(), this.flows]) for (const one of of) one.at += by;
    for (const { points } of this.counters.values()) for (const one of points) one.at += by;
  }

  // `namedAs`: what a row is called, now that all is read; `describe`: of what was given as `raw`.
  // Throws if there is nothing to draw.
  events(namedAs: (row: string) => Named, describe: (raw: unknown) => [string, string][]): Events {
    const { from, to, names, raws } = this;
    if (from.length === 0 && this.counters.size === 0)
      throw new Error('the trace has no events with a time');
    this.match();
    // What contains others comes before them.
    const order = Uint32Array.from(from, (_, i) => i).sort(
      (a, b) => from[a]! - from[b]! || to[b]! - to[a]! || a - b,
    );
    const byRow = new Map<string, number[]>();
    for (const event of order) {
      const of = byRow.get(this.rows[event]!) ?? [];
      byRow.set(this.rows[event]!, of);
      of.push(event);
    }
    const tracks = this.lanes(byRow, namedAs);
    const counters = this.drawnCounters();
    const flows = flowsOf(tracks, from.length, this.arrows(byRow));
    const range = rangeOf(tracks, counters);
    return {
      clock: range.from > kYear2000 ? 'utc' : 'relative',
      tracks,
      counters,
      flows,
      count: from.length,
      ...range,
      leftOut: [...this.left].map(([what, times]) => `${times} ${what}`),
      nameOf: (event) => names[event]!,
      idOf: String,
      factsOf: (event) => describe(raws[event]),
      matches: (wanted) => {
        const low = wanted.toLowerCase();
        const found = new Map<string, 0 | 1>(); // Few names, many events.
        return Uint8Array.from(names, (name) => {
          const known = found.get(name) ?? (name.toLowerCase().includes(low) ? 1 : 0);
          found.set(name, known);
          return known;
        });
      },
    };
  }

  private match() {
    for (const of of this.marks.values()) {
      of.sort((a, b) => a.at - b.at);
      const open: number[] = [];
      for (const { at, event } of of) {
        if (event >= 0) {
          open.push(event);
          continue;
        }
        const begun = open.pop();
        if (begun === undefined) this.leaveOut('ends of what has no beginning');
        else this.to[begun] = Math.max(this.from[begun]!, at);
      }
      if (open.length > 0) this.leaveOut('ends: what has none is drawn as a point', open.length);
    }
  }

  private lanes(byRow: Map<string, number[]>, namedAs: (row: string) => Named): Track[] {
    const all: { group: string; name: string; color: string; spans: Spanned[] }[] = [];
    [...byRow].forEach(([row, events], i) => {
      const lanes = new Lanes();
      const of: Spanned[][] = [];
      for (const event of events) {
        const span = { from: this.from[event]!, to: this.to[event]!, event };
        (of[lanes.laneOf(span)] ??= []).push(span);
      }
      const { group, name } = namedAs(row);
      const color = kColors[i % kColors.length]!;
      of.forEach((spans, depth) =>
        all.push({ group, color, name: depth > 0 ? `${name} (${depth + 1})` : name, spans }),
      );
    });
    all.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
    // Before tracks are made of them: a file may have a row for each event.
    for (const { spans } of all.splice(kLanesMost))
      this.leaveOut(`events of more than ${kLanesMost} lanes`, spans.length);
    return all.map(({ spans, ...named }) => trackOf(named, spans));
  }

  private drawnCounters(): Counter[] {
    return [...this.counters.values()].map(({ named, points }) => counterOf(named, points));
  }

  private arrows(byRow: Map<string, number[]>): Arrow[] {
    this.bind(byRow);
    const last = new Map<string | number, number>();
    const arrows: Arrow[] = [];
    // Of those at one time, in the order in which they were told.
    for (const { id, role, event } of this.flows.sort((a, b) => a.at - b.at)) {
      if (event < 0) {
        this.leaveOut('points of flows that are at no event');
        continue;
      }
      const before = last.get(id);
      if (before !== undefined && role !== 'begins') arrows.push({ from: before, to: event });
      if (role === 'ends') last.delete(id);
      else if (role !== 'arrives') last.set(id, event);
    }
    return arrows;
  }

  // Points of flows that say a row and a time get their events: in one pass over each row.
  private bind(byRow: Map<string, number[]>) {
    const wanted = new Map<string, typeof this.flows>();
    for (const point of this.flows) {
      if (point.event >= 0) continue;
      const of = wanted.get(point.row) ?? [];
      wanted.set(point.row, of);
      of.push(point);
    }
    for (const [row, points] of wanted) {
      const events = byRow.get(row) ?? [];
      points.sort((a, b) => a.at - b.at);
      const open: number[] = [];
      let next = 0;
      for (const point of points) {
        for (; next < events.length && this.from[events[next]!]! <= point.at; next += 1) {
          while (open.length > 0 && this.to[open.at(-1)!]! < this.from[events[next]!]!) open.pop();
          open.push(events[next]!);
        }
        while (open.length > 0 && this.to[open.at(-1)!]! < point.at) open.pop();
        const around = open.at(-1);
        const isNow = around !== undefined && this.from[around] === point.at;
        point.event = (point.binding === 'around' || isNow ? around : events[next]) ?? -1;
      }
    }
  }
}
