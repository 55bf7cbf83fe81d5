// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import edits from '../../../tests/contract/golden/edits.json';
import { commonPrefix, branchOf, branches, successor } from '@/lib/prefix';
import {
  columnsOf,
  flatten,
  grown,
  isCounter,
  level,
  percentile,
  perSecond,
  quotient,
  sampleOf,
  thinned,
  type Sample,
} from '@/lib/samples';
import { followsEdits } from '@/shell/live';
import type { BlockEntry, EngineStats, LayoutRange } from '@/api/openapi';
import { Client } from '@/engine/client';
import { compare, differences, parseBench, verdictOf, type BenchRun } from './bench/results';
import { mapBoxes, toneOf, totalsOf } from './file/bytemap';
import { entryFields, fieldAt, findBytes, leafFields, varintLength } from './file/fields';
import { sizesOf } from './timeline/sizes';

const bytes = (hex: string) => ({ hex, len: hex.length / 2 });

describe('fields of a block', () => {
  const entries: BlockEntry[] = [
    {
      offset: 0,
      restart: true,
      shared: 0,
      non_shared: 12,
      key: bytes('61626364'),
      seq: '7',
      type: 'put',
      value: bytes('ffff'),
    },
    {
      offset: 17,
      restart: false,
      shared: 3,
      non_shared: 9,
      key: bytes('61626365'),
      seq: '8',
      type: 'put',
      value: bytes(''),
    },
  ];
  it('cover every byte once', () => {
    const fields = entryFields(entries, 40);
    expect(fields[0]).toMatchObject({ start: 0, end: 1, name: 'shared' });
    for (let i = 1; i < fields.length; i += 1) expect(fields[i]!.start).toBe(fields[i - 1]!.end);
    expect(fields.at(-1)).toMatchObject({ end: 40, name: 'restarts' });
    expect(fields.filter((field) => field.entry === 1).map((field) => field.name)).toEqual([
      'shared',
      'non_shared',
      'value length',
      'key',
    ]);
  });
  it('are found by any of their bytes', () => {
    const fields = entryFields(entries, 40);
    for (let at = 0; at < 40; at += 1)
      expect(
        fields[fieldAt(fields, at)]!.start <= at && at < fields[fieldAt(fields, at)]!.end,
      ).toBe(true);
    expect(fieldAt(fields, 40)).toBe(-1);
  });
  it('count varints as they are written', () => {
    expect([0, 127, 128, 16383, 16384, 2 ** 35].map(varintLength)).toEqual([1, 1, 2, 2, 3, 6]);
  });
  it('come from the layout as it is', () => {
    const leaves: LayoutRange[] = [
      { o: 100, n: 1, kind: 'data', path: 'payload/entry/shared', number: '0' },
      { o: 101, n: 4, kind: 'data', path: 'trailer/checksum', number: '9' },
    ];
    expect(leafFields(leaves, 100).map(({ start, end, meaning }) => [start, end, meaning])).toEqual(
      [
        [0, 1, '0'],
        [1, 5, '9'],
      ],
    );
  });
  it('are searched around the end', () => {
    const text = new TextEncoder().encode('abcabc');
    const bc = new TextEncoder().encode('bc');
    expect([
      findBytes(text, bc, -1),
      findBytes(text, bc, 1),
      findBytes(text, bc, 4),
      findBytes(text, new Uint8Array(9), 0),
    ]).toEqual([1, 4, 1, -1]);
  });
});

describe('the byte map', () => {
  const ranges: LayoutRange[] = [
    ...Array.from({ length: 10_000 }, (_, i) => ({ o: i * 10, n: 10, kind: 'data' })),
    { o: 100_000, n: 53, kind: 'footer' },
  ];
  it('draws ten thousand blocks with no more boxes than pixels, and tiles', () => {
    const boxes = mapBoxes(ranges, 'bytes', 800);
    expect(boxes.length).toBeLessThan(802);
    expect(boxes.reduce((sum, box) => sum + box.count, 0)).toBe(ranges.length);
    expect(boxes.at(-1)!.range.kind).toBe('footer');
  });
  it('sums by kind', () => {
    expect(totalsOf(ranges)).toEqual([
      { kind: 'data', bytes: 100_000, count: 10_000 },
      { kind: 'footer', bytes: 53, count: 1 },
    ]);
    expect(
      ['data', 'filter_partition', 'index_partition', 'metaindex', 'unreferenced'].map(toneOf),
    ).toEqual(['data', 'filter', 'index', 'meta', 'bad']);
  });
});

