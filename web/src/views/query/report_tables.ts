// SPDX-License-Identifier: Apache-2.0
// The reports of the API about a database, as tables.
import type {
  Edit,
  FamilySummary,
  FileSummary,
  Finding,
  HistoryJob,
  LevelSummary,
  LogEvent,
  Option,
} from '@/api/openapi';
import { ask } from '@/engine/client';
import { varve } from '@/lib/cli';
import { listed, shownBytes, table, type Context, type Kind, type Table } from './table';

const withManifest: Kind[] = ['db', 'manifest'];

async function familiesOf({ client, t, signal }: Context): Promise<FamilySummary[]> {
  const { rows } = await client.all(
    ask('/targets/{t}/cfs', { path: { t } }),
    (page) => page.cfs,
    Infinity,
    signal,
  );
  return rows;
}

const files = table<FileSummary>({
  name: 'files',
  says: 'Every table file of every column family, with what its properties count.',
  kinds: withManifest,
  cli: (target, _, cf) => varve('lsm files', [target], { cf }),
  source: ({ t, cf }) => ask('/targets/{t}/files', { path: { t }, query: { cf } }),
  fields: [
    { name: 'file', type: 'INTEGER', says: 'its number', of: (r) => r.id },
    { name: 'name', type: 'TEXT', says: 'of the file', of: (r) => r.name },
    { name: 'cf', type: 'TEXT', says: 'column family', of: (r) => r.cf },
    { name: 'level', type: 'INTEGER', says: 'that it is on', of: (r) => r.level },
    { name: 'size', type: 'INTEGER', says: 'bytes of the file', of: (r) => r.size },
    {
      name: 'smallest',
      type: 'TEXT',
      says: 'its first key',
      of: (r) => shownBytes(r.smallest.key),
    },
    { name: 'largest', type: 'TEXT', says: 'its last key', of: (r) => shownBytes(r.largest.key) },
    {
      name: 'smallest_seq',
      type: 'INTEGER',
      says: 'lowest sequence number',
      of: (r) => r.smallest_seq,
    },
    {
      name: 'largest_seq',
      type: 'INTEGER',
      says: 'highest sequence number',
      of: (r) => r.largest_seq,
    },
    {
      name: 'entries',
      type: 'INTEGER',
      says: 'deletions and merges included',
      of: (r) => r.entries,
    },
    { name: 'deletions', type: 'INTEGER', says: 'of single keys', of: (r) => r.deletions },
    { name: 'range_deletions', type: 'INTEGER', says: 'in it', of: (r) => r.range_deletions },
    { name: 'merges', type: 'INTEGER', says: 'merge operands', of: (r) => r.merges },
    {
      name: 'raw_key_bytes',
      type: 'INTEGER',
      says: 'of keys, written out',
      of: (r) => r.raw_key_bytes,
    },
    {
      name: 'raw_value_bytes',
      type: 'INTEGER',
      says: 'of values, uncompressed',
      of: (r) => r.raw_value_bytes,
    },
    {
      name: 'created',
      type: 'INTEGER',
      says: 'seconds since 1970; 0: unknown',
      of: (r) => r.creation_time_unix_s,
    },
    {
      name: 'added_by_edit',
      type: 'INTEGER',
      says: 'edit that put it on this level',
      of: (r) => r.added_by_edit,
    },
    {
      name: 'marked',
      type: 'INTEGER',
      says: '1: marked for compaction',
      of: (r) => r.marked_for_compaction,
    },
    { name: 'present', type: 'INTEGER', says: '1: it is in the directory', of: (r) => r.present },
    {
      name: 'overlap_bytes',
      type: 'INTEGER',
      says: 'that a compaction would read of the next level',
      of: (r) => r.overlap?.bytes,
    },
  ],
  examples: [
    {
      says: 'Bytes, entries and share of deletions by level',
      sql: 'SELECT cf, level, count(*) AS files, sum(size) AS bytes, sum(entries) AS entries,\n  round(100.0 * sum(deletions) / sum(entries), 1) AS percent_deletions\nFROM files GROUP BY cf, level ORDER BY cf, level',
    },
    {
      says: 'Tables with the most deletions',
      sql: 'SELECT file, level, entries, deletions FROM files\nORDER BY 1.0 * deletions / entries DESC LIMIT 20',
    },
    {
      says: 'Pairs of tables of one level whose ranges overlap',
      sql: 'SELECT a.level, a.file, b.file AS other, a.smallest, a.largest FROM files a JOIN files b\n  ON a.cf = b.cf AND a.level = b.level AND a.file < b.file\n  AND a.smallest <= b.largest AND b.smallest <= a.largest',
    },
  ],
  async *rows(context, budget) {
    const { t, kind } = context;
    const properties = kind === 'db' || undefined;
    for (const { cf } of await familiesOf(context)) {
      const asked = ask('/targets/{t}/files', { path: { t }, query: { cf, properties } });
      yield* listed(context, budget, asked, (page) => page.files);
      if (budget.isSpent()) return;
    }
  },
});

