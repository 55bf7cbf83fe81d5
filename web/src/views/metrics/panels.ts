// SPDX-License-Identifier: Apache-2.0
// What is drawn of a running engine: one chart each, over time.
import { bytes, count, nanoseconds, percent, ratio } from '@/lib/format';
import {
  grown,
  level,
  percentile,
  perSecond,
  quotient,
  type Figure,
  type Sample,
} from '@/lib/samples';

export interface Line {
  label: string;
  color: string;
  figure: Figure;
}

export interface MetricsPanel {
  title: string;
  says: string; // What is counted.
  show: (n: number) => string;
  lines: Line[];
  log?: boolean; // The scale of figures.
}

const rate = (n: number) => `${count(Math.round(n))}/s`;
const byteRate = (n: number) => `${bytes(n)}/s`;
const share = (n: number) => percent(n, 1);
const seconds = (n: number) => `${ratio(n)} s`;
const times = (n: number) => `${ratio(n)} ×`;
const whole = (n: number) => count(Math.round(n));

const kBlocks = ['rocksdb.block.cache.hit', 'rocksdb.block.cache.miss'] as const;
const kReads = ['rocksdb.number.keys.read', 'rocksdb.number.multiget.keys.read'] as const;
const kAllowed = 'rocksdb.bloom.filter.full.positive';
const kHad = 'rocksdb.bloom.filter.full.true.positive';
const kRefused = 'rocksdb.bloom.filter.useful';

const minus =
  (a: Figure, b: Figure): Figure =>
  (now, before) => {
    const [from, less] = [a(now, before), b(now, before)];
    return from === null || less === null ? null : from - less;
  };

// Of what was allowed in vain and what was refused, the part that was allowed.
const falsePositives = minus(grown(kAllowed), grown(kHad));
const absent: Figure = (now, before) => {
  const [allowed, refused] = [falsePositives(now, before), grown(kRefused)(now, before)];
  return allowed === null || refused === null ? null : allowed + refused;
};

const stalled: Figure = (now, before) => {
  const micros = perSecond('rocksdb.stall.micros')(now, before);
  return micros === null ? null : micros / 1e6;
};

const kLevels = [0, 1, 2, 3, 4, 5, 6];

export const levelsOf = (sample: Sample | undefined): number[] =>
  kLevels.filter((i) => (sample?.values[`levels.${i}.files`] ?? 0) > 0);

const byLevel = (what: 'files' | 'bytes'): Line[] =>
  kLevels.map((i) => ({
    label: `L${i}`,
    color: `--level-${i}`,
    figure: level(`levels.${i}.${what}`),
  }));

const lastLevel: Figure = (now) => {
  const last = levelsOf(now).at(-1);
  return last === undefined ? null : (now.values[`levels.${last}.bytes`] ?? null);
};
const allLevels: Figure = (now) => {
  let sum = 0;
  for (const i of levelsOf(now)) sum += now.values[`levels.${i}.bytes`] ?? 0;
  return sum || null;
};
// Since the database was opened.
const written: Figure = (now) => {
  const flushed = now.values['rocksdb.flush.write.bytes'];
  const compacted = now.values['rocksdb.compact.write.bytes'];
  return flushed === undefined || compacted === undefined ? null : flushed + compacted;
};