describe('prefixes', () => {
  it('know the first string that none of theirs reaches', () => {
    expect([successor('61'), successor('61ff'), successor('ffff'), successor('')]).toEqual([
      '62',
      '62',
      null,
      null,
    ]);
    expect(commonPrefix('616263', '616364')).toBe('61');
    expect(branchOf('', '757365723a34')).toBe('757365723a');
    expect(branchOf('6b', '6b3161')).toBe('6b31');
  });
  it('are found by skipping: one question a child, however many keys', async () => {
    const keys = ['a:1', 'a:2', 'a:3', 'b:1', 'b:2', 'c'].map((key) =>
      [...new TextEncoder().encode(key)].map((b) => b.toString(16)).join(''),
    );
    let questions = 0;
    const client = new Client({
      letter: 'h',
      name: 'http',
      fetch: async ({ url }) => {
        questions += 1;
        const query = new URL(url).searchParams;
        const from = query.get('from')?.slice(4) ?? '';
        const prefix = query.get('prefix')?.slice(4) ?? '';
        const all = query.get('reverse') ? [...keys].reverse() : keys;
        const key = all.find((k) => k >= from && k.startsWith(prefix));
        return Response.json({ rows: key ? [{ key: { hex: key, len: key.length / 2 } }] : [] });
      },
    });
    const { found, complete } = await branches(client, { t: 't1', cf: 'default' }, '', 10);
    expect(found).toEqual([
      { prefix: '613a', only: false },
      { prefix: '623a', only: false },
      { prefix: '63', only: true },
    ]);
    expect(complete).toBe(true);
    expect(questions).toBe(4); // First, last, and one for each child behind the first.
  });
});

describe('the timeline', () => {
  it('sums what edits add and take away', () => {
    const { flushed, total } = sizesOf(edits.edits as never);
    expect(total).toEqual([0, 0, 0, 20000, 20000]);
    expect(flushed[3]).toBe(20000);
  });
});