const levels = table<LevelSummary & { cf: string }>({
  name: 'levels',
  says: 'Every level of every column family.',
  kinds: withManifest,
  cli: (target, _, cf) => varve('lsm show', [target], { cf }),
  source: ({ t }) => ask('/targets/{t}/cfs', { path: { t } }),
  fields: [
    { name: 'cf', type: 'TEXT', says: 'column family', of: (r) => r.cf },
    { name: 'level', type: 'INTEGER', says: 'its number', of: (r) => r.level },
    { name: 'files', type: 'INTEGER', says: 'tables on it', of: (r) => r.files },
    { name: 'bytes', type: 'INTEGER', says: 'of these tables', of: (r) => r.bytes },
    { name: 'score', type: 'REAL', says: '1 and above: it wants compaction', of: (r) => r.score },
  ],
  examples: [
    { says: 'Levels that want compaction', sql: 'SELECT * FROM levels WHERE score >= 1' },
    {
      says: 'The factor from each level to the one before',
      sql: 'SELECT cf, level, bytes,\n  round(1.0 * bytes / lag(bytes) OVER (PARTITION BY cf ORDER BY level), 2) AS factor\nFROM levels WHERE bytes > 0',
    },
  ],
  async *rows(context, budget) {
    const rows = (await familiesOf(context)).flatMap(({ cf, levels: all }) =>
      all.map((level) => ({ ...level, cf })),
    );
    yield budget.take(rows, () => 0, false);
  },
});

const families = table<FamilySummary>({
  name: 'families',
  says: 'The column families.',
  kinds: withManifest,
  cli: (target) => varve('lsm show', [target]),
  source: ({ t }) => ask('/targets/{t}/cfs', { path: { t } }),
  fields: [
    { name: 'cf', type: 'TEXT', says: 'name', of: (r) => r.cf },
    { name: 'id', type: 'INTEGER', says: 'its number', of: (r) => r.cf_id },
    { name: 'comparator', type: 'TEXT', says: 'order of its keys', of: (r) => r.comparator },
    { name: 'files', type: 'INTEGER', says: 'tables', of: (r) => r.files },
    { name: 'bytes', type: 'INTEGER', says: 'of these tables', of: (r) => r.bytes },
    { name: 'blob_files', type: 'INTEGER', says: 'files of large values', of: (r) => r.blob_files },
    {
      name: 'log_number',
      type: 'INTEGER',
      says: 'logs below are in its tables',
      of: (r) => r.log_number,
    },
  ],
  examples: [
    { says: 'Families by size', sql: 'SELECT cf, files, bytes FROM families ORDER BY bytes DESC' },
  ],
  async *rows(context, budget) {
    yield budget.take(await familiesOf(context), () => 0, false);
  },
});

