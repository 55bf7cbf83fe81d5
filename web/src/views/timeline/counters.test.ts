// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { counterOf, extremesOf, stepsOf, valueAt } from './counters';
import { flowsAt, flowsOf, flowsWithin } from './flows';
import { trackOf } from './track';

const kNamed = { group: 'g', name: 'n' };

function scattered(n: number) {
  let state = 7;
  const next = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % most;
  };
  let at = 0;
  return Array.from({ length: n }, () => ({ at: (at += 1 + next(9)), value: next(2000) - 1000 }));
}

describe('a counter', () => {
  it('has the values that are numbers, by their times', () => {
    const counter = counterOf(kNamed, [
      { at: 5, value: 3 },
      { at: 1, value: 1 },
      { at: 2, value: NaN },
      { at: NaN, value: 2 },
      { at: 3, value: Infinity },
      { at: 5, value: 4 },
    ]);
    expect([...counter.at]).toEqual([1, 5]);
    expect([...counter.values]).toEqual([1, 4]);
    expect([0, 1, 4.9, 5, 9].map((at) => valueAt(counter, at))).toEqual([null, 1, 1, 4, 4]);
    expect(extremesOf(counter, 2, 3)).toEqual({ least: 1, greatest: 1, last: 1, points: 0 });
    expect(extremesOf(counter, -2, 0)).toBeNull();
    expect(stepsOf(counter, 0, 10, 100)).toEqual([
      { x: 10, width: 40, least: 1, greatest: 1 },
      { x: 50, width: 50, least: 4, greatest: 4 },
    ]);
  });

  it('has its least and greatest values in any part, and a picture no more steps than columns', () => {
    const points = scattered(5000);
    const counter = counterOf(kNamed, points);
    const end = points.at(-1)!.at;
    for (const [from, to, pixels] of [
      [0, end, 700],
      [end / 3, end / 2, 60],
      [end / 3, end / 3 + 50, 700],
      [-end, 2 * end, 300],
      [17, 900, 41],
    ] as const) {
      const holds = points.findLast(({ at }) => at <= from);
      const within = points.filter(({ at }) => at >= from && at <= to);
      const values = [...(holds ? [holds] : []), ...within].map(({ value }) => value);
      expect(extremesOf(counter, from, to)).toEqual({
        least: Math.min(...values),
        greatest: Math.max(...values),
        last: values.at(-1),
        points: within.length,
      });
      const steps = stepsOf(counter, from, to, pixels);
      expect(steps.length).toBeLessThanOrEqual(pixels + 2);
      expect(Math.min(...steps.map(({ least }) => least))).toBe(Math.min(...values));
      expect(Math.max(...steps.map(({ greatest }) => greatest))).toBe(Math.max(...values));
      for (const [i, { x, width }] of steps.entries()) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(pixels + 1);
        if (i > 0) expect(x).toBeGreaterThanOrEqual(steps[i - 1]!.x);
      }
    }
  });
});

describe('flows', () => {
  const lane = (...spans: [number, number, number][]) =>
    trackOf(
      { ...kNamed, color: '' },
      spans.map(([event, from, to]) => ({ event, from, to })),
    );
  const tracks = [lane([0, 0, 10], [1, 50, 60]), lane([2, 20, 30], [3, 5, 8])];

  it('lead from the end of an event to the beginning of another', () => {
    const flows = flowsOf(tracks, 5, [
      { from: 2, to: 1 },
      { from: 0, to: 2 },
      { from: 0, to: 3 },
      { from: 0, to: 0 },
      { from: 0, to: 4 }, // In no lane.
    ]);
    expect([...flows.at]).toEqual([5, 10, 30]);
    expect([...flows.until]).toEqual([5, 20, 50]);
    expect([...flows.toLane]).toEqual([1, 1, 0]);
    expect(flowsWithin(flows, 15, 25, 9)).toEqual({ places: [1], tooMany: false });
    expect(flowsWithin(flows, 0, 60, 2)).toEqual({ places: [], tooMany: true });
    expect(flowsAt(flows, 2, 9)).toEqual([1, 2]);
    expect(flowsAt(flows, 2, 1)).toEqual([1]);
  });
});
