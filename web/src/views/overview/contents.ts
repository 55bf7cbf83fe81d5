// SPDX-License-Identifier: Apache-2.0
// What is in the tables of each level, from their properties.
import type { FileSummary, HistoryJob, TableProperty } from '@/api/openapi';

export interface LevelContents {
  level: number;
  entries: number;
  deletions: number; // Of single keys and of ranges.
  raw: number; // Bytes of keys and values, uncompressed.
  stored: number;
  oldest: number; // In seconds since 1970; 0: unknown.
  sample: FileSummary; // The newest of them.
}

export function contentsOf(files: FileSummary[]): LevelContents[] {
  const levels = new Map<number, LevelContents>();
  for (const file of files) {
    let sum = levels.get(file.level);
    if (!sum) {
      sum = {
        level: file.level,
        entries: 0,
        deletions: 0,
        raw: 0,
        stored: 0,
        oldest: 0,
        sample: file,
      };
      levels.set(file.level, sum);
    }
    sum.entries += file.entries ?? 0;
    sum.deletions += (file.deletions ?? 0) + (file.range_deletions ?? 0);
    sum.raw += (file.raw_key_bytes ?? 0) + (file.raw_value_bytes ?? 0);
    sum.stored += file.size;
    const made = file.oldest_ancestor_time_unix_s || file.creation_time_unix_s;
    if (made > 0 && (sum.oldest === 0 || made < sum.oldest)) sum.oldest = made;
    if (Number(file.id) > Number(sum.sample.id)) sum.sample = file;
  }
  return [...levels.values()].sort((a, b) => a.level - b.level);
}

// A property as it is shown; empty if the table has none of that name.
export const propertyOf = (properties: TableProperty[], name: string): string =>
  properties.find((property) => property.name === name)?.decoded ?? '';

export const shortFilter = (policy: string): string =>
  policy.replace(/^rocksdb\./, '').replace(/^BuiltinBloomFilter$/, 'Bloom') || 'none';

// Bytes of all tables of the family after each job.
export function growthOf(jobs: HistoryJob[]): number[] {
  let sum = 0;
  return jobs
    .filter((job) => job.kind !== 'trivial_move')
    .map((job) => {
      for (const file of job.outputs) sum += file.size;
      if (job.kind !== 'snapshot') for (const file of job.inputs) sum -= file.size;
      return Math.max(0, sum);
    });
}
