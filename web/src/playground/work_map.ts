// SPDX-License-Identifier: Apache-2.0
// What became of each table in a step, and the figures of the step.
import type { FileSummary, Tickers } from '@/api/openapi';
import type { Account } from './account';
import { levelsOf, sortedRuns } from './levels';

export interface Table {
  file: FileSummary; // Of one that died: as it was.
  fate: 'stayed' | 'new' | 'moved' | 'died';
  why: string; // For people: "written by the compaction of 7, 9"
}

// Those that died in the step are still there, on the level where they were.
export function tablesOf({ before, after, edits }: Account): Table[] {
  const was = new Map((before?.files ?? []).map((file) => [file.id, file]));
  const is = new Set(after.files.map(({ id }) => id));
  const now = after.files.map((file): Table => {
    const old = was.get(file.id);
    if (old && old.level !== file.level)
      return { file, fate: 'moved', why: `moved from L${old.level}, nothing was rewritten` };
    if (old || !before) return { file, fate: 'stayed', why: '' };
    const edit = edits.find(({ added }) => added.some((one) => one.file === file.id));
    return { file, fate: 'new', why: edit ? cameFrom(edit) : 'written' };
  });
  const died = [...was.values()]
    .filter(({ id }) => !is.has(id))
    .map((file): Table => {
      const edit = edits.find(({ deleted }) => deleted.some((one) => one.file === file.id));
      const into = (edit?.added ?? []).map((one) => one.file);
      return {
        file,
        fate: 'died',
        why:
          into.length > 0 ? `rewritten into ${into.join(', ')}` : 'dropped: nothing of it is left',
      };
    });
  return [...now, ...died];
}

function cameFrom({ kind, deleted }: Account['edits'][number]): string {
  if (kind === 'flush') return 'written by a flush of the memtable';
  if (kind === 'ingestion') return 'ingested';
  const from = deleted.map((one) => one.file);
  return `written by the ${kind.replaceAll('_', ' ')} of ${from.join(', ')}`;
}

interface WrittenBytes {
  operations: number;
  given: number; // Keys and values.
  log: number;
  flush: number;
  compaction: number;
}

// Between two moments; without the first, since the database was opened.
export function writtenBy(before: Tickers | undefined, after: Tickers): WrittenBytes {
  const by = (name: keyof Tickers) => after[name] - (before?.[name] ?? 0);
  return {
    operations: by('rocksdb.number.keys.written'),
    given: by('rocksdb.bytes.written'),
    log: by('rocksdb.wal.bytes'),
    flush: by('rocksdb.flush.write.bytes'),
    compaction: by('rocksdb.compact.write.bytes'),
  };
}

interface Amplification {
  write: number | null; // Bytes written to log and tables for each byte given.
  space: number | null; // Bytes of all tables for each byte of the last sorted run.
  runs: number; // Sorted runs: what a scan merges, and a get of an absent key asks.
}

export function amplificationOf(
  tickers: Tickers,
  files: Pick<FileSummary, 'level' | 'size'>[],
): Amplification {
  const { given, log, flush, compaction } = writtenBy(undefined, tickers);
  const levels = levelsOf(files);
  const whole = levels.reduce((sum, { bytes }) => sum + bytes, 0);
  const deepest = levels.at(-1);
  const last =
    deepest?.level === 0 ? Math.max(...files.map(({ size }) => size)) : (deepest?.bytes ?? 0);
  return {
    write: given > 0 ? (log + flush + compaction) / given : null,
    space: last > 0 ? whole / last : null,
    runs: sortedRuns(levels),
  };
}

export const times = (factor: number | null) => (factor === null ? '–' : `${factor.toFixed(2)} ×`);
