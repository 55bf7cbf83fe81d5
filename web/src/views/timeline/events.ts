// SPDX-License-Identifier: Apache-2.0
// What is drawn: events in lanes, whoever tells of them. Of a database these are the jobs of its
// MANIFEST and LOGs, what else the LOGs say, and the seconds in which a running engine held writes up;
// what the tree was after each job, and what the engine counted; and which job took what another made.
import type { HistoryJob, LogEvent } from '@/api/openapi';
import { isRecord } from '@/lib/guards';
import { level, perSecond, type Figure, type Sample } from '@/lib/samples';
import { counterOf, type Counter, type Point } from './counters';
import { flowsOf, type Arrow, type Flows } from './flows';
import { laneName, lanedJobs, type JobSpan } from './lanes';
import { figuresOf, passedOn } from './tables';
import { trackOf, type Spanned, type Track } from './track';

// What the axis counts: microseconds since 1970, since some beginning, or edits of the MANIFEST.
export type Clock = 'utc' | 'relative' | 'edit';

export interface Events {
  clock: Clock;
  tracks: Track[];
  counters: Counter[];
  flows: Flows;
  count: number;
  from: number;
  to: number;
  leftOut: string[]; // What is not drawn, and why.
  nameOf: (event: number) => string;
  idOf: (event: number) => string; // In a link.
  matches: (text: string) => Uint8Array; // 1 for each event that has the text in it.
  factsOf: (event: number) => [string, string][];
  jobOf?: (event: number) => HistoryJob | undefined;
}

// What one event is, however it came here.
interface Told {
  id: string;
  name: string;
  facts: [string, string][];
  job?: HistoryJob;
}

const files = (of: HistoryJob['inputs']) =>
  of.map(({ file, level }) => `${file} (L${level})`).join(', ') || 'none';

function toldOf(job: HistoryJob, name: string): Told {
  const facts: [string, string][] = [
    ['family', job.cf],
    ['inputs', files(job.inputs)],
    ['outputs', files(job.outputs)],
  ];
  if (job.reason) facts.push(['reason', job.reason]);
  if (job.job !== undefined) facts.push(['job', `${job.job} of ${job.log ?? ''}`]);
  facts.push(['known from', job.inferred ? 'the MANIFEST alone' : 'the LOG']);
  const id = job.edit === undefined ? `${job.log ?? ''}-${job.job ?? ''}` : job.edit;
  return { id, name, facts, job };
}

// Collects lanes in the order in which they are shown.
class Collector {
  readonly told: Told[] = [];
  private readonly rows = new Map<string, { track: Omit<Track, keyof Columns>; of: Spanned[] }>();
  private readonly counters = new Map<string, { named: Named; of: Point[] }>();

  add(group: string, name: string, color: string, from: number, to: number, told: Told) {
    const key = `${group}\n${name}`;
    const row = this.rows.get(key) ?? { track: { group, name, color }, of: [] };
    this.rows.set(key, row);
    row.of.push({ from, to, event: this.told.length });
    this.told.push(told);
  }

  count(group: string, name: string, at: number, value: number) {
    const key = `${group}\n${name}`;
    const row = this.counters.get(key) ?? { named: { group, name }, of: [] };
    this.counters.set(key, row);
    row.of.push({ at, value });
  }

  // Arrows from job to job.
  private arrows(jobs: HistoryJob[]): Arrow[] {
    const numbers = new Map(this.told.map(({ job }, event) => [job, event]));
    return passedOn(jobs).flatMap(({ maker, consumer }) => {
      const [from, to] = [numbers.get(maker), numbers.get(consumer)];
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
  }

  events(clock: Clock, leftOut: string[], jobs: HistoryJob[]): Events {
    const { told } = this;
    const tracks = [...this.rows.values()].map(({ track, of }) =>
      trackOf(
        track,
        of.sort((a, b) => a.from - b.from),
      ),
    );
    const counters = [...this.counters.values()].map(({ named, of }) => counterOf(named, of));
    return {
      clock,
      tracks,
      counters,
      flows: flowsOf(tracks, told.length, this.arrows(jobs)),
      count: told.length,
      ...rangeOf(tracks, counters),
      leftOut,
      nameOf: (event) => told[event]!.name,
      idOf: (event) => told[event]!.id,
      factsOf: (event) => told[event]!.facts,
      jobOf: (event) => told[event]!.job,
      matches: (text) => {
        const wanted = text.toLowerCase();
        return Uint8Array.from(told, ({ name, facts }) =>
          [name, ...facts.map(([, value]) => value)].some((one) =>
            one.toLowerCase().includes(wanted),
          )
            ? 1
            : 0,
        );
      },
    };
  }
}

type Columns = Pick<Track, 'from' | 'to' | 'before' | 'event'>;
type Named = Pick<Counter, 'group' | 'name'>;

// Of all lanes and counters together; an axis of no length would have nothing on it.
export function rangeOf(tracks: Track[], counters: Counter[]): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const track of tracks) {
    from = Math.min(from, track.from[0] ?? Infinity);
    to = Math.max(to, track.to.at(-1) ?? -Infinity);
  }
  for (const { at } of counters) {
    from = Math.min(from, at[0] ?? Infinity);
    to = Math.max(to, at.at(-1) ?? -Infinity);
  }
  if (from > to) return { from: 0, to: 1 };
  const edge = Math.max(1, to - from) * 0.01;
  return { from: from - edge, to: to + edge };
}

const colorOf = ({ kind, output_level: level }: HistoryJob) =>
  kind === 'deletion' || kind === 'drop_family' ? '--bad' : `--level-${Math.min(6, level)}`;

const kStarts = new Set(['flush_started', 'compaction_started']);
const kOfJobs = new Set(['flush_finished', 'compaction_finished', 'trivial_move']);
const kStarted = /_started$/;
const kFinished = /_finished$/;

