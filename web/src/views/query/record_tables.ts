// SPDX-License-Identifier: Apache-2.0
// Keys and values: as a reader sees them, as tables store them, and as logs do.
import type {
  Block,
  Entry,
  FileSummary,
  ScanRow,
  TableProperty,
  WalOperation,
} from '@/api/openapi';
import { ask } from '@/engine/client';
import { varve } from '@/lib/cli';
import {
  cellOfBytes,
  listed,
  table,
  type Budget,
  type Context,
  type Range,
  type Table,
} from './table';

const rangeText = ({ from, to }: Range) => ({ from, to });

// The tables of the family, or the one that is open alone.
interface TableFile {
  id: string;
  name: string;
  level: number | null;
}

export async function filesOf({ client, t, cf, kind, signal }: Context): Promise<TableFile[]> {
  if (kind === 'sst') {
    const { target } = await client.get(ask('/targets/{t}', { path: { t } }), signal);
    return [{ id: '0', name: target.name, level: null }];
  }
  const asked = ask('/targets/{t}/files', { path: { t }, query: { cf } });
  const { rows } = await client.all(asked, (page) => page.files, Infinity, signal);
  return rows.map(({ id, name, level }: FileSummary) => ({ id, name, level }));
}

// Of each file what `of` gives; one that cannot be read is told of and passed by.
async function* ofFiles<Row>(
  context: Context,
  budget: Budget,
  of: (file: TableFile) => AsyncGenerator<Row[], void>,
): AsyncGenerator<(Row & { in: TableFile })[], void> {
  for (const file of await filesOf(context)) {
    try {
      for await (const rows of of(file)) yield rows.map((row) => ({ ...row, in: file }));
    } catch (error) {
      if (context.signal.aborted) throw error;
      budget.problem(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (budget.isSpent()) return;
  }
}

const weighed = (row: ScanRow | Entry) => row.key.len + (row.value?.len ?? 0);

const scanOf = ({ t, cf, range }: Pick<Context, 't' | 'cf' | 'range'>) => {
  const { from, to, prefix, versions } = range;
  const query = { from, to, prefix, versions: versions || undefined, bytes: 'full' as const };
  return ask('/targets/{t}/cfs/{cf}/scan', { path: { t, cf }, query });
};

const records = table<ScanRow>({
  name: 'records',
  says: 'The visible records of the column family, in the range above; with “versions”, every version.',
  kinds: ['db'],
  cli: (target, _, cf, range) =>
    varve('scan', [target], {
      ...rangeText(range),
      prefix: range.prefix,
      versions: range.versions || undefined,
      cf,
    }),
  source: scanOf,
  fields: [
    {
      name: 'key',
      type: 'BLOB',
      says: 'text where it is text, else bytes',
      of: (r) => cellOfBytes(r.key),
    },
    { name: 'value', type: 'BLOB', says: 'likewise, whole', of: (r) => cellOfBytes(r.value) },
    { name: 'seq', type: 'INTEGER', says: 'sequence number, with versions', of: (r) => r.seq },
    { name: 'type', type: 'TEXT', says: 'put, delete, merge, …, with versions', of: (r) => r.type },
    { name: 'key_bytes', type: 'INTEGER', says: 'length of the key', of: (r) => r.key.len },
    { name: 'value_bytes', type: 'INTEGER', says: 'length of the value', of: (r) => r.value?.len },
  ],
  examples: [
    {
      says: 'The largest values',
      sql: 'SELECT key, value_bytes FROM records\nORDER BY value_bytes DESC LIMIT 20',
    },
    {
      says: 'Records and bytes by the first four characters of the key',
      sql: 'SELECT substr(key, 1, 4) AS prefix, count(*) AS records,\n  sum(key_bytes + value_bytes) AS bytes\nFROM records GROUP BY prefix ORDER BY bytes DESC',
    },
    {
      says: 'Values that come more than once',
      sql: 'SELECT value, count(*) AS records FROM records\nGROUP BY value HAVING records > 1 ORDER BY records DESC',
    },
    {
      says: 'A member of values that are JSON',
      sql: "SELECT key, value ->> '$.name' AS name FROM records\nWHERE json_valid(value)",
    },
  ],
  rows: (context, budget) => listed(context, budget, scanOf(context), (page) => page.rows, weighed),
});

const entries = table<Entry & { in: TableFile }>({
  name: 'entries',
  says: 'Every entry of every table of the column family, with the file and the level that it is in.',
  kinds: ['db', 'sst'],
  cli: (target, kind, cf, range) =>
    kind === 'sst'
      ? varve('sst entries', [target], rangeText(range))
      : varve('scan', [target], { ...rangeText(range), versions: true, cf }),
  source: ({ t, kind, range: { from, to } }) =>
    kind === 'sst'
      ? ask('/targets/{t}/files/{n}/entries', { path: { t, n: '0' }, query: { from, to } })
      : null,
  fields: [
    { name: 'key', type: 'BLOB', says: 'the user key', of: (r) => cellOfBytes(r.key) },
    { name: 'seq', type: 'INTEGER', says: 'its sequence number', of: (r) => r.seq },
    { name: 'type', type: 'TEXT', says: 'put, delete, merge, …', of: (r) => r.type },
    {
      name: 'value',
      type: 'BLOB',
      says: 'of a range deletion: its end',
      of: (r) => cellOfBytes(r.value),
    },
    { name: 'file', type: 'INTEGER', says: 'number of the table', of: (r) => r.in.id },
    { name: 'level', type: 'INTEGER', says: 'that the table is on', of: (r) => r.in.level },
    { name: 'key_bytes', type: 'INTEGER', says: 'length of the key', of: (r) => r.key.len },
    { name: 'value_bytes', type: 'INTEGER', says: 'length of the value', of: (r) => r.value?.len },
  ],
  examples: [
    {
      says: 'Entries by level and type',
      sql: 'SELECT level, type, count(*) AS entries FROM entries\nGROUP BY level, type ORDER BY level, type',
    },
    {
      says: 'Keys with the most versions, and where they are',
      sql: "SELECT key, count(*) AS versions, group_concat(DISTINCT 'L' || level) AS levels\nFROM entries GROUP BY key ORDER BY versions DESC LIMIT 20",
    },
    {
      says: 'Entries that a newer one of the same key hides, by level',
      sql: 'SELECT level, count(*) AS hidden, sum(key_bytes + value_bytes) AS bytes FROM (\n  SELECT *, row_number() OVER (PARTITION BY key ORDER BY seq DESC) AS n FROM entries)\nWHERE n > 1 GROUP BY level',
    },
  ],
  rows: (context, budget) =>
    ofFiles(context, budget, (file) => {
      const { from, to } = context.range;
      const path = { t: context.t, n: file.id };
      const asked = ask('/targets/{t}/files/{n}/entries', {
        path,
        query: { from, to, bytes: 'full' },
      });
      return listed(context, budget, asked, (page) => page.entries, weighed);
    }),
});

const blocks = table<Block & { in: TableFile }>({
  name: 'blocks',
  says: 'Every block of every table of the column family. All of them are read.',
  kinds: ['db', 'sst'],
  cli: (target, kind, cf) =>
    kind === 'sst' ? varve('sst blocks', [target]) : varve('lsm files', [target], { cf }),
  source: ({ t, kind }) =>
    kind === 'sst' ? ask('/targets/{t}/files/{n}/blocks', { path: { t, n: '0' } }) : null,
  fields: [
    { name: 'file', type: 'INTEGER', says: 'number of the table', of: (r) => r.in.id },
    { name: 'level', type: 'INTEGER', says: 'that the table is on', of: (r) => r.in.level },
    { name: 'offset', type: 'INTEGER', says: 'where it begins', of: (r) => r.offset },
    { name: 'kind', type: 'TEXT', says: 'data, index, filter, …', of: (r) => r.kind },
    { name: 'size', type: 'INTEGER', says: 'as stored, with its trailer', of: (r) => r.size },
    { name: 'raw_size', type: 'INTEGER', says: 'decompressed', of: (r) => r.raw_size },
    { name: 'codec', type: 'TEXT', says: 'none, snappy, zstd, …', of: (r) => r.codec },
    { name: 'checksum_ok', type: 'INTEGER', says: '1: it is right', of: (r) => r.checksum.ok },
    { name: 'entries', type: 'INTEGER', says: 'of keys and values', of: (r) => r.entries },
    {
      name: 'restarts',
      type: 'INTEGER',
      says: 'places where a search may begin',
      of: (r) => r.restarts,
    },
    {
      name: 'key_bytes',
      type: 'INTEGER',
      says: 'of its keys, written out',
      of: (r) => r.key_bytes,
    },
    {
      name: 'shared_key_bytes',
      type: 'INTEGER',
      says: 'of these, saved by sharing prefixes',
      of: (r) => r.shared_key_bytes,
    },
    { name: 'value_bytes', type: 'INTEGER', says: 'of its values', of: (r) => r.value_bytes },
    {
      name: 'problem',
      type: 'TEXT',
      says: 'why not all of it could be decoded',
      of: (r) => r.problem,
    },
  ],
  examples: [
    {
      says: 'Bytes and compression by kind of block',
      sql: 'SELECT kind, codec, count(*) AS blocks, sum(size) AS stored,\n  round(1.0 * sum(raw_size) / sum(size), 2) AS ratio\nFROM blocks GROUP BY kind, codec ORDER BY stored DESC',
    },
    {
      says: 'Damaged blocks',
      sql: 'SELECT file, offset, kind, problem FROM blocks WHERE NOT checksum_ok',
    },
  ],
  rows: (context, budget) =>
    ofFiles(context, budget, (file) =>
      listed(
        context,
        budget,
        ask('/targets/{t}/files/{n}/blocks', { path: { t: context.t, n: file.id } }),
        (page) => page.blocks,
      ),
    ),
});

const properties = table<TableProperty & { in: TableFile }>({
  name: 'properties',
  says: 'What each table of the column family says of itself: one row for each property.',
  kinds: ['db', 'sst'],
  cli: (target, kind, cf) =>
    kind === 'sst' ? varve('sst info', [target]) : varve('lsm files', [target], { cf }),
  source: ({ t, kind }) =>
    kind === 'sst' ? ask('/targets/{t}/files/{n}/properties', { path: { t, n: '0' } }) : null,
  fields: [
    { name: 'file', type: 'INTEGER', says: 'number of the table', of: (r) => r.in.id },
    { name: 'level', type: 'INTEGER', says: 'that the table is on', of: (r) => r.in.level },
    { name: 'name', type: 'TEXT', says: 'of the property', of: (r) => r.name },
    { name: 'value', type: 'TEXT', says: 'for people', of: (r) => r.decoded },
  ],
  examples: [
    {
      says: 'Which tables differ in what they were made with',
      sql: "SELECT name, value, count(*) AS tables FROM properties\nWHERE name IN ('rocksdb.compression', 'rocksdb.filter.policy', 'rocksdb.comparator')\nGROUP BY name, value",
    },
  ],
  rows: (context, budget) =>
    ofFiles(context, budget, async function* (file) {
      if (budget.left() === 0) return budget.leaveOut();
      const path = { t: context.t, n: file.id };
      const asked = ask('/targets/{t}/files/{n}/properties', { path });
      const document = await context.client.get(asked, context.signal);
      yield budget.take(document.properties, () => 0, false);
    }),
});

interface LoggedOperation extends Partial<WalOperation> {
  wal: string;
  offset: number;
  damage: string | undefined;
}

const logRecords = table<LoggedOperation>({
  name: 'log_records',
  says: 'Every operation in the write-ahead logs; damage is a row of its own.',
  kinds: ['db', 'wal'],
  cli: (target, kind) => varve(kind === 'wal' ? 'wal records' : 'wal segments', [target]),
  source: ({ t, kind }) =>
    kind === 'wal'
      ? ask('/targets/{t}/wal/{n}/records', { path: { t, n: '0' } })
      : ask('/targets/{t}/wal', { path: { t } }),
  fields: [
    { name: 'log', type: 'INTEGER', says: 'number of the log', of: (r) => r.wal },
    { name: 'offset', type: 'INTEGER', says: 'where its batch begins', of: (r) => r.offset },
    { name: 'seq', type: 'INTEGER', says: 'its sequence number', of: (r) => r.seq },
    { name: 'type', type: 'TEXT', says: 'put, delete, range_deletion, …', of: (r) => r.type },
    { name: 'cf', type: 'TEXT', says: 'column family', of: (r) => r.cf },
    { name: 'key', type: 'BLOB', says: 'text where it is text', of: (r) => cellOfBytes(r.key) },
    {
      name: 'value',
      type: 'BLOB',
      says: 'of a range deletion: its end',
      of: (r) => cellOfBytes(r.value),
    },
    { name: 'live', type: 'INTEGER', says: '1: an open would replay it', of: (r) => r.live },
    { name: 'damage', type: 'TEXT', says: 'what is wrong here', of: (r) => r.damage },
  ],
  examples: [
    {
      says: 'Operations by family and type',
      sql: 'SELECT cf, type, count(*) AS operations FROM log_records\nGROUP BY cf, type',
    },
    {
      says: 'What is damaged',
      sql: 'SELECT log, offset, damage FROM log_records WHERE damage IS NOT NULL',
    },
  ],
  async *rows(context, budget) {
    const { client, t, kind, signal } = context;
    const asked = ask('/targets/{t}/wal', { path: { t } });
    const logs =
      kind === 'wal'
        ? ['0']
        : (await client.all(asked, (page) => page.segments, Infinity, signal)).rows.map(
            ({ id }) => id,
          );
    for (const n of logs) {
      if (budget.left() === 0) return budget.leaveOut();
      const records = ask('/targets/{t}/wal/{n}/records', {
        path: { t, n },
        query: { bytes: 'full' },
      });
      // A batch has any number of operations: these are what the limit is about.
      for await (const page of client.pages(records, () => Math.max(1, budget.left()), signal)) {
        if (page.problem) budget.problem(page.problem.detail);
        const rows = page.records.flatMap(({ offset, ops, damage }): LoggedOperation[] =>
          ops ? ops.map((op) => ({ ...op, wal: n, offset, damage })) : [{ wal: n, offset, damage }],
        );
        const weigh = (row: LoggedOperation) => (row.key?.len ?? 0) + (row.value?.len ?? 0);
        yield budget.take(rows, weigh, page.next_page_token !== undefined);
        if (budget.isSpent()) return;
      }
    }
  },
});

export const kRecordTables: Table[] = [records, entries, blocks, properties, logRecords];
