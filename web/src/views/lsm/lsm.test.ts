// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { FileSummary } from '@/api/openapi';
import files from '../../../../tests/contract/golden/files.json';
import { axisOf, KeyAxis, keyOrder } from './axis';
import { Digits } from './digits';
import { drawMap, heightOf, topsOf } from './draw';
import { boxesOf, density, rowsOf } from './layout';
import { inputsText, spansOf } from './running';
import { prefixOf, textOf, tickLabel, ticksOf } from './ticks';

function file(id: number, level: number, from: string, to: string, size = 100): FileSummary {
  const bound = (hex: string) => ({ key: { hex, len: hex.length / 2 }, seq: '1', type: 'put' });
  return {
    ...(files.files[0] as FileSummary),
    id: String(id),
    level,
    size,
    smallest: bound(from),
    largest: bound(to),
    largest_seq: String(id),
  };
}

const hexOfText = (text: string) => Buffer.from(text).toString('hex');

// Files of one level under one of level 0 that reaches from their first key to their last.
const textFile = (id: number, level: number, from: string, to: string, size = 100) =>
  file(id, level, hexOfText(from), hexOfText(to), size);
const kLevel = [
  textFile(1, 6, 'user:000', 'user:099', 100),
  textFile(2, 6, 'user:100', 'user:499', 400),
  textFile(3, 6, 'user:500', 'user:999', 500),
];
const kYoung = textFile(9, 0, 'user:000', 'user:999', 50);
const kAll = [...kLevel, kYoung];

