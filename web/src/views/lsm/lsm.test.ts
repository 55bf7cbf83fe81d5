// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { FileSummary } from '@/api/openapi';
import files from '../../../../tests/contract/golden/files.json';
import { KeyAxis, keyOrder } from './axis';
import { boxesOf, density, rowsOf } from './layout';

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

describe('the axis of keys', () => {
  it('gives every piece with files the same width, and gaps little', () => {
    const [a, b] = [file(1, 1, '10', '20'), file(2, 1, '30', '40')];
    const axis = new KeyAxis([a, b], 'key');
    expect(axis.spans.get(a)!.to).toBeCloseTo(1 / 2.1);
    expect(axis.spans.get(b)!.from).toBeCloseTo(1.1 / 2.1);
    expect(axis.at('20')).toBeCloseTo(1 / 2.1);
    expect(axis.at('25')).toBeCloseTo(1 / 2);
    expect([axis.at('05'), axis.at('50')]).toEqual([0, 1]);
    expect(axis.boundAt(0.5)).toBe('20');
  });
  it('gives pieces the width of their bytes if asked', () => {
    const [a, b] = [file(1, 1, '10', '20', 300), file(2, 1, '30', '40', 100)];
    const axis = new KeyAxis([a, b], 'bytes');
    expect(axis.spans.get(a)!.to).toBeCloseTo(0.75);
    expect(axis.spans.get(b)).toEqual({ from: 0.75, to: 1 });
  });
  it('runs backwards for a reverse comparator', () => {
    const axis = new KeyAxis(
      [file(1, 1, '40', '10')],
      'key',
      keyOrder('rocksdb.ReverseBytewiseComparator'),
    );
    expect([axis.at('40'), axis.at('10')]).toEqual([0, 1]);
  });
  it('stands one file of one key', () => {
    const only = file(1, 0, '10', '10');
    expect(new KeyAxis([only], 'bytes').spans.get(only)).toEqual({ from: 0, to: 0 });
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