const options = table<Option>({
  name: 'options',
  says: 'Every option of the database and of its column families, those at their defaults too.',
  kinds: ['db'],
  cli: (target) => varve('db options', [target], { all: true }),
  source: ({ t }) => ask('/targets/{t}/options', { path: { t }, query: { all: true } }),
  fields: [
    { name: 'scope', type: 'TEXT', says: 'db, cf or table', of: (r) => r.scope },
    { name: 'cf', type: 'TEXT', says: 'column family, unless of the database', of: (r) => r.cf },
    { name: 'name', type: 'TEXT', says: 'as RocksDB’s', of: (r) => r.name },
    { name: 'value', type: 'TEXT', says: 'what it is set to', of: (r) => r.value },
    { name: 'default_value', type: 'TEXT', says: 'RocksDB’s', of: (r) => r.default },
    { name: 'differs', type: 'INTEGER', says: '1: from the default', of: (r) => r.differs },
    { name: 'mutable', type: 'INTEGER', says: '1: may change while it runs', of: (r) => r.mutable },
    { name: 'source', type: 'TEXT', says: 'the OPTIONS file, or default', of: (r) => r.source },
  ],
  examples: [
    {
      says: 'Options that differ from the defaults',
      sql: 'SELECT cf, name, value, default_value FROM options WHERE differs',
    },
    {
      says: 'Options that differ between families',
      sql: "SELECT name, group_concat(cf || '=' || value, '  ') AS by_family FROM options\nWHERE scope <> 'db' GROUP BY name HAVING count(DISTINCT value) > 1",
    },
  ],
  rows: (context, budget) =>
    listed(
      context,
      budget,
      ask('/targets/{t}/options', { path: { t: context.t }, query: { all: true } }),
      (page) => page.options,
    ),
});

const editsOf = ({ t }: Pick<Context, 't'>) => ask('/targets/{t}/manifest/edits', { path: { t } });

const edits = table<Edit>({
  name: 'edits',
  says: 'The edits of the MANIFEST, in their order.',
  kinds: withManifest,
  cli: (target) => varve('manifest edits', [target]),
  source: editsOf,
  fields: [
    { name: 'edit', type: 'INTEGER', says: 'its number, from 1', of: (r) => r.edit },
    { name: 'kind', type: 'TEXT', says: 'flush, compaction, …, inferred', of: (r) => r.kind },
    { name: 'cf', type: 'TEXT', says: 'column family', of: (r) => r.cf },
    { name: 'added', type: 'INTEGER', says: 'tables that it adds', of: (r) => r.added.length },
    {
      name: 'added_bytes',
      type: 'INTEGER',
      says: 'of these tables',
      of: (r) => r.added.reduce((sum, f) => sum + f.size, 0),
    },
    {
      name: 'deleted',
      type: 'INTEGER',
      says: 'tables that it removes',
      of: (r) => r.deleted.length,
    },
    {
      name: 'last_seq',
      type: 'INTEGER',
      says: 'last sequence number',
      of: (r) => r.counters.last_seq,
    },
    {
      name: 'log_number',
      type: 'INTEGER',
      says: 'older logs are in tables',
      of: (r) => r.counters.log_number,
    },
    {
      name: 'next_file_number',
      type: 'INTEGER',
      says: 'of the next new file',
      of: (r) => r.counters.next_file_number,
    },
    { name: 'offset', type: 'INTEGER', says: 'where it begins', of: (r) => r.offset },
    { name: 'size', type: 'INTEGER', says: 'in the MANIFEST', of: (r) => r.size },
  ],
  examples: [
    {
      says: 'Edits by kind',
      sql: 'SELECT cf, kind, count(*) AS edits, sum(added_bytes) AS bytes FROM edits\nGROUP BY cf, kind',
    },
  ],
  rows: (context, budget) => listed(context, budget, editsOf(context), (page) => page.edits),
});