// What the LOG says besides the jobs: points in time, and what has a beginning and an end, like a
// recovery. A flush or compaction without an end is not among the jobs, and is said here.
function addLogged(into: Collector, events: LogEvent[], jobs: Set<string>) {
  const ends = new Map<string, number>();
  const key = ({ log, job, type }: LogEvent, what: RegExp) =>
    `${log} ${job ?? ''} ${type.replace(what, '')}`;
  for (const event of events)
    if (kFinished.test(event.type)) ends.set(key(event, kFinished), event.time_unix_us);
  const begun = new Set<string>();
  for (const event of events) {
    const { log, offset, time_unix_us: at, type, job, data } = event;
    const isJob = kStarts.has(type);
    if (kOfJobs.has(type) || (isJob && jobs.has(`${log} ${job ?? ''}`))) continue;
    if (kFinished.test(type) && begun.has(key(event, kFinished))) continue;
    const end = kStarted.test(type) && !isJob ? ends.get(key(event, kStarted)) : undefined;
    if (end !== undefined) begun.add(key(event, kStarted));
    const what = type.replace(end === undefined ? '' : kStarted, '').replaceAll('_', ' ');
    const facts: [string, string][] = [['at', `${log}, offset ${offset}`]];
    if (job !== undefined) facts.push(['job', String(job)]);
    facts.push(['data', JSON.stringify(data)]);
    const told = { id: `${log}@${offset}`, name: isJob ? `${what}, no end` : what, facts };
    const color = isJob ? '--warn' : '--kind-meta';
    into.add('LOG', told.name, color, at, Math.max(at, end ?? at), told);
  }
}

// What an event of the LOG says of the tree: files on L0, memtables that wait.
function addLoggedFigures(into: Collector, events: LogEvent[]) {
  for (const { time_unix_us: at, data } of events) {
    if (!isRecord(data)) continue;
    const { lsm_state: levels, immutable_memtables: waiting } = data;
    if (Array.isArray(levels) && typeof levels[0] === 'number')
      into.count('LOG', 'L0 files', at, levels[0]);
    if (typeof waiting === 'number') into.count('LOG', 'memtables that wait', at, waiting);
  }
}

// Of a running engine, a value a second.
const kFigures: [string, Figure][] = [
  ['L0 files', level('levels.0.files')],
  ['memtable bytes', level('memtable_bytes')],
  ['pending compaction bytes', level('cfs.pending_compaction_bytes')],
  ['flushed bytes/s', perSecond('rocksdb.flush.write.bytes')],
  ['compacted bytes/s', perSecond('rocksdb.compact.write.bytes')],
  ['µs/s held up', perSecond('rocksdb.stall.micros')],
];

function addSamples(into: Collector, samples: Sample[]) {
  samples.forEach((now, i) => {
    for (const [name, figure] of kFigures) {
      const value = figure(now, samples[i - 1]);
      if (value !== null) into.count('engine', name, now.at * 1e6, value);
    }
  });
}

export interface Sources {
  jobs: HistoryJob[];
  events: LogEvent[];
  samples: Sample[];
}

// By what the axis can be, of these jobs: if fewer than half have a time, edits say more.
export function usualClock(jobs: HistoryJob[]): 'utc' | 'edit' {
  const { laned, without } = lanedJobs(jobs);
  return laned.length >= without && laned.some(({ from }) => from !== laned[0]!.from)
    ? 'utc'
    : 'edit';
}

const byEdit = (job: HistoryJob): JobSpan | null =>
  job.edit === undefined ? null : { job, from: Number(job.edit), to: Number(job.edit) + 1 };

export function eventsOf({ jobs, events, samples }: Sources, clock: 'utc' | 'edit'): Events {
  const into = new Collector();
  const { laned, without } = lanedJobs(jobs, clock === 'edit' ? byEdit : undefined);
  for (const { job, from, to, what, lane } of [...laned].sort(
    (a, b) => a.job.cf_id - b.job.cf_id || a.id - b.id,
  ))
    into.add(job.cf, laneName(what, lane), colorOf(job), from, to ?? from, toldOf(job, what));
  for (const { job, at, level0, bytes } of figuresOf(jobs)) {
    const place = clock === 'edit' ? Number(job.edit) : at;
    if (place === null) continue;
    into.count(job.cf, 'L0 files', place, level0);
    into.count(job.cf, 'table bytes', place, bytes);
  }
  const leftOut: string[] = [];
  if (without > 0)
    leftOut.push(
      `${without} of ${laned.length + without} jobs: ${clock === 'edit' ? 'only a LOG tells of them' : 'their times are not recorded'}`,
    );
  if (clock === 'edit') {
    if (events.length > 0) leftOut.push(`${events.length} events of the LOG: they have no edit`);
    return into.events(clock, leftOut, jobs);
  }
  addLoggedFigures(into, events);
  addSamples(into, samples);
  addLogged(into, events, new Set(jobs.map(({ log, job }) => `${log ?? ''} ${job ?? ''}`)));
  samples.forEach((now, i) => {
    const before = samples[i - 1];
    const micros = (now.values[kStalled] ?? 0) - (before?.values[kStalled] ?? 0);
    if (!before || micros <= 0) return;
    const facts: [string, string][] = [
      ['held up', `${micros} µs, of all writers together, in ${(now.at - before.at).toFixed(1)} s`],
    ];
    const told = { id: `stall-${now.at}`, name: 'writes held up', facts };
    into.add('engine', 'stalls', '--bad', before.at * 1e6, now.at * 1e6, told);
  });
  return into.events(clock, leftOut, jobs);
}

const kStalled = 'rocksdb.stall.micros';
