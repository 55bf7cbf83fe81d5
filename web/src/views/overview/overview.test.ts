// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type {
  Database,
  FamilySummary,
  FileSummary,
  HistoryJob,
  Level,
  LevelsDocument,
  OptionsDocument,
  TargetDocument,
} from '@/api/openapi';
import { contentsOf, growthOf, shortFilter } from './contents';
import { lookFirst } from './look_first';
import { noOptionsText } from './options';

const family: FamilySummary = {
  cf: 'default',
  cf_id: 0,
  name: { len: 7 },
  comparator: 'leveldb.BytewiseComparator',
  comparator_known: true,
  files: 3,
  bytes: 300,
  blob_files: 0,
  log_number: '7',
  levels: [],
};

const database = (changes: Partial<Database> = {}): Database => ({
  kind: 'rocksdb',
  id: '',
  manifest: 'MANIFEST-000005',
  manifest_bytes: 100,
  next_file_number: '9',
  cfs: [family],
  wals: [],
  orphans: [],
  missing: [],
  wrong_size: [],
  ...changes,
});

const document = (changes: Partial<TargetDocument> = {}): TargetDocument => ({
  cut: false,
  schema: 'varve.target/1',
  as_of: { live: false },
  target: { id: 't1', name: 'db', kind: 'db', live: false },
  ...changes,
});

const levels = (of: Partial<Level>[]): LevelsDocument => ({
  schema: 'varve.levels/1',
  as_of: { live: false },
  cf: 'default',
  cf_id: 0,
  compaction: {
    options_known: true,
    style: 'level',
    dynamic_level_bytes: true,
    level0_trigger: 4,
    base_level: 1,
    compensated: false,
  },
  levels: of.map((level, i) => ({ level: i, files: 1, bytes: 100, score: 0, ...level })),
});

const file = (id: string, changes: Partial<FileSummary> = {}): FileSummary => ({
  id,
  name: `${id}.sst`,
  cf: 'default',
  cf_id: 0,
  level: 0,
  size: 100,
  smallest: { key: { len: 0 }, seq: '0', type: 'put' },
  largest: { key: { len: 0 }, seq: '0', type: 'put' },
  smallest_seq: '1',
  largest_seq: '2',
  epoch: '1',
  creation_time_unix_s: 0,
  oldest_ancestor_time_unix_s: 0,
  unique_id: '',
  path_id: 0,
  marked_for_compaction: false,
  present: true,
  added_by_edit: '1',
  ...changes,
});

describe('what to look at first', () => {
  const harms = (...of: Parameters<typeof lookFirst>) => lookFirst(...of).map(({ harm }) => harm);

  it('says nothing of a database at rest', () => {
    const at_rest = levels([{ files: 4 }, { score: 1 }]);
    expect(lookFirst(document(), database(), at_rest, [file('8', { entries: 5000 })])).toEqual([]);
    expect(lookFirst(document(), database(), undefined, undefined)).toEqual([]);
  });

  it('has lost data before what is slow, and that before space', () => {
    const db = database({ orphans: ['000011.sst'], missing: ['000012.sst', '000013.sst'] });
    const slow = levels([{ files: 9 }, { score: 3, target_bytes: 30 }]);
    const hints = lookFirst(document(), db, slow, undefined);
    expect(hints.map(({ harm }) => harm)).toEqual(['loss', 'slow', 'slow', 'space']);
    expect(hints[0]!.what).toBe('2 files missing: 000012.sst, 000013.sst');
    expect(hints[1]!.what).toBe('9 tables on level 0, compactions begin at 4');
    expect(hints[2]!.what).toBe('level 1 has a score of 3.00: 100 B where 30 B are wanted');
  });

  it('takes no default for the option of a database that stores none', () => {
    const slow = levels([{ files: 9 }, { score: 3, target_bytes: 30 }]);
    slow.compaction.options_known = false;
    const hints = lookFirst(document(), database(), slow, undefined);
    expect(hints.map(({ what }) => what)).toEqual([
      '9 tables on level 0; RocksDB, unless told otherwise, compacts at 4',
      'level 1 would have a score of 3.00 with RocksDB’s defaults',
    ]);
  });

  it('names the level with the highest score, and only that one', () => {
    const hints = lookFirst(document(), database(), levels([{}, { score: 2 }, { score: 5 }]), []);
    expect(hints.map(({ what }) => what)).toEqual(['level 2 has a score of 5.00']);
  });

  it('counts deletions level by level', () => {
    const rows = [
      file('1', { level: 1, entries: 1500, deletions: 1400 }),
      file('2', { level: 2, entries: 90_000, deletions: 100 }),
      file('3', { level: 3, entries: 10, deletions: 10 }),
    ];
    const [hint, ...more] = lookFirst(document(), database(), undefined, rows);
    expect(hint!.what).toBe('93 % of the entries on level 1 are deletions');
    expect(more).toEqual([]);
  });

  it('knows damaged logs, unknown orders, and logs that outgrow the tables', () => {
    const recovery = { losses: [{ file: '000004.log', offset: 1, size: 2, what: 'x' }] };
    expect(harms(document({ recovery }), database(), undefined, undefined)).toEqual(['loss']);
    const other = database({ cfs: [{ ...family, comparator_known: false }] });
    expect(harms(document(), other, undefined, undefined)).toEqual(['loss']);
    const logs = database({ wals: [{ id: '4', size: 2 ** 30, live: true }] });
    expect(harms(document(), logs, undefined, undefined)).toEqual(['space']);
    const dead = database({ wals: [{ id: '4', size: 2 ** 30, live: false }] });
    expect(harms(document(), dead, undefined, undefined)).toEqual([]);
  });
});