describe('the axis of keys', () => {
  it('by key, is as long as the difference of the keys', () => {
    const axis = new KeyAxis(kAll, 'key');
    const share = (of: FileSummary) => axis.spans.get(of)!.to - axis.spans.get(of)!.from;
    expect(share(kLevel[0]!)).toBeCloseTo(99 / 999);
    expect(share(kLevel[1]!)).toBeCloseTo(399 / 999);
    expect(axis.spans.get(kYoung)).toEqual({ from: 0, to: 1 });
    expect(axis.at(hexOfText('user:333'))).toBeCloseTo(333 / 999);
    expect([axis.at('05'), axis.at('ff')]).toEqual([0, 1]);
  });
  it('by key, shows where a level has no keys', () => {
    const [a, b] = [file(1, 1, '1000', '2000'), file(2, 1, '8000', '9000')];
    const axis = new KeyAxis([a, b], 'key');
    expect(axis.spans.get(a)!.to).toBeCloseTo(1 / 8);
    expect(axis.spans.get(b)!.from).toBeCloseTo(7 / 8);
  });
  for (const mode of ['bytes', 'rank'] as const)
    it(`by ${mode}, lets neighbours touch below a file of level 0 as wide as they are`, () => {
      const axis = new KeyAxis(kAll, mode);
      const spans = kLevel.map((of) => axis.spans.get(of)!);
      expect(spans[0]!.from).toBe(0);
      expect(spans[1]!.from).toBeCloseTo(spans[0]!.to, 9);
      expect(spans[2]!.from).toBeCloseTo(spans[1]!.to, 9);
      expect(spans[2]!.to).toBe(1);
      expect(axis.spans.get(kYoung)).toEqual({ from: 0, to: 1 });
    });
  it('by bytes, is as wide as what is stored', () => {
    const axis = new KeyAxis(kAll, 'bytes');
    expect(kLevel.map((of) => axis.spans.get(of)!.to)).toEqual([
      expect.closeTo(0.1) as number,
      expect.closeTo(0.5) as number,
      1,
    ]);
    const halves = [file(1, 1, '10', '20', 300), file(2, 1, '30', '40', 100)];
    expect(new KeyAxis(halves, 'bytes').spans.get(halves[1]!)!.from).toBeCloseTo(0.75);
  });
  it('by bytes, leaves room for what only the wider file has', () => {
    const narrow = file(1, 6, '40', '60');
    const axis = new KeyAxis([narrow, file(2, 0, '10', '90')], 'bytes');
    expect(axis.spans.get(narrow)!.from).toBeCloseTo(1 / 6);
    expect(axis.spans.get(narrow)!.to).toBeCloseTo(5 / 6);
  });
  it('by bytes, gives little to the ends of a file that reach a little further', () => {
    const lower = [textFile(1, 6, 'k100', 'k399'), textFile(2, 6, 'k401', 'k900')];
    const upper = [textFile(3, 5, 'k099', 'k400'), textFile(4, 5, 'k402', 'k901')];
    const axis = new KeyAxis([...lower, ...upper], 'bytes');
    expect(axis.spans.get(lower[0]!)!.from).toBeLessThan(0.01);
    const gap = axis.spans.get(lower[1]!)!.from - axis.spans.get(lower[0]!)!.to;
    expect(gap).toBeLessThan(0.01);
  });
  it('runs backwards for a reverse comparator', () => {
    for (const mode of ['key', 'bytes', 'rank'] as const) {
      const backwards = keyOrder('rocksdb.ReverseBytewiseComparator');
      const axis = new KeyAxis([file(1, 1, '40', '10')], mode, backwards);
      expect([axis.at('40'), axis.at('10')]).toEqual([0, 1]);
      expect(axis.at('20')).toBeCloseTo(2 / 3);
      expect(axis.keyAt(2 / 3, 0.01)).toBe('20');
    }
  });
  it('stands one file of one key, and none', () => {
    const only = file(1, 0, '10', '10');
    for (const mode of ['key', 'bytes', 'rank'] as const) {
      expect(new KeyAxis([only], mode).spans.get(only)).toEqual({ from: 0, to: 0 });
      expect(new KeyAxis([], mode).keyAt(0.5, 0.1)).toBe('');
    }
  });
  it('finds the key of a place, and its place again', () => {
    for (const mode of ['key', 'bytes', 'rank'] as const) {
      const axis = new KeyAxis(kAll, mode);
      for (let place = 0; place <= 1; place += 0.01)
        expect(Math.abs(axis.at(axis.keyAt(place, 0)) - place)).toBeLessThan(0.005);
      expect(axis.keyAt(0, 0)).toBe(hexOfText('user:000'));
      expect(axis.keyAt(1, 0)).toBe(hexOfText('user:999'));
    }
  });
  it('is one of bytes where keys lie in heaps', () => {
    const of = (prefix: string) =>
      Array.from({ length: 20 }, (_, i) =>
        textFile(i, 6, `${prefix}${10 * i + 100}`, `${prefix}${10 * i + 109}`),
      );
    const usual = (files: FileSummary[]) => axisOf(files, keyOrder(''), undefined).mode;
    expect(usual(of('user:'))).toBe('key');
    const heaps = [...of('order:2026:'), ...of('user:')];
    expect(usual(heaps)).toBe('bytes');
    expect(axisOf(heaps, keyOrder(''), 'key').mode).toBe('key');
  });
  it('orders numbers as it orders keys', () => {
    const keys = ['a', 'a0', 'a0z', 'a1', 'a10', 'a1b', 'a9', 'aZ', 'b', 'b\u00e9', 'ba'].map(
      hexOfText,
    );
    keys.sort();
    const values = keys.map((key) => new Digits(keys).value(key));
    expect(values).toEqual([...values].sort((a, b) => a - b));
  });
});

describe('the labels of the axis', () => {
  it('are short keys, at their own places', () => {
    const axis = new KeyAxis(kAll, 'key');
    const ticks = ticksOf(axis, { from: 0, to: 1 }, 10);
    expect(ticks.length).toBeGreaterThan(8);
    for (const { hex, place } of ticks) expect(axis.at(hex)).toBe(place);
    const prefix = prefixOf(axis, { from: 0, to: 1 });
    expect(textOf(prefix)).toBe('user:');
    expect(ticks.slice(1, 4).map(({ hex }) => tickLabel(hex, prefix))).toEqual(['…1', '…2', '…3']);
  });
  it('go on between two bounds', () => {
    const axis = new KeyAxis(kAll, 'bytes');
    const ticks = ticksOf(axis, { from: 0.2, to: 0.22 }, 4);
    expect(ticks.length).toBeGreaterThan(2);
    for (const { place } of ticks) expect(place).toBeGreaterThanOrEqual(0.2 - 1e-9);
  });
});

