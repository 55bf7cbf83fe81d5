// SPDX-License-Identifier: Apache-2.0
// Statistics as flat names with numbers, and what of them changes.
import type { DurationBucket, EngineStats, FamilyStats, StatsSample } from '@/api/openapi';

export interface Sample {
  at: number; // Unix seconds.
  values: Record<string, number>;
  durations: Record<string, DurationBucket[]>; // By the names of histograms.
}

// {"cache":{"hits":3}} is "cache.hits" 3. Strings that are numbers count; the rest is left out.
export function flatten(value: unknown, name = ''): Record<string, number> {
  if (typeof value === 'number') return { [name]: value };
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return { [name]: Number(value) };
  if (typeof value !== 'object' || value === null) return {};
  const flat: Record<string, number> = {};
  for (const [member, inner] of Object.entries(value))
    Object.assign(flat, flatten(inner, name ? `${name}.${member}` : member));
  return flat;
}

// What families and levels have is summed over families: "levels.0.files", "cfs.sealed_memtables".
function ofFamilies(families: FamilyStats[]): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (name: string, value: number) => {
    sums[name] = (sums[name] ?? 0) + value;
  };
  for (const { levels, ...family } of families) {
    for (const [name, value] of Object.entries(family))
      if (typeof value === 'number') add(`cfs.${name}`, value);
    for (const level of levels) {
      add(`levels.${level.level}.files`, level.files);
      add(`levels.${level.level}.bytes`, level.bytes);
    }
  }
  return sums;
}

export function sampleOf(at: number, stats: EngineStats): Sample {
  const { histograms, cfs, tickers, ...now } = stats;
  const durations: Sample['durations'] = {};
  const values = { ...flatten(now), ...tickers, ...ofFamilies(cfs) };
  for (const [name, { buckets, ...figures }] of Object.entries(histograms)) {
    durations[name] = buckets;
    Object.assign(values, flatten(figures, name));
  }
  return { at, values, durations };
}

// What the server kept from before it was asked: fewer figures.
export function sampleOfHistory(sample: StatsSample): Sample {
  return {
    at: sample.time_unix_us / 1e6,
    values: {
      memtable_bytes: sample.memtable_bytes,
      'block_cache.bytes': sample.block_cache_bytes,
      'rocksdb.block.cache.hit': sample.block_cache_hits,
      'rocksdb.block.cache.miss': sample.block_cache_misses,
      'rocksdb.number.keys.written': sample.entries_written,
      'rocksdb.bytes.written': sample.user_bytes_written,
      'rocksdb.flush.write.bytes': sample.flush_bytes_written,
      'rocksdb.compact.write.bytes': sample.compaction_bytes_written,
      'rocksdb.stall.micros': sample.stall_micros,
    },
    durations: {},
  };
}

// The whole of a run in so many samples: the newest half as they came, of the older ones every
// second is left out as often as it takes.
export function thinned(samples: Sample[], most: number): Sample[] {
  if (samples.length <= most) return samples;
  const recent = samples.length - (most >> 1);
  return samples.filter((_, i) => i >= recent || i % 2 === 0);
}

// A figure of the time between two samples; null: there is none.
export type Figure = (now: Sample, before: Sample | undefined) => number | null;

export const level =
  (name: string): Figure =>
  (now) =>
    now.values[name] ?? null;

// How much of them came in between; null, too, where the engine was started anew.
export const grown =
  (...names: string[]): Figure =>
  (now, before) => {
    let sum = 0;
    for (const name of names) {
      const to = now.values[name];
      const from = before?.values[name];
      if (to === undefined || from === undefined || to < from) return null;
      sum += to - from;
    }
    return sum;
  };

export const perSecond = (...names: string[]): Figure => {
  const growth = grown(...names);
  return (now, before) => {
    const more = growth(now, before);
    return more === null || !before ? null : more / Math.max(1e-3, now.at - before.at);
  };
};

export const quotient =
  (part: Figure, whole: Figure): Figure =>
  (now, before) => {
    const of = whole(now, before);
    const is = part(now, before);
    return of === null || is === null || of === 0 ? null : is / of;
  };

// In nanoseconds, of the calls between two samples, interpolated within a bucket as the engine does.
export const percentile =
  (name: string, fraction: number): Figure =>
  (now, before) => {
    const known = new Map(before?.durations[name]?.map((b) => [b.below_ns, b.count]));
    const buckets = (now.durations[name] ?? []).map(({ below_ns, count }) => ({
      below_ns,
      count: count - (known.get(below_ns) ?? 0),
    }));
    const wanted = fraction * buckets.reduce((sum, { count }) => sum + count, 0);
    if (!before || wanted <= 0 || buckets.some(({ count }) => count < 0)) return null;
    let below = 0;
    for (const { below_ns, count } of buckets) {
      if (count > 0 && below + count >= wanted)
        return below_ns / 2 + (below_ns / 2) * ((wanted - below) / count);
      below += count;
    }
    return null;
  };

// Times and values for a chart, a column for each figure.
export function columnsOf(
  samples: Sample[],
  figures: Figure[],
): [number[], ...(number | null)[][]] {
  return [
    samples.map((sample) => sample.at),
    ...figures.map((figure) => samples.map((now, i) => figure(now, samples[i - 1]))),
  ];
}

// What is counted since the database was opened, and only grows: its rate is what matters.
export function isCounter(name: string): boolean {
  return /^(rocksdb|varve)\./.test(name) && !/\.micros\./.test(name);
}
