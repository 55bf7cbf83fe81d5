// SPDX-License-Identifier: Apache-2.0
// Jobs in lanes: each kind, and each level that compactions and moves write to, has one, and as many
// more as jobs of it ran at one time.
import type { HistoryJob } from '@/api/openapi';

export interface JobSpan {
  job: HistoryJob;
  from: number; // Microseconds since 1970.
  to: number | null; // Null: a point in time.
}

export function spanOf(job: HistoryJob): JobSpan | null {
  const { started_unix_us: from, finished_unix_us: to, creation_time_unix_s: made } = job;
  if (from !== undefined && to !== undefined) return { job, from, to: Math.max(from, to) };
  const at = to ?? from ?? (made ? made * 1e6 : undefined);
  return at === undefined ? null : { job, from: at, to: null };
}

const kLanesOfRow = 1000;

// Spans may overlap, those of one lane may not: each goes to the first lane that is free. Only the
// last lane takes more at once: what a damaged LOG says must not cost more than its size.
export class Lanes {
  private readonly ends: number[] = [];

  laneOf({ from, to }: { from: number; to: number | null }): number {
    const free = this.ends.findIndex((end) => end <= from);
    const lane = free < 0 ? Math.min(this.ends.length, kLanesOfRow - 1) : free;
    this.ends[lane] = to ?? from;
    return lane;
  }
}

const kKinds: HistoryJob['kind'][] = [
  'flush',
  'compaction',
  'trivial_move',
  'ingestion',
  'deletion',
  'drop_family',
];
const kLevels = 64; // A database has no more.

export interface LanedJob extends JobSpan {
  what: string; // "compaction → L1": the row.
  lane: number; // Of the row, from 0 on.
  id: number; // Of the lane; in the order in which rows are shown.
}

const hasLevel = (kind: HistoryJob['kind']) => kind === 'compaction' || kind === 'trivial_move';

export function rowOf({ kind, output_level: level }: HistoryJob): string {
  return kind.replace('_', ' ') + (hasLevel(kind) ? ` → L${level}` : '');
}

// The earliest first. How many jobs have no span is returned besides: they are in no lane.
export function lanedJobs(
  jobs: HistoryJob[],
  span: (job: HistoryJob) => JobSpan | null = spanOf,
): { laned: LanedJob[]; without: number } {
  const wanted = jobs.filter(({ kind }) => kind !== 'snapshot');
  const spans = wanted.flatMap((job) => span(job) ?? []).sort((a, b) => a.from - b.from);
  const lanes = new Map<string, Lanes>();
  const laned = spans.map((one): LanedJob => {
    const { kind, cf_id: family, output_level: level } = one.job;
    const what = rowOf(one.job);
    const row = `${family} ${what}`;
    const of = lanes.get(row) ?? new Lanes();
    lanes.set(row, of);
    const lane = of.laneOf(one);
    const place = kKinds.indexOf(kind) * kLevels + (hasLevel(kind) ? level : 0);
    return { ...one, what, lane, id: 1 + place * kLanesOfRow + lane };
  });
  return { laned, without: wanted.length - spans.length };
}

export const laneName = (what: string, lane: number) => (lane > 0 ? `${what} (${lane + 1})` : what);
