// SPDX-License-Identifier: Apache-2.0
// Jobs as a trace in Chrome's trace event format, which https://ui.perfetto.dev opens:
// "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
// A job whose beginning and end the LOG tells is a complete event ("X"), one that only the MANIFEST
// tells of, or that is a point in time, an instant ("i"); times are microseconds since 1970.
import type { HistoryJob } from '@/api/openapi';

interface TraceEvent {
  name: string;
  ph: 'X' | 'i' | 'M';
  pid: number; // A column family.
  tid: number; // A lane of it.
  ts?: number;
  dur?: number;
  cat?: string;
  s?: 't'; // Of an instant: as high as its lane.
  args: Record<string, unknown>;
}

export interface Trace {
  traceEvents: TraceEvent[];
  displayTimeUnit: 'ms';
  otherData: Record<string, string>;
}

interface Span {
  job: HistoryJob;
  from: number;
  to: number | null; // Null: an instant.
}

function spanOf(job: HistoryJob): Span | null {
  const { started_unix_us: from, finished_unix_us: to, creation_time_unix_s: made } = job;
  if (from !== undefined && to !== undefined) return { job, from, to: Math.max(from, to) };
  const at = to ?? from ?? (made ? made * 1e6 : undefined);
  return at === undefined ? null : { job, from: at, to: null };
}

// Jobs of one kind may overlap, events of one lane may not: each goes to the first lane that is free.
class Lanes {
  private readonly ends: number[] = [];

  laneOf({ from, to }: Span): number {
    const free = this.ends.findIndex((end) => end <= from);
    const lane = free < 0 ? this.ends.length : free;
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
const kLanesOfKind = 1000;

// How many jobs have no time is returned besides: they are not in the trace.
export function traceOf(jobs: HistoryJob[], database: string): { trace: Trace; timeless: number } {
  const wanted = jobs.filter(({ kind }) => kind !== 'snapshot');
  const spans = wanted.flatMap((job) => spanOf(job) ?? []).sort((a, b) => a.from - b.from);
  const lanes = new Map<string, Lanes>();
  const named = new Set<string>();
  const traceEvents: TraceEvent[] = [];
  const name = (pid: number, tid: number, what: string, is: string) => {
    const event: TraceEvent = { name: what, ph: 'M', pid, tid, args: { name: is } };
    const id = `${what} ${pid} ${tid}`;
    if (!named.has(id)) traceEvents.push(event);
    named.add(id);
  };
  for (const span of spans) {
    const { job, from, to } = span;
    const { kind, cf, cf_id: family } = job;
    const pid = family + 1; // 0 is no process to some readers.
    const key = `${pid} ${kind}`;
    const of = lanes.get(key) ?? new Lanes();
    lanes.set(key, of);
    const lane = of.laneOf(span);
    const tid = 1 + kKinds.indexOf(kind) * kLanesOfKind + lane;
    name(pid, 0, 'process_name', `column family ${cf}`);
    name(pid, tid, 'thread_name', `${kind.replace('_', ' ')}${lane > 0 ? ` ${lane + 1}` : ''}`);
    const file = ({ file: number, level }: { file: string; level: number }) =>
      `${number} (L${level})`;
    const event: TraceEvent = {
      name: `${kind.replace('_', ' ')} → L${job.output_level}`,
      cat: kind,
      ph: to === null ? 'i' : 'X',
      pid,
      tid,
      ts: from,
      args: {
        ...(job.job !== undefined && { job: job.job }),
        ...(job.edit !== undefined && { edit: job.edit }),
        ...(job.reason !== undefined && { reason: job.reason }),
        inputs: job.inputs.map(file),
        outputs: job.outputs.map(file),
        bytes_read: job.bytes_read,
        bytes_written: job.bytes_written,
      },
    };
    if (to === null) event.s = 't';
    else event.dur = to - from;
    traceEvents.push(event);
  }
  return {
    trace: { traceEvents, displayTimeUnit: 'ms', otherData: { database } },
    timeless: wanted.length - spans.length,
  };
}
