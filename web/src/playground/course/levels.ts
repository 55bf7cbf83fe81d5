// SPDX-License-Identifier: Apache-2.0
import { levelsOf, sortedRuns } from '../levels';
import type { Session } from '../session';
import { bracket, plain, variant, type Answer, type Chapter } from './lesson';
import { explainGet, explainScan, filesOf, first, getFigures, tickersOf } from './measure';

async function scanFigures(session: Session): Promise<Answer> {
  const scan = await explainScan(session, 10);
  const entries = scan.parts.reduce((sum, part) => sum + part.entries, 0);
  return {
    figures: {
      'entries stepped over': entries - scan.result.rows,
      rows: scan.result.rows,
      deletions: scan.parts.reduce((sum, part) => sum + part.deletions, 0),
      'blocks read': scan.totals.blocks_read,
    },
  };
}

async function writtenFigures(session: Session): Promise<Answer> {
  const tickers = await tickersOf(session);
  const flushed = tickers['rocksdb.flush.write.bytes'];
  const compacted = tickers['rocksdb.compact.write.bytes'];
  return {
    figures: {
      'written for 100 bytes flushed': Math.round((100 * (flushed + compacted)) / flushed),
      'bytes flushed': flushed,
      'bytes compacted': compacted,
      compactions: tickers['varve.compactions'],
      'trivial moves': tickers['varve.trivial.moves'],
      tables: (await filesOf(session)).length,
    },
  };
}

async function sizesOf(session: Session) {
  const files = await filesOf(session);
  return {
    'bytes of tables': files.reduce((sum, { size }) => sum + size, 0),
    'sorted runs': sortedRuns(levelsOf(files)),
    levels: levelsOf(files).length,
  };
}

const rounds = (n: number, work: string) =>
  Array.from({ length: n }, () => `fill 200 key# value-of-some-length-#\nflush${work}`).join('\n');
const kWork = '\nwork\nwork';
const trigger = (tables: number) =>
  variant(`at ${tables} tables`, {
    disable_auto_compactions: 'false',
    level0_file_num_compaction_trigger: String(tables),
  });
// Beside so small a memtable these tables are large: they go down instead of being merged in level 0.
const moving = variant('as it is', {
  disable_auto_compactions: 'false',
  level0_file_num_compaction_trigger: '2',
  write_buffer_size: '65536',
});
const stalling = variant('as it is', {
  level0_file_num_compaction_trigger: '2',
  level0_slowdown_writes_trigger: '4',
  level0_stop_writes_trigger: '6',
  disable_auto_compactions: 'false',
});
const fifo = (style: string) =>
  variant(style, {
    disable_auto_compactions: 'false',
    compaction_style: style,
    'compaction_options_fifo.max_table_files_size': '6000',
  });

// Tables over one range, each with keys of its own.
const letters = (n: number, work: string) =>
  Array.from(
    { length: n },
    (_, i) => `fill 200 key#${String.fromCharCode(97 + i)} value-of-some-length-#\nflush${work}`,
  ).join('\n');
const style = (name: 'level' | 'universal', more: Record<string, string> = {}) =>
  variant(name, {
    disable_auto_compactions: 'false',
    compaction_style: name,
    level0_file_num_compaction_trigger: '4',
    max_bytes_for_level_base: '16384',
    max_bytes_for_level_multiplier: '4',
    target_file_size_base: '16384',
    ...more,
  });
const kSmallAmplification = {
  'compaction_options_universal.max_size_amplification_percent': '25',
};

const kDeleted = 'fill 300 key# value-#\nflush\nerase 250 key#\nflush';
const kRangeDeleted = 'fill 300 key# value-#\nflush\ndelete_range key0000 key0250\nflush';
const deletions = (end: string) => [
  { ...variant('250 deletions'), script: kDeleted + end },
  { ...variant('one range deletion'), script: kRangeDeleted + end },
];

