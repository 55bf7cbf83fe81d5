// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { HistoryJob } from '@/api/openapi';
import { traceOf } from './trace';

const job = (change: Partial<HistoryJob>): HistoryJob => ({
  kind: 'compaction',
  cf: 'default',
  cf_id: 0,
  inputs: [{ file: '7', level: 0, size: 10 }],
  outputs: [{ file: '9', level: 1, size: 8 }],
  output_level: 1,
  bytes_read: 10,
  bytes_written: 8,
  inferred: false,
  ...change,
});

describe('jobs as a trace', () => {
  it('have beginning, duration and what they did, in lanes without overlaps', () => {
    const { trace, timeless } = traceOf([
      job({ job: 2, started_unix_us: 150, finished_unix_us: 400, reason: 'ManualCompaction' }),
      job({ job: 1, started_unix_us: 100, finished_unix_us: 200 }),
      job({ job: 3, started_unix_us: 200, finished_unix_us: 300 }),
      job({ kind: 'flush', started_unix_us: 100, finished_unix_us: 110 }),
    ]);
    expect(timeless).toBe(0);
    const spans = trace.traceEvents.filter(({ ph }) => ph === 'X');
    expect(spans.map(({ ts, dur, tid }) => [ts, dur, tid])).toEqual([
      [100, 100, 65001],
      [100, 10, 1],
      [150, 250, 65002],
      [200, 100, 65001],
    ]);
    expect(spans[2]).toMatchObject({
      name: 'compaction → L1',
      cat: 'compaction',
      pid: 1,
      args: { reason: 'ManualCompaction', inputs: ['7 (L0)'], outputs: ['9 (L1)'] },
    });
    const names = trace.traceEvents.filter(({ ph }) => ph === 'M').map(({ args }) => args?.name);
    expect(names.sort()).toEqual([
      'column family default',
      'compaction → L1',
      'compaction → L1 (2)',
      'flush',
    ]);
  });

  it('have flows from what made a table to what took it, and counters after each edit', () => {
    const table = (file: string, level: number, size: number) => ({ file, level, size });
    const flush = { kind: 'flush' as const, inputs: [], output_level: 0 };
    const { trace } = traceOf([
      job({ ...flush, edit: undefined, outputs: [table('3', 0, 5)], creation_time_unix_s: 1 }),
      job({ ...flush, kind: 'snapshot', edit: '1', outputs: [table('3', 0, 5)] }),
      job({
        ...flush,
        edit: '2',
        outputs: [table('7', 0, 10)],
        started_unix_us: 100,
        finished_unix_us: 110,
      }),
      job({
        edit: '3',
        inputs: [table('3', 0, 5), table('7', 0, 10)],
        started_unix_us: 200,
        finished_unix_us: 230,
      }),
    ]);
    const flows = trace.traceEvents.filter(({ cat }) => cat === 'table');
    expect(flows).toEqual([
      { name: 'table 7', cat: 'table', id: 1, ph: 's', pid: 1, tid: 1, ts: 109 },
      { name: 'table 7', cat: 'table', id: 1, ph: 'f', bp: 'e', pid: 1, tid: 65001, ts: 200 },
    ]);
    const counters = trace.traceEvents.filter(({ ph }) => ph === 'C');
    expect(counters.map(({ name, ts, args }) => [name, ts, Object.values(args ?? {})[0]])).toEqual([
      ['L0 files', 110, 2],
      ['table bytes', 110, 15],
      ['L0 files', 230, 0],
      ['table bytes', 230, 8],
    ]);
  });

  it('are instants where only a time is known, and left out where none is', () => {
    const { trace, timeless } = traceOf([
      job({ kind: 'snapshot', creation_time_unix_s: 5 }),
      job({ creation_time_unix_s: 7 }),
      job({ creation_time_unix_s: 0 }),
      job({}),
    ]);
    expect(timeless).toBe(2);
    const [, , only, ...more] = trace.traceEvents;
    expect(only).toMatchObject({ ph: 'i', s: 't', ts: 7_000_000 });
    expect(only).not.toHaveProperty('dur');
    expect(more).toEqual([]);
  });
});