interface EditedFile {
  edit: string;
  change: 'added' | 'deleted';
  file: string;
  level: number;
  size?: number;
}

const editFiles = table<EditedFile>({
  name: 'edit_files',
  says: 'The tables that each edit of the MANIFEST adds and removes.',
  kinds: withManifest,
  cli: (target) => varve('manifest edits', [target]),
  source: editsOf,
  fields: [
    { name: 'edit', type: 'INTEGER', says: 'its number', of: (r) => r.edit },
    { name: 'change', type: 'TEXT', says: 'added or deleted', of: (r) => r.change },
    { name: 'file', type: 'INTEGER', says: 'number of the table', of: (r) => r.file },
    { name: 'level', type: 'INTEGER', says: 'of the table', of: (r) => r.level },
    { name: 'size', type: 'INTEGER', says: 'of one that is added', of: (r) => r.size },
  ],
  examples: [
    {
      says: 'How many edits each table lived',
      sql: "SELECT a.file, a.level, d.edit - a.edit AS edits FROM edit_files a LEFT JOIN edit_files d\n  ON d.file = a.file AND d.level = a.level AND d.change = 'deleted'\nWHERE a.change = 'added' ORDER BY edits DESC",
    },
  ],
  async *rows(context, budget) {
    const { client, signal } = context;
    for await (const page of client.pages(editsOf(context), () => Infinity, signal)) {
      if (page.problem) budget.problem(page.problem.detail);
      const rows = page.edits.flatMap(({ edit, added, deleted }): EditedFile[] => [
        ...added.map(({ file, level, size }) => ({
          edit,
          change: 'added' as const,
          file,
          level,
          size,
        })),
        ...deleted.map(({ file, level }) => ({ edit, change: 'deleted' as const, file, level })),
      ]);
      yield budget.take(rows, () => 0, page.next_page_token !== undefined);
      if (budget.isSpent()) return;
    }
  },
});

const jobs = table<HistoryJob>({
  name: 'jobs',
  says: 'Flushes, compactions and ingestions, from the MANIFEST and, where there is one, the LOG.',
  kinds: withManifest,
  cli: (target) => varve('lsm history', [target]),
  source: ({ t }) => ask('/targets/{t}/history', { path: { t } }),
  fields: [
    { name: 'edit', type: 'INTEGER', says: 'of the MANIFEST', of: (r) => r.edit },
    { name: 'kind', type: 'TEXT', says: 'flush, compaction, …', of: (r) => r.kind },
    { name: 'cf', type: 'TEXT', says: 'column family', of: (r) => r.cf },
    { name: 'inputs', type: 'INTEGER', says: 'tables that it read', of: (r) => r.inputs.length },
    { name: 'outputs', type: 'INTEGER', says: 'tables that it made', of: (r) => r.outputs.length },
    { name: 'output_level', type: 'INTEGER', says: 'where these are', of: (r) => r.output_level },
    { name: 'bytes_read', type: 'INTEGER', says: 'of tables', of: (r) => r.bytes_read },
    { name: 'bytes_written', type: 'INTEGER', says: 'of tables', of: (r) => r.bytes_written },
    { name: 'job', type: 'INTEGER', says: 'its number in the LOG', of: (r) => r.job },
    { name: 'reason', type: 'TEXT', says: 'as the LOG says', of: (r) => r.reason },
    {
      name: 'started_us',
      type: 'INTEGER',
      says: 'since 1970, as the LOG says',
      of: (r) => r.started_unix_us,
    },
    { name: 'finished_us', type: 'INTEGER', says: 'likewise', of: (r) => r.finished_unix_us },
  ],
  examples: [
    {
      says: 'Bytes written by what, and write amplification',
      sql: 'SELECT cf, kind, output_level, count(*) AS jobs, sum(bytes_read) AS read,\n  sum(bytes_written) AS written\nFROM jobs GROUP BY cf, kind, output_level',
    },
    {
      says: 'The longest jobs that the LOG tells of',
      sql: 'SELECT kind, job, (finished_us - started_us) / 1e6 AS seconds, reason\nFROM jobs WHERE finished_us IS NOT NULL ORDER BY seconds DESC LIMIT 20',
    },
  ],
  rows: (context, budget) =>
    listed(
      context,
      budget,
      ask('/targets/{t}/history', { path: { t: context.t } }),
      (page) => page.jobs,
    ),
});