export const kLevels: Chapter = {
  id: 'levels',
  title: 'Levels and compaction',
  about: 'Why tables are merged, what that costs, and what deletions leave behind until then.',
  lessons: [
    {
      id: 'compaction',
      title: 'What compaction does',
      intro:
        'The same two hundred keys are written three times, with a flush after each: three tables over the same range. Then they are compacted.',
      script:
        'fill 200 key# first-#\nflush\nfill 200 key# second-#\nflush\nfill 200 key# third-#\nflush\ncompact',
      variants: plain,
      question: 'How many sorted runs of tables does a scan have to merge now?',
      choices: ['One', 'Two', 'Three'],
      measure: async (session) => {
        const files = await filesOf(session);
        return {
          figures: {
            'sorted runs': sortedRuns(levelsOf(files)),
            tables: files.length,
            entries: files.reduce((sum, file) => sum + (file.entries ?? 0), 0),
          },
        };
      },
      right: ([m]) => m!['sorted runs']! - 1,
      why: 'Compaction merges tables that overlap into tables that do not. A level below the first is one sorted run, however many tables it has, and versions that nobody can see any more are gone. For that, every byte was read and written once more.',
      otherwise: {
        what: 'Leave out the compaction.',
        script:
          'fill 200 key# first-#\nflush\nfill 200 key# second-#\nflush\nfill 200 key# third-#\nflush',
      },
    },
    {
      id: 'one-per-level',
      title: 'At most one table a level',
      intro:
        'Ten thousand records and a newer one are compacted into tables of about 16 KiB, all on one level. Their ranges do not overlap.',
      script: 'fill 10000 key# value-of-some-length-#\nflush\nput key0500 another\nflush\ncompact',
      variants: [variant('as it is', { target_file_size_base: '16384' })],
      question: 'get key5000: how many of the tables are looked at?',
      choices: ['One', 'About half of them', 'All of them'],
      measure: async (session) => {
        const { figures } = await getFigures(session, 'key5000');
        const tables = (await filesOf(session)).length;
        return first('files looked at', { figures: { ...figures, tables } });
      },
      right: ([m]) => {
        const part = m!['files looked at']! / m!.tables!;
        return m!['files looked at'] === 1 ? 0 : part < 0.9 ? 1 : 2;
      },
      why: 'The largest keys of a level’s tables are in memory, in order: one search in them names the only table that may have the key. On level 0, tables are as flushes left them and may overlap, so each of them may have it.',
      otherwise: {
        what: 'The same records as level 0, where every flush left a table over the whole range.',
        script:
          'scatter 2500/4 key# value-#\nflush\nscatter 2500/4 key# value-#\nflush\nscatter 2500/4 key# value-#\nflush\nscatter 2500/4 key# value-#\nflush',
        measure: async (session) => {
          const { figures } = await getFigures(session, 'key5001');
          const tables = (await filesOf(session)).length;
          return first('files looked at', { figures: { ...figures, tables } });
        },
      },
    },
    {
      id: 'write-amplification',
      title: 'Write amplification',
      intro:
        'Eight times the same two hundred keys are written and flushed. Whenever level 0 has two tables, a compaction merges them into the level below.',
      script: rounds(8, kWork),
      variants: [trigger(2)],
      question: 'For 100 bytes that were flushed, how many bytes were written to tables in all?',
      choices: ['Up to 120', '121 to 160', 'More than 160'],
      measure: async (session) => writtenFigures(session),
      right: ([m]) => bracket(m!['written for 100 bytes flushed']!, [120, 160]),
      why: 'Each compaction reads what is below, too, and writes it again: a byte is written once by the flush and once more each time it is merged. That is the write amplification. To wait for more tables merges less often, and leaves more tables for reads to look at.',
      otherwise: {
        what: 'Compact when there are eight tables.',
        variants: [trigger(8)],
      },
    },
    {
      id: 'universal',
      title: 'Universal compaction writes less',
      intro:
        'Twenty-four tables are flushed, all over the same range, and none has a key of another. compaction_style=level merges what comes into the level below, and with it what is there. compaction_style=universal keeps sorted runs of any age instead, and merges neighbours once they are enough or alike in size.',
      script: letters(24, kWork),
      variants: [style('level'), style('universal')],
      question: 'For 100 bytes that level wrote to tables, how many did universal write?',
      choices: ['80 or less', '81 to 120', 'More than 120'],
      measure: async (session) => {
        const { figures } = await writtenFigures(session);
        const sizes = await sizesOf(session);
        return { figures: { ...figures, 'sorted runs': sizes['sorted runs'] } };
      },
      right: ([level, universal]) =>
        bracket(
          (100 * universal!['written for 100 bytes flushed']!) /
            level!['written for 100 bytes flushed']!,
          [80, 120],
        ),
      why: 'Level compaction writes a byte again each time that something is merged into its level, and once for every level on its way down. Universal leaves large runs alone until the newer ones together have about their size, so a byte is written again only when the tree has grown by a good part. Reads pay for it: there may be more sorted runs to look at, and a scan merges all of them.',
      otherwise: {
        what: 'Merge everything once the newer runs have a quarter of the size of the oldest (compaction_options_universal.max_size_amplification_percent=25).',
        variants: [style('level'), style('universal', kSmallAmplification)],
      },
    },
    {
      id: 'universal-space',
      title: 'Universal compaction needs room',
      intro:
        'Two thousand records are compacted into one sorted run. Then nine tenths of them are written once more, flush by flush, while both styles do the compactions that are due.',
      script: `${letters(10, '')}\ncompact\n${letters(9, kWork)}`,
      variants: [style('level'), style('universal')],
      question: 'For 100 bytes of tables that level has, how many has universal?',
      choices: ['Up to 110', '111 to 200', 'More than 200'],
      measure: async (session) => ({ figures: await sizesOf(session) }),
      right: ([level, universal]) =>
        bracket((100 * universal!['bytes of tables']!) / level!['bytes of tables']!, [110, 200]),
      why: 'What is overwritten is gone only when its run is merged with the newer one. Level keeps the levels above the last small beside it, so little of the last one can be overwritten there. Universal waits until the newer runs are together twice as large as the oldest (compaction_options_universal.max_size_amplification_percent=200), and while it merges everything, input and output are there at once: leave room for both.',
      otherwise: {
        what: 'Merge everything once the newer runs have a quarter of the size of the oldest (max_size_amplification_percent=25). It takes less room, and writes more.',
        variants: [style('level'), style('universal', kSmallAmplification)],
      },
    },
    {
      id: 'trivial-move',
      title: 'Moving instead of rewriting',
      intro:
        'Four times two hundred records are written, each time with higher keys than before. Then the engine does the compactions that are due.',
      script:
        'fill 200 a# ~~\nflush\nfill 200 b# ~~\nflush\nfill 200 c# ~~\nflush\nfill 200 d# ~~\nflush\nwork\nwork\nwork\nwork',
      variants: [moving],
      question: 'How many bytes did the compactions write?',
      choices: ['None', 'As many as were flushed, or less', 'More than were flushed'],
      measure: async (session) => first('bytes compacted', await writtenFigures(session)),
      right: ([m]) =>
        m!['bytes compacted'] === 0 ? 0 : m!['bytes compacted']! <= m!['bytes flushed']! ? 1 : 2,
      why: 'A table that overlaps nothing on the level below need not be merged with anything. The MANIFEST says that it is on another level now, and that is all: a trivial move. Records that come in key order are never rewritten.',
      otherwise: {
        what: 'All four tables have the same keys.',
        script:
          'fill 200 a# ~~\nflush\nfill 200 a# ~~\nflush\nfill 200 a# ~~\nflush\nfill 200 a# ~~\nflush\nwork\nwork\nwork\nwork',
      },
    },
    {
      id: 'tombstones',
      title: 'What a tombstone costs',
      intro:
        'Three hundred records are written and flushed; the first 250 are then deleted. A deletion is an entry, too: it hides, it does not remove.',
      script: 'fill 300 key# value-#\nflush\nerase 250 key#\nflush',
      variants: plain,
      question: 'A scan for the first 10 records: how many entries does it step over?',
      choices: ['None', '250: the deletions', '500: the deletions and what they hide'],
      measure: async (session) => scanFigures(session),
      right: ([m]) => bracket(m!['entries stepped over']!, [20, 375]),
      why: 'Both the tombstone and what it hides lie in the way of every scan until a compaction drops them together. Queues are the worst case: what was consumed always lies in front of what is read next.',
      otherwise: {
        what: 'Compact at the end.',
        script: 'fill 300 key# value-#\nflush\nerase 250 key#\nflush\ncompact',
      },
    },
    {
      id: 'range-deletion',
      title: 'One deletion for a range',
      intro:
        'The same 250 records of 300 are deleted, once one by one and once by a single range deletion.',
      script: kRangeDeleted,
      variants: deletions(''),
      question: 'How many entries does the scan for 10 records step over with the range deletion?',
      choices: ['Less than a tenth as many', 'About half as many', 'As many'],
      measure: async (session) => scanFigures(session),
      right: ([single, range]) => {
        const [a, b] = [single!['entries stepped over']!, range!['entries stepped over']!];
        return a === b ? 2 : bracket(b / a, [0.1, 0.75]);
      },
      why: 'A range deletion is one entry, kept apart from the others, however much it deletes: it costs little to write and nothing to step over. But what it hides is still there, and a scan passes over it. Only a compaction removes both.',
      otherwise: {
        what: 'Compact both at the end.',
        variants: deletions('\ncompact'),
      },
    },
    {
      id: 'stall',
      title: 'When writes have to wait',
      intro:
        'Flushes come faster than compactions here: eight times 50 records are written and flushed, and nothing compacts. Slowdown begins at four tables in level 0 (level0_slowdown_writes_trigger). The playground does not wait: a write that would be slowed down is refused.',
      script: Array.from({ length: 8 }, () => 'fill 50 key# value-#\nflush').join('\n'),
      variants: [stalling],
      question: 'How many of the eight fills are refused?',
      choices: ['None', 'Fewer than half', 'Half or more'],
      measure: async (session) => {
        const files = await filesOf(session);
        return {
          figures: {
            'fills refused': session.refusals,
            'tables in level 0': files.filter((file) => file.level === 0).length,
          },
        };
      },
      right: ([m]) => bracket(m!['fills refused']!, [0, 3]),
      why: 'Every table in level 0 makes each read more expensive, so the engine must not let them pile up. It slows writers down first (delayed_write_rate), and stops them if that is not enough (level0_stop_writes_trigger). A stall is not a fault: it says that compaction cannot keep up.',
      otherwise: {
        what: 'Let compactions run after each flush.',
        script: Array.from({ length: 8 }, () => 'fill 50 key# value-#\nflush\nwork').join('\n'),
      },
    },
    {
      id: 'fifo',
      title: 'FIFO throws away',
      intro:
        'With compaction_style=fifo nothing is merged. When the tables together are larger than a limit, the oldest is deleted. Four tables are flushed here, of some 3 KB each; the limit is 6,000 bytes.',
      script:
        'fill 80 a# value-#\nflush\nwork\nfill 80 b# value-#\nflush\nwork\nfill 80 c# value-#\nflush\nwork\nfill 80 d# value-#\nflush\nwork',
      variants: [fifo('fifo')],
      question: 'Is a0040, from the first table, still there?',
      choices: ['Yes', 'No'],
      measure: async (session) => {
        const { result } = await explainGet(session, 'a0040');
        const files = await filesOf(session);
        return {
          figures: {
            found: result.found ? 1 : 0,
            tables: files.length,
            bytes: files.reduce((sum, file) => sum + file.size, 0),
          },
        };
      },
      right: ([m]) => (m!.found === 1 ? 0 : 1),
      why: 'FIFO is for data that loses its value with age, like metrics or a cache. Its write amplification is 1: every byte is written to a table once. Reads have to look at every table whose range has the key.',
      otherwise: {
        what: 'compaction_style=level.',
        variants: [fifo('level')],
      },
    },
  ],
};