describe('bench results', () => {
  const run = (...rates: number[]): BenchRun => ({
    schema: 'varve.bench/1',
    version: '',
    store: '',
    started_unix_seconds: 0,
    machine: { cpu: 'x' },
    settings: {},
    options_changed: {},
    workloads: rates.map((rate) => ({
      name: 'readrandom',
      threads: 1,
      seconds: 1,
      operations: rate,
      operations_per_second: rate,
      latency: null,
      end: { write_amplification: 0, space_amplification: 0 },
    })),
  });
  it('hold B against A with an interval', () => {
    const [change] = compare(run(100, 101, 99, 100), run(120, 121, 119, 120));
    expect(change!.percent).toBeCloseTo(20, 0);
    expect(change!.interval![0]).toBeGreaterThan(17);
    expect(change!.interval![1]).toBeLessThan(23);
    expect(verdictOf(change!.interval)).toBe('B is faster');
  });
  it('show no difference where there is none, and no interval for one run', () => {
    expect(verdictOf(compare(run(100, 110, 90), run(101, 92, 108))[0]!.interval)).toBe(
      'no difference shown',
    );
    expect(compare(run(100), run(120))[0]!.interval).toBeNull();
  });
  it('say what else differs, and refuse what is no result', () => {
    expect(differences({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).toEqual([['a.c', '2', '3']]);
    expect(() => parseBench('{"schema":"varve.files/1"}')).toThrow(/no result/);
  });
});

describe('metrics', () => {
  const kWrites = 'rocksdb.number.keys.written';
  const kWrite = 'rocksdb.db.write.micros';
  const sample = (at: number, values: Record<string, number>, durations = {}): Sample => ({
    at,
    values,
    durations,
  });

  it('are flattened, and families are summed', () => {
    expect(flatten({ cache: { hits: 3, name: 'x' }, seq: '12' })).toEqual({
      'cache.hits': 3,
      seq: 12,
    });
    const family = (bytes: number) => ({
      id: '0',
      name: 'f',
      memtable_bytes: bytes,
      levels: [{ level: 0, files: 2, bytes }],
    });
    const stats = {
      tickers: { [kWrites]: 7 },
      histograms: { [kWrite]: { count: 1, buckets: [{ below_ns: 8, count: 1 }] } },
      cfs: [family(10), family(20)],
    } as unknown as EngineStats;
    const { values, durations } = sampleOf(1, stats);
    expect(values).toEqual({
      [kWrites]: 7,
      [`${kWrite}.count`]: 1,
      'cfs.memtable_bytes': 30,
      'levels.0.files': 4,
      'levels.0.bytes': 30,
    });
    expect(durations[kWrite]).toEqual([{ below_ns: 8, count: 1 }]);
  });
  it('become rates of what is counted', () => {
    const samples = [sample(0, { a: 10, b: 0 }), sample(2, { a: 30, b: 10 }), sample(3, { a: 0 })];
    expect(columnsOf(samples, [perSecond('a'), level('a'), perSecond('a', 'b')])).toEqual([
      [0, 2, 3],
      [null, 10, null],
      [10, 30, 0],
      [null, 15, null],
    ]);
    expect(quotient(grown('b'), grown('a'))(samples[1]!, samples[0])).toBe(0.5);
    expect([isCounter(kWrites), isCounter('cfs.memtable_bytes')]).toEqual([true, false]);
  });
  it('tell the percentiles of the calls between two samples only', () => {
    const before = sample(0, {}, { [kWrite]: [{ below_ns: 1024, count: 1000 }] });
    const now = sample(
      1,
      {},
      {
        [kWrite]: [
          { below_ns: 1024, count: 1000 },
          { below_ns: 4096, count: 10 },
        ],
      },
    );
    expect(percentile(kWrite, 0.5)(now, before)).toBe(2048 + 2048 / 2);
    expect(percentile(kWrite, 0.5)(before, before)).toBeNull();
    expect(percentile(kWrite, 0.5)(now, undefined)).toBeNull();
  });
  it('of a long run are kept to its end, the older ones more thinly', () => {
    let samples: Sample[] = [];
    for (let at = 0; at < 10_000; at += 1) samples = thinned([...samples, sample(at, {})], 100);
    expect(samples.length).toBeLessThanOrEqual(100);
    expect(samples[0]!.at).toBe(0);
    expect(samples.slice(-50).map(({ at }) => at)).toEqual(
      Array.from({ length: 50 }, (_, i) => 9950 + i),
    );
  });
});

describe('what follows the edits of a MANIFEST', () => {
  const follows = (...queryKey: unknown[]) => followsEdits({ queryKey }, 't1');
  it('is what is said of the database, not what is in its tables', () => {
    expect(follows('h', '/api/v1/targets/t1')).toBe(true);
    expect(follows('h', '/api/v1/targets')).toBe(true);
    expect(follows('h', '/api/v1/targets/t1/cfs/default/levels')).toBe(true);
    expect(follows('h', 'lsm files', 't1', 'default', undefined)).toBe(true);
    expect(follows('h', 'rows', '/api/v1/targets/t1/files?cf=default', 100)).toBe(true);
    expect(follows('h', '/api/v1/targets/t1/files/12/layout')).toBe(false);
    expect(follows('h', '/api/v1/targets/t1/analyses/space')).toBe(false);
    expect(follows('h', '/api/v1/targets/t12')).toBe(false);
    expect(follows('jobs', 'h', 't1')).toBe(false);
  });
});
