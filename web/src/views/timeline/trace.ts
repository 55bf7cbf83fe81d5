// SPDX-License-Identifier: Apache-2.0
// Jobs as a trace in Chrome's trace event format, which https://ui.perfetto.dev opens:
// "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
// A job whose beginning and end the LOG tells is a complete event ("X"), one that only the MANIFEST
// tells of, or that is a point in time, an instant ("i"). A flow ("s", "f") leads from the job that made
// a table to the one that consumed it; counters ("C") say what the tree was after an edit. Times are
// microseconds since 1970. `varve lsm history -F trace` prints the same.
import type { HistoryJob } from '@/api/openapi';
import { lanedJobs, laneName } from './lanes';
import { figuresOf, passedOn } from './tables';

export interface TraceEvent {
  name: string;
  ph: 'X' | 'i' | 'M' | 's' | 'f' | 'C';
  pid: number; // A column family.
  tid: number; // A lane of it.
  ts?: number;
  dur?: number;
  cat?: string;
  s?: 't'; // Of an instant: as high as its lane.
  id?: number; // Of a flow.
  bp?: 'e'; // A flow ends in the event around its time.
  args?: Record<string, unknown>;
}

export interface Trace {
  traceEvents: TraceEvent[];
  displayTimeUnit: 'ms';
}

// How many jobs have no time is returned besides: they are not in the trace.
export function traceOf(jobs: HistoryJob[]): { trace: Trace; timeless: number } {
  const { laned, without } = lanedJobs(jobs);
  const named = new Set<string>();
  const traceEvents: TraceEvent[] = [];
  const name = (pid: number, tid: number, what: string, is: string) => {
    const event: TraceEvent = { name: what, ph: 'M', pid, tid, args: { name: is } };
    const id = `${pid} ${tid}`;
    if (!named.has(id)) traceEvents.push(event);
    named.add(id);
  };
  const file = ({ file: number, level }: { file: string; level: number }) =>
    `${number} (L${level})`;
  const processOf = (job: HistoryJob) => {
    const pid = job.cf_id + 1; // 0 is no process to some readers.
    name(pid, 0, 'process_name', `column family ${job.cf}`);
    return pid;
  };
  const slices = new Map<HistoryJob, { pid: number; tid: number; from: number; to: number }>();
  for (const { job, from, to, what, lane, id: tid } of laned) {
    const pid = processOf(job);
    name(pid, tid, 'thread_name', laneName(what, lane));
    traceEvents.push({
      name: what,
      cat: job.kind,
      ph: to === null ? 'i' : 'X',
      pid,
      tid,
      ts: from,
      ...(to === null ? { s: 't' } : { dur: to - from }),
      args: {
        ...(job.job !== undefined && { job: job.job }),
        ...(job.edit !== undefined && { edit: job.edit }),
        ...(job.reason !== undefined && { reason: job.reason }),
        inputs: job.inputs.map(file),
        outputs: job.outputs.map(file),
        bytes_read: job.bytes_read,
        bytes_written: job.bytes_written,
      },
    });
    if (to !== null && to > from) slices.set(job, { pid, tid, from, to });
  }
  // An arrow belongs to the slice around its time: it begins within the last microsecond of one.
  let flows = 0;
  for (const { maker, consumer, file: number } of passedOn(jobs)) {
    const from = slices.get(maker);
    const to = slices.get(consumer);
    if (!from || !to || to.from < from.to - 1) continue;
    flows += 1;
    const flow: TraceEvent = {
      name: `table ${number}`,
      cat: 'table',
      ph: 's',
      id: flows,
      pid: from.pid,
      tid: from.tid,
      ts: from.to - 1,
    };
    traceEvents.push(flow);
    traceEvents.push({ ...flow, ph: 'f', pid: to.pid, tid: to.tid, ts: to.from, bp: 'e' });
  }
  for (const { job, at: ts, level0, bytes } of figuresOf(jobs)) {
    if (ts === null) continue;
    const pid = processOf(job);
    const add = (figure: string, args: Record<string, number>) =>
      traceEvents.push({ name: figure, ph: 'C', pid, tid: 0, ts, args });
    add('L0 files', { files: level0 });
    add('table bytes', { bytes });
  }
  return { trace: { traceEvents, displayTimeUnit: 'ms' }, timeless: without };
}