const events = table<LogEvent>({
  name: 'events',
  says: 'The events that the LOG holds, each with all that was written of it as JSON.',
  kinds: ['db'],
  cli: (target) => varve('db events', [target]),
  source: ({ t }) => ask('/targets/{t}/events', { path: { t } }),
  fields: [
    { name: 'time_us', type: 'INTEGER', says: 'since 1970', of: (r) => r.time_unix_us },
    { name: 'type', type: 'TEXT', says: 'flush_started, …', of: (r) => r.type },
    { name: 'job', type: 'INTEGER', says: 'number of the job', of: (r) => r.job },
    { name: 'log', type: 'TEXT', says: 'the file that it is in', of: (r) => r.log },
    { name: 'data', type: 'TEXT', says: 'JSON', of: (r) => JSON.stringify(r.data) },
  ],
  examples: [
    { says: 'Events by type', sql: 'SELECT type, count(*) AS events FROM events GROUP BY type' },
    {
      says: 'Why compactions began',
      sql: "SELECT data ->> '$.compaction_reason' AS reason, count(*) AS compactions\nFROM events WHERE type = 'compaction_started' GROUP BY reason",
    },
  ],
  rows: (context, budget) =>
    listed(
      context,
      budget,
      ask('/targets/{t}/events', { path: { t: context.t } }),
      (page) => page.events,
    ),
});

const findings = table<Finding>({
  name: 'findings',
  says: 'What the last verification found. Empty until there was one: see Findings.',
  kinds: ['db', 'sst', 'manifest', 'wal', 'unknown'],
  cli: (target, kind) => varve(kind === 'sst' ? 'sst verify' : 'db verify', [target]),
  source: () => null,
  fields: [
    {
      name: 'severity',
      type: 'TEXT',
      says: 'error, warning, unreadable, not_checked',
      of: (r) => r.severity,
    },
    { name: 'layer', type: 'TEXT', says: 'directory, table, block, wal, …', of: (r) => r.layer },
    { name: 'file', type: 'TEXT', says: 'name', of: (r) => r.file },
    { name: 'offset', type: 'INTEGER', says: 'where in the file', of: (r) => r.offset },
    { name: 'what', type: 'TEXT', says: 'is wrong', of: (r) => r.what },
    {
      name: 'lost_from',
      type: 'TEXT',
      says: 'first key that it may cost',
      of: (r) => shownBytes(r.lost_range?.from),
    },
    {
      name: 'lost_to',
      type: 'TEXT',
      says: 'last key that it may cost',
      of: (r) => shownBytes(r.lost_range?.to),
    },
  ],
  examples: [
    {
      says: 'Findings by file',
      sql: 'SELECT file, severity, count(*) AS findings FROM findings\nGROUP BY file, severity',
    },
  ],
  async *rows(context, budget) {
    const { client, t, signal } = context;
    const { jobs: all } = await client.get(ask('/targets/{t}/jobs', { path: { t } }), signal);
    const last = all.filter(({ kind, state }) => kind === 'verify' && state === 'done').at(-1);
    if (!last) return budget.problem('nothing was verified yet');
    const asked = ask('/targets/{t}/jobs/{j}/findings', { path: { t, j: last.id } });
    yield* listed(context, budget, asked, (page) => page.findings);
  },
});

export const kReportTables: Table[] = [
  files,
  levels,
  families,
  options,
  edits,
  editFiles,
  jobs,
  events,
  findings,
];
