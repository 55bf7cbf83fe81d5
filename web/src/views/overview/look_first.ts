// SPDX-License-Identifier: Apache-2.0
// What somebody who opens a database should look at first: what loses data, what makes it slow, what
// takes space for nothing; in this order.
import type { Database, FileSummary, LevelsDocument, TargetDocument } from '@/api/openapi';
import { bytes, percent, plural, ratio } from '@/lib/format';

export interface Hint {
  harm: 'loss' | 'slow' | 'space';
  what: string;
  why: string;
  page?: string; // Where to look at it.
}

// Deletions that are half of a level's entries cost scans as much as what they find.
const kManyDeletions = 0.5;
const kDebt = 1.5; // A score around 1 is what a database at work has.

export function lookFirst(
  document: TargetDocument,
  db: Database,
  levels: LevelsDocument | undefined,
  files: FileSummary[] | undefined,
): Hint[] {
  return [
    ...lossesOf(document, db),
    ...(levels ? slownessOf(levels) : []),
    ...(files ? deletionsOf(files) : []),
    ...spaceOf(db),
  ];
}

function lossesOf({ recovery }: TargetDocument, db: Database): Hint[] {
  const hints: Hint[] = [];
  const say = (what: string, why: string, page: string) =>
    hints.push({ harm: 'loss', what, why, page });
  if (db.missing.length > 0)
    say(
      `${plural(db.missing.length, 'file')} missing: ${db.missing.slice(0, 3).join(', ')}`,
      'reads that need them fail',
      'findings',
    );
  if (db.wrong_size.length > 0)
    say(
      `${plural(db.wrong_size.length, 'file')} cut: ${db.wrong_size.slice(0, 3).join(', ')}`,
      'reads that need them fail',
      'findings',
    );
  if (recovery)
    say(
      `${plural(recovery.losses.length, 'part')} of the logs cannot be replayed`,
      'what was written there is left out, and writing needs a consent to that',
      'wal',
    );
  const unknown = db.cfs.filter((family) => !family.comparator_known);
  if (unknown.length > 0)
    say(
      `order of ${unknown.map((family) => family.cf).join(', ')} is not known here`,
      'its tables can be listed and scanned, keys cannot be looked up',
      'data',
    );
  return hints;
}

function slownessOf({ compaction, levels }: LevelsDocument): Hint[] {
  const hints: Hint[] = [];
  const first = levels.find((level) => level.level === 0);
  if (compaction.style === 'level' && first && first.files > 2 * compaction.level0_trigger)
    hints.push({
      harm: 'slow',
      what:
        plural(first.files, 'table') +
        (compaction.options_known
          ? ` on level 0, compactions begin at ${compaction.level0_trigger}`
          : ` on level 0; RocksDB, unless told otherwise, compacts at ${compaction.level0_trigger}`),
      why: 'each read looks into all of them; compactions do not keep up, or do not run',
      page: 'lsm',
    });
  const debts = levels.filter((level) => level.level > 0 && level.score >= kDebt);
  const most = debts.sort((a, b) => b.score - a.score)[0];
  if (most)
    hints.push({
      harm: 'slow',
      what: compaction.options_known
        ? `level ${most.level} has a score of ${ratio(most.score)}${
            most.target_bytes
              ? `: ${bytes(most.bytes)} where ${bytes(most.target_bytes)} are wanted`
              : ''
          }`
        : `level ${most.level} would have a score of ${ratio(most.score)} with RocksDB’s defaults`,
      why: 'compactions have work to do; writes are slowed down if it grows',
      page: 'lsm',
    });
  return hints;
}

function deletionsOf(files: FileSummary[]): Hint[] {
  const byLevel = new Map<number, { entries: number; deletions: number }>();
  for (const file of files) {
    const sum = byLevel.get(file.level) ?? { entries: 0, deletions: 0 };
    sum.entries += file.entries ?? 0;
    sum.deletions += file.deletions ?? 0;
    byLevel.set(file.level, sum);
  }
  return [...byLevel]
    .filter(([, { entries, deletions }]) => entries > 1000 && deletions / entries > kManyDeletions)
    .map(([level, { entries, deletions }]) => ({
      harm: 'slow',
      what: `${percent(deletions, entries)} of the entries on level ${level} are deletions`,
      why: 'scans step over each of them until they meet the last level',
      page: 'keyspace',
    }));
}

function spaceOf(db: Database): Hint[] {
  const hints: Hint[] = [];
  if (db.orphans.length > 0)
    hints.push({
      harm: 'space',
      what: `${plural(db.orphans.length, 'file')} that the MANIFEST does not name`,
      why: 'left by a crash, or about to be added; the next opening for writing removes them',
      page: 'files',
    });
  const tables = db.cfs.reduce((sum, family) => sum + family.bytes, 0);
  const logs = db.wals.filter((wal) => wal.live).reduce((sum, wal) => sum + wal.size, 0);
  if (logs > 64 * 1024 * 1024 && logs > tables)
    hints.push({
      harm: 'space',
      what: `${bytes(logs)} of logs, ${bytes(tables)} of tables`,
      why: 'an opening replays all of them; a family that is seldom written may hold them',
      page: 'wal',
    });
  return hints;
}
