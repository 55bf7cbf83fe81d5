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
    const { trace, timeless } = traceOf(
      [
        job({ job: 2, started_unix_us: 150, finished_unix_us: 400, reason: 'ManualCompaction' }),
        job({ job: 1, started_unix_us: 100, finished_unix_us: 200 }),
        job({ job: 3, started_unix_us: 200, finished_unix_us: 300 }),
        job({ kind: 'flush', started_unix_us: 100, finished_unix_us: 110 }),
      ],
      'db',
    );
    expect(timeless).toBe(0);
    const spans = trace.traceEvents.filter(({ ph }) => ph === 'X');
    expect(spans.map(({ ts, dur, tid }) => [ts, dur, tid])).toEqual([
      [100, 100, 1001],
      [100, 10, 1],
      [150, 250, 1002],
      [200, 100, 1001],
    ]);
    expect(spans[2]).toMatchObject({
      name: 'compaction → L1',
      cat: 'compaction',
      pid: 1,
      args: { reason: 'ManualCompaction', inputs: ['7 (L0)'], outputs: ['9 (L1)'] },
    });
    const names = trace.traceEvents.filter(({ ph }) => ph === 'M').map(({ args }) => args.name);
    expect(names.sort()).toEqual(['column family default', 'compaction', 'compaction 2', 'flush']);
  });

  it('are instants where only a time is known, and left out where none is', () => {
    const { trace, timeless } = traceOf(
      [
        job({ kind: 'snapshot', creation_time_unix_s: 5 }),
        job({ creation_time_unix_s: 7 }),
        job({ creation_time_unix_s: 0 }),
        job({}),
      ],
      'db',
    );
    expect(timeless).toBe(2);
    const [, , only, ...more] = trace.traceEvents;
    expect(only).toMatchObject({ ph: 'i', s: 't', ts: 7_000_000 });
    expect(only).not.toHaveProperty('dur');
    expect(more).toEqual([]);
  });
});
