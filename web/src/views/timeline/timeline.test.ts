// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { HistoryJob, LogEvent } from '@/api/openapi';
import { clampSpan, zoomed } from '@/ui/span_hands';
import { counterOf, extremesOf, stepsOf, type Counter } from './counters';
import { eventsOf, usualClock } from './events';
import { flowsOf, flowsWithin, type Flows } from './flows';
import { durationText, marksOf, placeText, stepOf } from './scale';
import { eventsOfJson } from './trace_json';
import {
  busyWithin,
  density,
  kColumn,
  partOfTrack,
  piecesOf,
  trackOf,
  within,
  type Track,
} from './track';

const kNamed = { group: 'g', name: 'n', color: '--level-0' };
const track = (...spans: [number, number][]) =>
  trackOf(
    kNamed,
    spans.map(([from, to], event) => ({ from, to, event })),
  );

// Spans without overlaps, many of them next to each other or of no length.
function scattered(n: number) {
  let state = 1;
  const next = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % most;
  };
  let at = 0;
  return track(
    ...Array.from({ length: n }, (): [number, number] => {
      const from = at + next(4) * next(30);
      at = from + next(3) * next(next(9) === 0 ? 400 : 4);
      return [from, at];
    }),
  );
}

describe('a part of an axis', () => {
  it('stays on it, and no narrower than may be', () => {
    expect(clampSpan(-0.5, 0.5, 0.01)).toEqual({ from: 0, to: 1 });
    expect(clampSpan(0.75, 1.25, 0.01)).toEqual({ from: 0.5, to: 1 });
    const least = zoomed({ from: 0.5, to: 0.6 }, 1e-9, 0.5, 0.01);
    expect(least.to - least.from).toBeCloseTo(0.01);
    expect((least.from + least.to) / 2).toBeCloseTo(0.55);
  });
});

