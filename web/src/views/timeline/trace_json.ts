// SPDX-License-Identifier: Apache-2.0
// A trace in Chrome's trace event format: complete events (X), begun and ended ones (B, E, and b, e
// beside threads), instants, counters (C) and flows (s, t, f, or bind_id).
// "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
import { isRecord } from '@/lib/guards';
import type { Events } from './events';
import { Told } from './told';

const kInstants = new Set(['i', 'I', 'R', 'n']);
const kFlows = { s: 'begins', t: 'passes', f: 'arrives' } as const;
const isFlow = (phase: string): phase is keyof typeof kFlows => Object.hasOwn(kFlows, phase);

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

// Not of what else a file may have in its place, like lists: there is no number for these.
const numberOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;

function listOf(whole: unknown): unknown[] {
  if (Array.isArray(whole)) return whole;
  if (isRecord(whole) && Array.isArray(whole.traceEvents)) return whole.traceEvents;
  throw new Error('not a trace: neither a list nor an object with "traceEvents"');
}

type Raw = Record<string, unknown>;

function idOf({ id, id2, cat, pid }: Raw): string {
  const known = isRecord(id2) ? text(id2.global) || `${text(pid)} ${text(id2.local)}` : text(id);
  return `${text(cat)} ${known}`;
}

function addCounter(told: Told, raw: Raw, at: number) {
  if (!isRecord(raw.args)) return;
  const name = text(raw.name) + (raw.id === undefined ? '' : ` ${text(raw.id)}`);
  const series = Object.entries(raw.args);
  for (const [of, value] of series) {
    const called = series.length === 1 ? name : `${name}: ${of}`;
    const group = text(raw.pid);
    told.count(`${group} ${name} ${of}`, { group, name: called }, at, numberOf(value));
  }
}

function addFlow(told: Told, raw: Raw, event: number) {
  if (raw.bind_id === undefined) return;
  const id = `bound ${text(raw.bind_id)}`;
  if (raw.flow_in === true) told.flowAt(event, id, raw.flow_out === true ? 'passes' : 'arrives');
  else if (raw.flow_out === true) told.flowAt(event, id, 'begins');
}

// Throws what is wrong with it.
export function eventsOfJson(json: string): Events {
  const told = new Told();
  const names = new Map<string, string>();
  for (const raw of listOf(JSON.parse(json))) {
    if (!isRecord(raw)) continue;
    const phase = text(raw.ph);
    const row = `${text(raw.pid)} ${text(raw.tid)}`;
    const at = numberOf(raw.ts);
    const name = text(raw.name);
    if (phase === 'M') {
      if (!isRecord(raw.args)) continue;
      const of = name === 'process_name' ? text(raw.pid) : row;
      if (name === 'process_name' || name === 'thread_name') names.set(of, text(raw.args.name));
    } else if (!Number.isFinite(at)) told.leaveOut('events without a time');
    else if (phase === 'X' || kInstants.has(phase)) {
      const takes = phase === 'X' ? Math.max(0, numberOf(raw.dur) || 0) : 0;
      addFlow(told, raw, told.span(row, at, at + takes, name, raw));
    } else if (phase === 'B') addFlow(told, raw, told.begin(row, row, at, name, raw));
    else if (phase === 'E') told.end(row, at);
    else if (phase === 'b')
      addFlow(told, raw, told.begin(`${text(raw.pid)} async ${name}`, idOf(raw), at, name, raw));
    else if (phase === 'e') told.end(idOf(raw), at);
    else if (phase === 'C') addCounter(told, raw, at);
    else if (isFlow(phase))
      told.flowIn(
        row,
        at,
        `${idOf(raw)} ${name}`,
        kFlows[phase],
        phase === 'f' && raw.bp !== 'e' ? 'next' : 'around',
      );
    else told.leaveOut(`of phase "${phase}", which is not drawn`);
  }
  const groupOf = (pid: string) => names.get(pid) ?? `process ${pid}`;
  const events = told.events(
    (row) => {
      const [pid = '', tid = '', ...others] = row.split(' ');
      const name = tid === 'async' ? others.join(' ') : (names.get(row) ?? `thread ${tid}`);
      return { group: groupOf(pid), name };
    },
    (raw) => (isRecord(raw) ? factsOf(raw) : []),
  );
  const counters = events.counters.map((one) => ({ ...one, group: groupOf(one.group) }));
  return { ...events, counters };
}

const kFactMost = 10_000; // Characters.

function factOf([name, value]: [string, unknown]): [string, string] {
  let said: string;
  try {
    said = text(value) || (JSON.stringify(value) ?? '');
  } catch {
    said = 'nested too deeply to be shown';
  }
  return [name, said.length > kFactMost ? `${said.slice(0, kFactMost)}…` : said];
}

function factsOf(raw: Raw): [string, string][] {
  const own = Object.entries(raw).filter(([name]) => name !== 'name' && name !== 'args');
  return [...own, ...(isRecord(raw.args) ? Object.entries(raw.args) : [])].map(factOf);
}