describe('an empty list of options', () => {
  const of = (options_file: string, families: string[]) =>
    noOptionsText({ options_file, families } as OptionsDocument, 'default');
  it('says whether nothing differs, or nothing is known', () => {
    expect(of('OPTIONS-000007', ['default'])).toBe('None, says OPTIONS-000007.');
    expect(of('OPTIONS-000007', ['other'])).toBe(
      'Unknown: OPTIONS-000007 does not have this family.',
    );
    expect(of('', [])).toBe('Unknown: the directory has no OPTIONS file.');
  });
});

describe('contents', () => {
  it('are summed up by level', () => {
    const rows = [
      file('9', {
        level: 6,
        entries: 10,
        raw_key_bytes: 30,
        raw_value_bytes: 70,
        creation_time_unix_s: 50,
      }),
      file('10', {
        level: 6,
        entries: 5,
        deletions: 1,
        range_deletions: 1,
        oldest_ancestor_time_unix_s: 40,
      }),
      file('12', { level: 0, entries: 1 }),
    ];
    const [zero, six, ...more] = contentsOf(rows);
    expect(more).toEqual([]);
    expect([zero!.level, zero!.oldest]).toEqual([0, 0]);
    expect(six).toMatchObject({
      level: 6,
      entries: 15,
      deletions: 2,
      raw: 100,
      stored: 200,
      oldest: 40,
    });
    expect(six!.sample.id).toBe('10'); // The newest by number, not by text.
  });

  it('names filters shortly', () => {
    expect(shortFilter('rocksdb.BuiltinBloomFilter')).toBe('Bloom');
    expect(shortFilter('')).toBe('none');
    expect(shortFilter('mine')).toBe('mine');
  });
});

describe('growth', () => {
  const job = (kind: HistoryJob['kind'], inputs: number[], outputs: number[]): HistoryJob => ({
    kind,
    cf: 'default',
    cf_id: 0,
    inputs: inputs.map((size, i) => ({ file: `${i}`, level: 0, size })),
    outputs: outputs.map((size, i) => ({ file: `${i}`, level: 1, size })),
    output_level: 1,
    bytes_read: 0,
    bytes_written: 0,
    inferred: true,
  });

  it('follows flushes, compactions and drops; moves change nothing', () => {
    const jobs = [
      job('snapshot', [], [100, 50]),
      job('flush', [], [30]),
      job('trivial_move', [30], [30]),
      job('compaction', [100, 30], [90]),
      job('deletion', [50], []),
    ];
    expect(growthOf(jobs)).toEqual([150, 180, 140, 90]);
  });
});