describe('a lane', () => {
  it('is whole in its pieces: each event is in one, and those alone are as wide as they are', () => {
    const lane = scattered(3000);
    const end = lane.to.at(-1)!;
    for (const [from, to, pixels] of [
      [0, end, 700],
      [0, end, 60],
      [end / 3, end / 2, 700],
      [end / 3, end / 3 + 40, 700],
      [-end, 2 * end, 300],
    ] as const) {
      const pieces = piecesOf(lane, from, to, pixels);
      const [first, last] = within(lane, from, to);
      expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(last - first);
      expect(pieces.length).toBeLessThanOrEqual(pixels + 2);
      let next = first;
      for (const piece of pieces) {
        expect(piece.first).toBe(next);
        next += piece.count;
        expect(piece.x).toBeGreaterThanOrEqual(0);
        expect(piece.x + piece.width).toBeLessThanOrEqual(pixels + kColumn);
        expect(piece.busy).toBeGreaterThanOrEqual(0);
        expect(piece.busy).toBeLessThanOrEqual(1);
      }
    }
  });

  it('takes as long as its events do within a time', () => {
    const lane = scattered(500);
    const slow = (begin: number, end: number) =>
      lane.from.reduce(
        (sum, from, i) => sum + Math.max(0, Math.min(end, lane.to[i]!) - Math.max(begin, from)),
        0,
      );
    for (const [begin, end] of [
      [0, 100],
      [333, 334],
      [50, 5000],
      [-10, 1e6],
      [1e6, 2e6],
    ] as const)
      expect(busyWithin(lane, begin, end)).toBe(slow(begin, end));
  });

  it('says how full a column is', () => {
    const [piece, ...others] = piecesOf(track([0, 1], [2, 3], [4, 5]), 0, 1024, 128);
    expect(others).toEqual([]);
    expect(piece).toMatchObject({ x: 0, width: kColumn, count: 3, busy: 3 / 16 });
  });

  it('has a part with what is searched for, and a density', () => {
    const lane = track([0, 1], [2, 3], [90, 95]);
    expect([...partOfTrack(lane, (event) => event !== 1).from]).toEqual([0, 90]);
    expect([...density([lane, track([99, 99])], 0, 100, 4)]).toEqual([2, 0, 0, 2]);
  });

  it('of a million events has its pieces within a frame', () => {
    const n = 1_000_000;
    const lane = trackOf(
      kNamed,
      Array.from({ length: n }, (_, event) => ({ from: 3 * event, to: 3 * event + 2, event })),
    );
    let pieces = piecesOf(lane, 0, 3 * n, 1400);
    let least = Infinity; // Other programs may have been at work.
    for (let i = 0; i < 5; i += 1) {
      const began = performance.now();
      pieces = piecesOf(lane, 0, 3 * n, 1400);
      least = Math.min(least, performance.now() - began);
    }
    expect(least).toBeLessThan(16);
    expect(pieces).toHaveLength(700);
    expect(pieces.reduce((sum, { count }) => sum + count, 0)).toBe(n);
  });

  // Counted, so that no clock has to judge: a look at each event would be 400,000.
  it('of many events is looked at a few times for each column of a picture', () => {
    const n = 400_000;
    let looks = 0;
    const counted = (of: Float64Array) =>
      new Proxy(of, {
        get: (target, name) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
    const plain = trackOf(
      kNamed,
      Array.from({ length: n }, (_, event) => ({ from: 3 * event, to: 3 * event + 2, event })),
    );
    const lane: Track = {
      ...plain,
      from: counted(plain.from),
      to: counted(plain.to),
      before: counted(plain.before),
    };
    const counter = counterOf(
      kNamed,
      Array.from({ length: n }, (_, i) => ({ at: 3 * i, value: i % 777 })),
    );
    const figure: Counter = {
      ...counter,
      at: counted(counter.at),
      values: counted(counter.values),
      least: counter.least.map(counted),
      greatest: counter.greatest.map(counted),
    };
    const arrows = flowsOf(
      [plain],
      n,
      Array.from({ length: n - 1 }, (_, i) => ({ from: i, to: i + 1 })),
    );
    const flows: Flows = { ...arrows, at: counted(arrows.at), ends: counted(arrows.ends) };
    const looksOf = (draw: () => unknown) => {
      looks = 0;
      draw();
      return looks;
    };
    const [columns, depth] = [700, Math.ceil(Math.log2(n))];
    for (const [begin, end] of [
      [0, 3 * n],
      [n, n + 3000],
    ] as const) {
      expect(looksOf(() => piecesOf(lane, begin, end, 1400))).toBeLessThan(columns * (depth + 12));
      expect(looksOf(() => density([lane], begin, end, columns))).toBeLessThan(
        columns * (depth + 4),
      );
      expect(looksOf(() => busyWithin(lane, begin, end))).toBeLessThan(4 * depth);
      expect(looksOf(() => stepsOf(figure, begin, end, 1400))).toBeLessThan(
        columns * (depth + 2 * 16 * 5 + 12),
      );
      expect(looksOf(() => extremesOf(figure, begin, end))).toBeLessThan(4 * depth + 2 * 32 * 5);
      expect(looksOf(() => flowsWithin(flows, begin, end, 500))).toBeLessThan(9 * depth);
    }
  });
});

const job = (change: Partial<HistoryJob>): HistoryJob => ({
  kind: 'compaction',
  cf: 'default',
  cf_id: 0,
  edit: '5',
  inputs: [{ file: '7', level: 0, size: 10 }],
  outputs: [{ file: '9', level: 1, size: 8 }],
  output_level: 1,
  bytes_read: 10,
  bytes_written: 8,
  inferred: false,
  log: 'LOG',
  job: 3,
  started_unix_us: 100,
  finished_unix_us: 200,
  ...change,
});
const logged = (change: Partial<LogEvent>): LogEvent => ({
  log: 'LOG',
  offset: 40,
  time_unix_us: 150,
  type: 'table_file_creation',
  data: {},
  ...change,
});

describe('events of a database', () => {
  const sources = {
    jobs: [
      job({ kind: 'snapshot', edit: '1' }),
      job({}),
      job({ edit: '6', job: 4, started_unix_us: 150, finished_unix_us: 250 }),
      job({ edit: '7', job: 5, started_unix_us: undefined, finished_unix_us: undefined }),
      job({ edit: '8', kind: 'flush', job: 6 }),
    ],
    events: [
      logged({ data: { file: 'y9' } }),
      logged({
        type: 'compaction_finished',
        job: 3,
        data: { lsm_state: [3, 1], immutable_memtables: 2 },
      }),
      logged({ type: 'flush_started', job: 6 }),
      logged({ type: 'flush_started', job: 9, offset: 90 }),
      logged({ type: 'recovery_started', job: 1, offset: 1, time_unix_us: 10 }),
      logged({ type: 'recovery_finished', job: 1, offset: 2, time_unix_us: 30 }),
    ],
    samples: [0, 10, 10].map((micros, i) => ({
      at: i + 1,
      values: {
        'rocksdb.stall.micros': micros,
        ...(i !== 1 && { 'levels.0.files': 4 + i }),
      },
      durations: {},
    })),
  };

  it('by time: jobs, what else the LOG says, starts without an end, stalls', () => {
    const events = eventsOf(sources, 'utc');
    expect(events.tracks.map(({ group, name, from }) => [group, name, from.length])).toEqual([
      ['default', 'flush', 1],
      ['default', 'compaction → L1', 1],
      ['default', 'compaction → L1 (2)', 1],
      ['LOG', 'table file creation', 1],
      ['LOG', 'flush started, no end', 1],
      ['LOG', 'recovery', 1],
      ['engine', 'stalls', 1],
    ]);
    expect(events.leftOut).toEqual(['1 of 4 jobs: their times are not recorded']);
    expect(
      events.counters.map(({ group, name, at, values }) => [group, name, [...at], [...values]]),
    ).toEqual([
      ['default', 'L0 files', [200, 250], [0, 0]],
      ['default', 'table bytes', [200, 250], [8, 8]],
      ['LOG', 'L0 files', [150], [3]],
      ['LOG', 'memtables that wait', [150], [2]],
      ['engine', 'L0 files', [1e6, 3e6], [4, 6]],
      ['engine', 'µs/s held up', [2e6, 3e6], [10, 0]],
    ]);
    expect([...events.tracks[6]!.from, ...events.tracks[6]!.to]).toEqual([1e6, 2e6]);
    expect(events.matches('Y9').reduce((a, b) => a + b)).toBe(1);
    expect([events.tracks[5]!.from[0], events.tracks[5]!.to[0]]).toEqual([10, 30]);
    expect(events.idOf(0)).toBe('8');
  });

  it('by edit: every job that has one', () => {
    const events = eventsOf(sources, 'edit');
    expect(events.count).toBe(4);
    expect([...events.tracks[1]!.from]).toEqual([5, 6, 7]);
    expect(events.leftOut).toEqual(['6 events of the LOG: they have no edit']);
  });

  it('are by time if that says more', () => {
    expect(usualClock(sources.jobs)).toBe('utc');
    expect(usualClock([job({ started_unix_us: undefined, finished_unix_us: undefined })])).toBe(
      'edit',
    );
  });
});

describe('a trace of others', () => {
  it('is read: spans, nested ones below, begun and ended ones, instants, names', () => {
    const events = eventsOfJson(
      JSON.stringify({
        traceEvents: [
          { ph: 'M', name: 'thread_name', pid: 1, tid: 2, args: { name: 'worker' } },
          { ph: 'X', name: 'inner', pid: 1, tid: 2, ts: 10, dur: 5, args: { bytes: 7 } },
          { ph: 'X', name: 'outer', pid: 1, tid: 2, ts: 10, dur: 50 },
          { ph: 'B', name: 'begun', pid: 1, tid: 3, ts: 20 },
          { ph: 'E', pid: 1, tid: 3, ts: 25 },
          { ph: 'i', name: 'now', pid: 1, tid: 3, ts: 30 },
          { ph: 'P', name: 'sample', pid: 1, tid: 3, ts: 30 },
        ],
      }),
    );
    expect(events.tracks.map(({ name, from, to }) => [name, [...from], [...to]])).toEqual([
      ['worker', [10], [60]],
      ['worker (2)', [10], [15]],
      ['thread 3', [20, 30], [25, 30]],
    ]);
    expect(events.leftOut).toEqual(['1 of phase "P", which is not drawn']);
    expect(events.clock).toBe('relative');
    expect(events.factsOf(events.tracks[1]!.event[0]!)).toContainEqual(['bytes', '7']);
    expect(events.matches('BEG').reduce((a, b) => a + b)).toBe(1);
  });

  it('is refused if it is none', () => {
    expect(() => eventsOfJson('{"rows": []}')).toThrow('not a trace');
    expect(() => eventsOfJson('[]')).toThrow('no events');
    expect(() => eventsOfJson('[')).toThrow();
  });
});

describe('places of an axis in words', () => {
  it('are as long as it takes to tell them apart', () => {
    const at = Date.UTC(2026, 10, 21, 1, 9, 18) * 1000 + 786_379;
    expect(placeText(at, 'utc', 1)).toBe('01:09:18.786379');
    expect(placeText(at, 'utc', 1000)).toBe('01:09:18.786');
    expect(placeText(at, 'utc', 5e6)).toBe('01:09:18');
    expect(placeText(at, 'utc', 60e6)).toBe('01:09');
    expect(placeText(at, 'utc', 86_400e6)).toBe('2026-11-21');
    expect(placeText(1500, 'relative', 1)).toBe('0.001500 s');
    expect(placeText(2e6, 'relative', 5e5)).toBe('2.0 s');
    expect(durationText(90_061e6)).toBe('1 d 01:01:01');
  });

  it('are round', () => {
    expect(stepOf(3e6, 'utc')).toBe(5e6);
    expect(stepOf(3, 'relative')).toBe(5);
    expect(stepOf(0.2, 'edit')).toBe(1);
    expect(marksOf(7, 31, 3, 'edit').map(({ text }) => text)).toEqual(['10', '20', '30']);
  });
});
