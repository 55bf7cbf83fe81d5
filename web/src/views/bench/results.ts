// SPDX-License-Identifier: Apache-2.0
// Results of `varve bench`, read from their JSON, and A held against B.
import { isRecord } from '@/lib/guards';

export interface Workload {
  name: string;
  threads: number;
  seconds: number;
  operations: number;
  operations_per_second: number;
  latency: {
    count: number;
    mean: number;
    max: number;
    percentiles: { percent: number; ns: number }[];
  } | null;
  intervals?: {
    seconds: number;
    length: number;
    operations: number;
    flush_bytes: number;
    compaction_bytes: number;
    stall_micros: number;
  }[];
  end: { write_amplification: number; space_amplification: number };
}

export interface BenchRun {
  schema: 'varve.bench/1';
  version: string;
  store: string;
  started_unix_seconds: number;
  machine: Record<string, unknown>;
  settings: Record<string, unknown>;
  options_changed: Record<string, unknown>;
  workloads: Workload[];
}

export interface Estimate {
  percent: number;
  low: number | null; // Null: unbounded, there were too few pairs.
  high: number | null;
  pairs: number;
}

export interface Comparison {
  workload: string;
  a: string;
  b: string;
  check: Estimate | null; // A against itself: the noise; null for two results, which cannot tell.
  effect: Estimate;
  verdict: string;
}

export interface BenchComparison {
  schema: 'varve.bench-comparison/1';
  confidence_percent: number;
  comparisons: Comparison[];
}

export type BenchFile = BenchRun | BenchComparison;

function isBench(value: Record<string, unknown>): value is Record<string, unknown> & BenchFile {
  return (
    (value.schema === 'varve.bench/1' && Array.isArray(value.workloads)) ||
    (value.schema === 'varve.bench-comparison/1' && Array.isArray(value.comparisons))
  );
}

export function parseBench(text: string): BenchFile {
  const parsed: unknown = JSON.parse(text);
  const file = isRecord(parsed) ? parsed : {};
  if (isBench(file)) return file;
  throw new Error(
    `this is no result of varve bench (its schema is ${String(file.schema ?? 'not given')})`,
  );
}

// Two-sided 95 % quantiles of Student's t; above 30 degrees of freedom the normal's is near enough.
const kT95 = [
  NaN,
  12.71,
  4.303,
  3.182,
  2.776,
  2.571,
  2.447,
  2.365,
  2.306,
  2.262,
  2.228,
  2.201,
  2.179,
  2.16,
  2.145,
  2.131,
  2.12,
  2.11,
  2.101,
  2.093,
  2.086,
  2.08,
  2.074,
  2.069,
  2.064,
  2.06,
  2.056,
  2.052,
  2.048,
  2.045,
  2.042,
];

export interface Change {
  workload: string;
  a: number; // Geometric means, operations per second.
  b: number;
  percent: number;
  interval: [number, number] | null; // Of the percent, 95 %; null: too few runs to tell.
  runs: [number, number];
}

function logs(run: BenchRun, name: string): number[] {
  return run.workloads
    .filter((w) => w.name === name && w.operations_per_second > 0)
    .map((w) => Math.log(w.operations_per_second));
}

const mean = (xs: number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;
const squares = (xs: number[]) => xs.reduce((sum, x) => sum + (x - mean(xs)) ** 2, 0);

// B against A, workload by workload: ratios of geometric means, with Welch's interval over the
// repeats of each. One run a side has no interval, and none is made up.
export function compare(a: BenchRun, b: BenchRun): Change[] {
  const names = [...new Set(a.workloads.map((w) => w.name))].filter((name) =>
    b.workloads.some((w) => w.name === name),
  );
  return names.map((workload): Change => {
    const [la, lb] = [logs(a, workload), logs(b, workload)];
    const difference = mean(lb) - mean(la);
    const percent = (x: number) => 100 * (Math.exp(x) - 1);
    const change: Omit<Change, 'interval'> = {
      workload,
      a: Math.exp(mean(la)),
      b: Math.exp(mean(lb)),
      percent: percent(difference),
      runs: [la.length, lb.length],
    };
    if (la.length < 2 || lb.length < 2) return { ...change, interval: null };
    const [va, vb] = [
      squares(la) / (la.length - 1) / la.length,
      squares(lb) / (lb.length - 1) / lb.length,
    ];
    const error = Math.sqrt(va + vb);
    const freedom =
      error === 0
        ? 1
        : Math.max(
            1,
            Math.floor((va + vb) ** 2 / (va ** 2 / (la.length - 1) + vb ** 2 / (lb.length - 1))),
          );
    const t = kT95[Math.min(freedom, 30)]!;
    return {
      ...change,
      interval: [percent(difference - t * error), percent(difference + t * error)],
    };
  });
}

export function verdictOf(interval: [number, number] | null): string {
  if (!interval) return 'one run a side: no interval';
  if (interval[0] > 0) return 'B is faster';
  if (interval[1] < 0) return 'B is slower';
  return 'no difference shown';
}

// What differs between the machines and settings of two runs, by dotted name.
export function differences(a: unknown, b: unknown, name = ''): [string, string, string][] {
  if (isRecord(a) && isRecord(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].flatMap((member) =>
      differences(a[member], b[member], name ? `${name}.${member}` : member),
    );
  }
  const [left, right] = [a, b].map((value) =>
    value === undefined || value === null ? '–' : String(value),
  );
  return left === right ? [] : [[name, left!, right!]];
}
