// SPDX-License-Identifier: Apache-2.0
// What lessons measure, out of the engine's own accounts.
import type { ExplainDocument, ExplainScanDocument, FileSummary, Tickers } from '@/api/openapi';
import { answerOf, ask } from '@/engine/client';
import type { Session } from '../session';
import type { Answer } from './lesson';

export const familyOf = (session: Session, cf = 'default') => ({ t: session.target, cf });

export function explainGet(session: Session, key: string): Promise<ExplainDocument> {
  const params = { path: familyOf(session), query: { key } };
  return session.client.get(ask('/targets/{t}/cfs/{cf}/explain', params));
}

export function explainScan(session: Session, rows: number): Promise<ExplainScanDocument> {
  const params = { path: familyOf(session), query: { rows } };
  return session.client.get(ask('/targets/{t}/cfs/{cf}/explain/scan', params));
}

// Figures of one get.
export function figuresOf(explained: Pick<ExplainDocument, 'steps' | 'totals'>): Answer {
  const reads = explained.steps.flatMap((step) => step.reads);
  const kind = (...kinds: string[]) => reads.filter((read) => kinds.includes(read.kind)).length;
  return {
    figures: {
      'data blocks read': kind('data'),
      'metadata blocks read': kind('index_partition', 'filter_partition'),
      'files looked at': explained.totals.files_considered,
      'filters asked': explained.totals.filters_checked,
      'bytes read': explained.totals.bytes_read,
      'key comparisons': explained.totals.key_comparisons,
    },
  };
}

export async function getFigures(session: Session, key: string): Promise<Answer> {
  return figuresOf(await explainGet(session, key));
}

// The figure that the question is about, before the others.
export function first(name: string, { figures, ...rest }: Answer): Answer {
  return { ...rest, figures: { [name]: figures[name] ?? 0, ...figures } };
}

export async function filesOf(session: Session): Promise<FileSummary[]> {
  const path = { t: session.target };
  const asked = ask('/targets/{t}/files', { path, query: { properties: true } });
  return (await session.client.all(asked, (page) => page.files)).rows;
}

export async function tableOf(session: Session) {
  const files = await filesOf(session);
  const path = { t: session.target, n: files[0]!.id };
  const { file } = await session.client.get(ask('/targets/{t}/files/{n}', { path }));
  return { path, file };
}

export async function tickersOf(session: Session): Promise<Tickers> {
  const { stats } = await session.client.get(
    ask('/targets/{t}/stats', { path: { t: session.target } }),
  );
  return stats.tickers;
}

// Bytes of the logs, and the operations in them that no table has yet.
export async function logOf(session: Session): Promise<{ bytes: number; operations: number }> {
  const path = { t: session.target };
  const { segments } = await session.client.get(ask('/targets/{t}/wal', { path }));
  const live = segments.filter((segment) => segment.live);
  return {
    bytes: live.reduce((sum, segment) => sum + segment.size, 0),
    operations: live.reduce((sum, segment) => sum + segment.operations, 0),
  };
}

// Records that a scan finds; 0 of a database that could not be opened.
export async function rowsOf(session: Session, cf = 'default'): Promise<number> {
  if (!session.playground) return 0;
  const asked = ask('/targets/{t}/cfs/{cf}/scan', { path: familyOf(session, cf) });
  return (await session.client.all(asked, (page) => page.rows)).rows.length;
}

// Reads through the engine, with its cache and its statistics.
export async function multiget(session: Session, keys: string[]) {
  const reply = await session.client.api().POST('/targets/{t}/cfs/{cf}:multiget', {
    params: { path: familyOf(session) },
    body: { keys },
  });
  return answerOf(reply).results;
}

export async function batchSearch(session: Session, keys: string[]) {
  const reply = await session.client.api().POST('/targets/{t}/cfs/{cf}:explain', {
    params: { path: familyOf(session) },
    body: { keys },
  });
  return answerOf(reply).memtable_search;
}

// Lookups in the block cache while `body` ran.
export async function cacheLookups(
  session: Session,
  body: () => Promise<unknown>,
): Promise<{ lookups: number; misses: number }> {
  const before = await tickersOf(session);
  await body();
  const after = await tickersOf(session);
  const hits = after['rocksdb.block.cache.hit'] - before['rocksdb.block.cache.hit'];
  const misses = after['rocksdb.block.cache.miss'] - before['rocksdb.block.cache.miss'];
  return { lookups: hits + misses, misses };
}

export const keyOf = (n: number) => `key${String(n).padStart(4, '0')}`;
export const keysFrom = (from: number, count: number, by = 1) =>
  Array.from({ length: count }, (_, i) => keyOf(from + i * by));