describe('the map', () => {
  it('shows what the API answers: every file once, levels in order', () => {
    const all = files.files as FileSummary[];
    const axis = new KeyAxis(all, 'key');
    const rows = rowsOf(all, axis);
    expect(rows.map((row) => row.label)).toEqual(['L1', 'L2']);
    expect(rows.flatMap((row) => row.files).length).toBe(all.length);
    for (const row of rows)
      for (let i = 1; i < row.files.length; i += 1)
        expect(axis.spans.get(row.files[i]!)!.from).toBeGreaterThanOrEqual(
          axis.spans.get(row.files[i - 1]!)!.to,
        );
  });
  it('gives every young file a row of its own, newest first', () => {
    const young = [file(1, 0, '10', '40'), file(3, 0, '10', '40'), file(2, 0, '20', '30')];
    expect(rowsOf(young, new KeyAxis(young, 'key')).map((row) => row.files[0]!.id)).toEqual([
      '3',
      '2',
      '1',
    ]);
  });
  it('draws a hundred thousand files with no more boxes than pixels', () => {
    const many = Array.from({ length: 100_000 }, (_, i) =>
      file(i, 6, (2 * i).toString(16).padStart(8, '0'), (2 * i + 1).toString(16).padStart(8, '0')),
    );
    const axis = new KeyAxis(many, 'key');
    const [row] = rowsOf(many, axis);
    const boxes = boxesOf(row!, 0, axis, { from: 0, to: 1 }, 1000);
    expect(boxes.length).toBeLessThanOrEqual(1001);
    expect(boxes.reduce((sum, box) => sum + box.count, 0)).toBe(many.length);
    // Zoomed in, they are themselves again.
    expect(
      boxesOf(row!, 0, axis, { from: 0.5, to: 0.5001 }, 1000).every((box) => box.count === 1),
    ).toBe(true);
  }, 60_000);
  it('loses no byte in the density strip', () => {
    const some = [file(1, 0, '10', '40', 1000), file(2, 1, '20', '30', 500)];
    expect(density(some, new KeyAxis(some, 'key'), 50).reduce((sum, n) => sum + n, 0)).toBeCloseTo(
      1500,
    );
  });
});

describe('compactions at work', () => {
  const bytesOf = (hex: string) => ({ hex, len: hex.length / 2 });
  const running = {
    inputs: ['9', '2', '77'],
    output_level: 5,
    from: bytesOf(hexOfText('user:000')),
    to: bytesOf(hexOfText('user:499')),
  };
  it('are told with their inputs by level', () => {
    expect(inputsText(running, kAll)).toBe('1 file of L0 and 1 of L6 and 1 file more, 450 B');
    expect(inputsText({ ...running, inputs: ['77'] }, kAll)).toBe('1 file');
  });
  it('frame where their tables will be, also on a level without files', () => {
    const axis = new KeyAxis(kAll, 'key');
    const spans = spansOf([running], axis);
    expect(spans[0]!.span).toEqual({ from: 0, to: expect.closeTo(499 / 999) as number });
    const rows = rowsOf(kAll, axis, new Set([5]));
    expect(rows.map((row) => row.level)).toEqual([0, 5, 6]);
    const frames: number[][] = [];
    let dashed = false;
    const pen: unknown = new Proxy(
      {},
      {
        set: () => true,
        get:
          (_, name) =>
          (first: unknown, ...rest: number[]) => {
            if (name === 'setLineDash') dashed = (first as number[]).length > 0;
            if (name === 'strokeRect' && dashed) frames.push([first as number, ...rest]);
            return { width: 10 };
          },
      },
    );
    const tops = topsOf(rows, 0);
    drawMap(pen as CanvasRenderingContext2D, {
      ...{ axis, rows, tops, ...heightOf(tops), pixels: 1000, shown: { from: 0, to: 1 } },
      ...{ strip: new Float64Array(1), ticks: [], memory: [], colors: {}, shade: () => 1 },
      ...{ selected: null, marked: null, running: spans },
      boxes: rows.map((row, i) => boxesOf(row, i, axis, { from: 0, to: 1 }, 1000)),
    });
    expect(frames.length).toBe(1);
    const [, top, wide] = frames[0]!;
    expect(top).toBe(tops[1]! - 2);
    expect(wide).toBeCloseTo((1000 * 499) / 999, 0);
  });
});
