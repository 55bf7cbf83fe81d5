// SPDX-License-Identifier: Apache-2.0
// What one step did, by the engine's own accounts: which tables came, went and moved, what was written
// where, and at which places a read looked.
import type { Edit, ExplainStep, FileSummary, ScanPart, Tickers } from '@/api/openapi';
import { answerOf, ask } from '@/engine/client';
import { hexOf } from '@/lib/bytes';
import { plural } from '@/lib/format';
import { parseLine, type Step } from './script';
import type { Ran, Session } from './session';

// The state between two steps.
export interface Moment {
  target: string;
  files: FileSummary[];
  tickers: Tickers;
  memtable: number; // Bytes.
  log: number; // Bytes of all logs.
  edits: number; // In the MANIFEST.
}

export interface Stop {
  n: number;
  place: string; // "memtable", or "L1 #12".
  file?: string; // Its number.
  verdict: string;
  filter?: boolean; // It was asked, and lets the key pass.
  blocks: string[];
}

export interface ReadAccount {
  of: string; // What was looked for.
  hex?: string; // A key.
  stops: Stop[];
  keys: number;
  blocks: number;
  bytes: number;
  comparisons: number;
}

export interface Account {
  line: string;
  before: Moment | null; // Null: the database is another one.
  after: Moment;
  edits: Edit[]; // New ones.
  read: ReadAccount | null;
}

const kStopsShown = 40;
const kEditsTold = 500;
const kFilesLookedAt = 5000; // More than anybody sees one by one.

async function momentOf(session: Session): Promise<Moment | null> {
  const { playground } = session;
  if (!playground) return null;
  const path = { t: session.target };
  const [files, { stats }, sizes] = await Promise.all([
    session.client.all(ask('/targets/{t}/files', { path }), (page) => page.files, kFilesLookedAt),
    session.client.get(ask('/targets/{t}/stats', { path })),
    playground.sizes(), // The API would read all of the logs.
  ]);
  return {
    target: session.target,
    files: files.rows,
    tickers: stats.tickers,
    memtable: stats.memtable_bytes,
    log: sizes.reduce((sum, { name, size }) => sum + (name.endsWith('.log') ? size : 0), 0),
    edits: Number(files.last.as_of.edit ?? 0),
  };
}

const stopOf = (step: ExplainStep, n: number): Stop => ({
  n,
  place: step.source === 'memtable' ? 'memtable' : `L${step.level} #${step.file}`,
  ...(step.file && { file: step.file }),
  verdict: step.verdict.replaceAll('_', ' '),
  ...(step.filter && step.filter.kind !== 'none' && { filter: step.filter.may_match }),
  blocks: step.reads
    .filter((read) => !read.rocksdb_only)
    .map(
      (read) =>
        `${read.kind.replace('_', ' ')} block @${read.offset}${read.cached ? ', again' : ''}`,
    ),
});

const partOf = (part: ScanPart): Stop => ({
  n: part.n,
  place: part.source === 'memtable' ? 'memtable' : `L${part.level} #${part.file}`,
  ...(part.file && { file: part.file }),
  verdict: `${part.verdict.replaceAll('_', ' ')}: ${plural(part.entries, 'entry', 'entries')} stepped over, ${plural(part.rows, 'row')}`,
  blocks: part.blocks_read > 0 ? [plural(part.blocks_read, 'block')] : [],
});

async function readOf(session: Session, step: Step): Promise<ReadAccount | null> {
  const path = { t: session.target, cf: step.family };
  const at = session.atOf(step);
  if (step.do === 'scan') {
    const query = { from: step.from, to: step.to, rows: 10, ...at };
    const found = await session.client.get(
      ask('/targets/{t}/cfs/{cf}/explain/scan', { path, query }),
    );
    return {
      of: 'the first ten records',
      stops: found.parts.slice(0, kStopsShown).map(partOf),
      keys: 1,
      blocks: found.totals.blocks_read,
      bytes: found.totals.bytes_read,
      comparisons: found.totals.key_comparisons,
    };
  }
  if (step.do !== 'get' && step.do !== 'multiget') return null;
  const reply = await session.client.api().POST('/targets/{t}/cfs/{cf}:explain', {
    params: { path, query: at },
    body: { keys: step.keys },
  });
  const { keys, totals } = answerOf(reply);
  const stops = keys.flatMap(({ steps }) => steps);
  const [first] = keys;
  return {
    of: step.keys.join(', '),
    ...(keys.length === 1 && first && { hex: hexOf(first.key) }),
    stops: stops.slice(0, kStopsShown).map((stop, i) => stopOf(stop, i + 1)),
    keys: keys.length,
    blocks: totals.blocks_read,
    bytes: totals.bytes_read,
    comparisons: totals.key_comparisons,
  };
}

export interface Watched extends Ran {
  account?: Account; // None where the database is not open.
}

// Runs the lines of one session, and gives an account of each.
export class Watch {
  private now: Moment | null = null;
  private seen: Moment | null = null; // Within a step.

  constructor(private readonly session: Session) {}

  // Where nothing has run yet.
  async begin(): Promise<Account | null> {
    this.now = await momentOf(this.session);
    return this.now && { line: '', before: null, after: this.now, edits: [], read: null };
  }

  // While a line runs: what there is by now, beside what there was at the last look.
  async lookAgain(line: string): Promise<Account | null> {
    const after = await momentOf(this.session).catch(() => null);
    const before = this.seen;
    this.seen = after;
    return after && { line, before, after, edits: [], read: null };
  }

  async run(line: string, onWritten?: (written: number, of: number) => void): Promise<Watched> {
    const { session } = this;
    const before = this.now;
    this.seen = before;
    const step = parseLine(line);
    // Before it happens: afterwards its blocks are cached. A read that fails has an account of its own.
    const read = step && session.playground ? await readOf(session, step).catch(() => null) : null;
    const ran = await session.run(line, onWritten);
    const after = await momentOf(session).catch(() => null);
    this.now = after;
    if (!after) return ran;
    const same = before?.target === after.target ? before : null;
    return {
      ...ran,
      account: { line, before: same, after, edits: await this.editsSince(same, after), read },
    };
  }

  private async editsSince(before: Moment | null, after: Moment): Promise<Edit[]> {
    if (!before || after.edits <= before.edits) return [];
    const path = { t: after.target };
    const query = { from: before.edits + 1 };
    const asked = ask('/targets/{t}/manifest/edits', { path, query });
    return (await this.session.client.all(asked, (page) => page.edits, kEditsTold)).rows;
  }
}