export const kMetricsPanels: MetricsPanel[] = [
  {
    title: 'Throughput',
    says: 'Entries written and keys read in a second',
    show: rate,
    lines: [
      { label: 'written', color: '--level-0', figure: perSecond('rocksdb.number.keys.written') },
      { label: 'read', color: '--level-4', figure: perSecond(...kReads) },
      { label: 'iterators', color: '--level-2', figure: perSecond('rocksdb.num.iterator.created') },
    ],
  },
  {
    title: 'Latency of writes',
    says: 'Batches of that second, waiting included; one in 64 is measured',
    show: nanoseconds,
    lines: latencies('rocksdb.db.write.micros'),
    log: true,
  },
  {
    title: 'Latency of reads',
    says: 'Point reads of that second; one in 64 is measured',
    show: nanoseconds,
    lines: latencies('rocksdb.db.get.micros'),
    log: true,
  },
  {
    title: 'Stalls',
    says: 'Seconds waited in a second: several writers may wait, and a wait counts when it ends',
    show: seconds,
    lines: [{ label: 'waited', color: '--level-0', figure: stalled }],
  },
  {
    title: 'Bytes written and read',
    says: 'By users, to logs and by jobs',
    show: byteRate,
    lines: [
      { label: 'by users', color: '--level-4', figure: perSecond('rocksdb.bytes.written') },
      { label: 'logs', color: '--level-3', figure: perSecond('rocksdb.wal.bytes') },
      { label: 'flushes', color: '--level-2', figure: perSecond('rocksdb.flush.write.bytes') },
      {
        label: 'compactions',
        color: '--level-0',
        figure: perSecond('rocksdb.compact.write.bytes'),
      },
      {
        label: 'read by compactions',
        color: '--level-6',
        figure: perSecond('rocksdb.compact.read.bytes'),
      },
    ],
  },
  {
    title: 'Memory',
    says: 'Memtables, cache, and what open tables keep',
    show: bytes,
    lines: [
      { label: 'memtables', color: '--level-4', figure: level('memtable_bytes') },
      { label: 'of these sealed', color: '--level-0', figure: level('cfs.sealed_memtable_bytes') },
      { label: 'block cache', color: '--level-2', figure: level('block_cache.bytes') },
      { label: 'open tables', color: '--level-6', figure: level('open_table_bytes') },
    ],
  },
  {
    title: 'Block cache',
    says: 'Share of the blocks asked for that were in it, that second',
    show: share,
    lines: [
      { label: 'hits', color: '--level-2', figure: quotient(grown(kBlocks[0]), grown(...kBlocks)) },
    ],
  },
  {
    title: 'Filters',
    says: 'Of tables without the key, those that the filter did not exclude, that second',
    show: share,
    lines: [
      { label: 'false positives', color: '--level-0', figure: quotient(falsePositives, absent) },
    ],
  },
  {
    title: 'Tables by level',
    says: 'Files; level 0 slows and stops writes when there are many',
    show: whole,
    lines: byLevel('files'),
  },
  {
    title: 'Bytes by level',
    says: 'And what compactions have still to rewrite',
    show: bytes,
    lines: [
      ...byLevel('bytes'),
      { label: 'debt', color: '--bad', figure: level('cfs.pending_compaction_bytes') },
    ],
  },
  {
    title: 'Flushes and compactions',
    says: 'Ended since the database was opened',
    show: whole,
    lines: [
      { label: 'flushes', color: '--level-2', figure: level('varve.flushes') },
      { label: 'compactions', color: '--level-0', figure: level('varve.compactions') },
      { label: 'moves', color: '--level-4', figure: level('varve.trivial.moves') },
    ],
  },
  {
    title: 'Amplification',
    says: 'Table bytes written for a byte by users; blocks for a key read; all levels over the last',
    show: times,
    lines: [
      {
        label: 'write',
        color: '--level-0',
        figure: quotient(written, level('rocksdb.bytes.written')),
      },
      { label: 'read', color: '--level-4', figure: quotient(grown(...kBlocks), grown(...kReads)) },
      { label: 'space', color: '--level-2', figure: quotient(allLevels, lastLevel) },
    ],
  },
];

function latencies(name: string): Line[] {
  return [
    { label: 'p50', color: '--level-2', figure: percentile(name, 0.5) },
    { label: 'p99', color: '--level-4', figure: percentile(name, 0.99) },
    { label: 'p99.9', color: '--level-0', figure: percentile(name, 0.999) },
  ];
}
