// SPDX-License-Identifier: Apache-2.0
import type { MemtableSearch } from '@/api/openapi';
import { plain, variant, type Chapter } from './lesson';
import {
  batchSearch,
  explainGet,
  filesOf,
  first,
  getFigures,
  keysFrom,
  logOf,
  rowsOf,
} from './measure';

function visited(search: MemtableSearch, label: string): number {
  if (label === 'finger search') return search.visited_finger;
  return label === 'key by key' ? search.visited_per_key : search.visited_tree;
}

export const kLog: Chapter = {
  id: 'log',
  title: 'Log and memtable',
  about: 'What happens to a write before there is any table, and what a crash leaves of it.',
  lessons: [
    {
      id: 'log-first',
      title: 'The log comes first',
      intro:
        'A write goes to the end of the log, then into the memtable, and only then is it answered. Here two records are written and the process ends without closing anything. Then the database is opened again.',
      script: 'put apple red\nput pear green\ncrash',
      variants: plain,
      question: 'How many records does a scan find after the crash?',
      choices: ['None: they were only in memory', 'One', 'Two'],
      measure: async (session) => ({
        figures: {
          'records found': await rowsOf(session),
          'tables after opening': (await filesOf(session)).length,
        },
      }),
      right: ([m]) => m!['records found']!,
      why: 'The memtable was lost with the process, but the log was not. Opening replays it: every record of the log goes into a memtable again, and from there into a table, so that the old log can be removed.',
      otherwise: {
        what: 'Delete pear before the crash: a deletion is replayed as well.',
        script: 'put apple red\nput pear green\ndelete pear\ncrash',
      },
    },
    {
      id: 'torn-log',
      title: 'The torn end of a log',
      intro:
        'A computer that loses power may lose the end of the file that was being written. Here the last 5 bytes of the log are lost, in the middle of the third record.',
      script: 'put apple red\nput pear green\nput plum blue\ncrash -5',
      variants: plain,
      question: 'How many of the three records are found after opening?',
      choices: ['None: the log is damaged', 'Two: those before the torn one', 'All three'],
      measure: async (session) => ({ figures: { 'records found': await rowsOf(session) } }),
      right: ([m]) => [0, -1, 1, 2][m!['records found']!] ?? -1,
      why: 'Each record of the log has a length and a checksum. Replay ends at the first record that is not complete, and keeps all before it. That is what a crash leaves behind, so it is not treated as damage. A write that must survive a loss of power has to be synced before it is answered.',
      otherwise: {
        what: 'The log keeps 20 bytes only, less than the first record has.',
        script: 'put apple red\nput pear green\nput plum blue\ncrash 20',
      },
    },
    {
      id: 'versions',
      title: 'An overwrite is one more entry',
      intro: 'The same key is written three times. A scan shows one record.',
      script: 'put apple red\nput apple yellow\nput apple brown',
      variants: plain,
      question: 'How many entries for apple are kept, in log, memtable and tables together?',
      choices: ['One', 'Two', 'Three'],
      measure: async (session) => {
        const { operations } = await logOf(session);
        const files = await filesOf(session);
        const inFiles = files.reduce((sum, file) => sum + (file.entries ?? 0), 0);
        return {
          figures: {
            'entries kept': operations + inFiles,
            'records that a scan shows': await rowsOf(session),
          },
        };
      },
      right: ([m]) => m!['entries kept']! - 1,
      why: 'Nothing is changed in place. Each write gets a sequence number, one higher than the one before, and is an entry of its own. Readers see the entry with the highest sequence number.',
      otherwise: {
        what: 'Flush after the three writes. Versions that no snapshot can see are left out on the way.',
        script: 'put apple red\nput apple yellow\nput apple brown\nflush',
      },
    },
    {
      id: 'snapshot',
      title: 'A snapshot is a sequence number',
      intro:
        'A snapshot is taken between two writes of the same key. Then everything is flushed and compacted into one table.',
      script:
        'put apple red\nsnapshot before\nput apple yellow\ncompact\nat before get apple\nget apple',
      variants: plain,
      question: 'How many entries for apple has the table after the compaction?',
      choices: ['One: the newest', 'Two: the newest and the one that the snapshot sees'],
      measure: async (session) => {
        const files = await filesOf(session);
        return {
          figures: {
            'entries in tables': files.reduce((sum, file) => sum + (file.entries ?? 0), 0),
            tables: files.length,
          },
        };
      },
      right: ([m]) => m!['entries in tables']! - 1,
      why: 'Nothing was copied for the snapshot. It is a number that is remembered: reads at it pass over newer entries, and flushes and compactions keep, of each key, what some snapshot can still see. A snapshot that is kept for a long time keeps old data for as long.',
      otherwise: {
        what: 'Release the snapshot before the compaction.',
        script:
          'put apple red\nsnapshot before\nput apple yellow\nrelease before\ncompact\nget apple',
      },
    },
    {
      id: 'merge',
      title: 'A merge writes without reading',
      intro:
        'To append to a value, a program could read it, change it and write it. A merge writes only the change. The family here has the operator stringappend, which joins operands with commas.',
      script: 'put colours red\nmerge colours green\nmerge colours blue\nget colours',
      variants: [variant('as it is', { merge_operator: 'stringappend' })],
      question: 'How many entries does a get of colours have to collect?',
      choices: ['One', 'Two', 'Three'],
      measure: async (session) => {
        const { steps, totals } = await explainGet(session, 'colours');
        return {
          figures: {
            'entries collected': steps.reduce((sum, step) => sum + step.versions.length, 0),
            'blocks read': totals.blocks_read,
          },
        };
      },
      right: ([m]) => m!['entries collected']! - 1,
      why: 'The work is done by the reader: from the newest operand back to the last full value, then forward again to join them. Flushes and compactions join what they meet, so that chains of operands become short.',
      otherwise: {
        what: 'Compact before the get.',
        script: 'put colours red\nmerge colours green\nmerge colours blue\ncompact\nget colours',
      },
    },
    {
      id: 'get',
      title: 'How a get reads',
      intro:
        'One key is written three times, with a flush after the first two. Each flush makes a table; what was written last is still in the memtable.',
      script:
        'put apple red\nput pear green\nflush\nput apple yellow\nput plum blue\nflush\nput apple brown',
      variants: plain,
      question: 'get apple: how many tables are looked at?',
      choices: [
        'None: the memtable has it',
        'One: the newest table',
        'Both tables, to find the newest version',
      ],
      measure: async (session) => first('files looked at', await getFigures(session, 'apple')),
      right: ([m]) => Math.min(2, m!['files looked at']!),
      why: 'Newer places come first: memtable, then the tables of level 0 from new to old, then level by level. The first version that is found ends the search.',
      otherwise: {
        what: 'Flush the last write, too.',
        script:
          'put apple red\nput pear green\nflush\nput apple yellow\nput plum blue\nflush\nput apple brown\nflush',
      },
    },
    {
      id: 'fingers',
      title: 'Finger search in the memtable',
      intro:
        'Two thousand records are in the memtable, as a skip list. A MultiGet of neighbouring keys need not start each search at the top: it can go on from where the last one ended, its finger.',
      script: 'fill 2000 key# value-#',
      variants: [
        variant('key by key', { memtable_rep: 'skip_list', memtable_batch_lookup: 'off' }),
        variant('finger search', { memtable_rep: 'skip_list', memtable_batch_lookup: 'finger' }),
        variant('this engine: B+-tree', { memtable_rep: 'btree' }),
      ],
      question: 'Sixteen neighbouring keys: how many nodes of the list does finger search visit?',
      choices: ['More', 'About as many as one search a key', 'Less than half as many'],
      measure: async (session, { label }) => {
        const search = await batchSearch(session, keysFrom(1000, 16));
        return {
          figures: {
            'nodes visited': visited(search, label),
            'entries in the memtable': search.entries,
          },
        };
      },
      right: ([each, finger]) => {
        const [a, b] = [each!['nodes visited']!, finger!['nodes visited']!];
        return b > a ? 0 : b < a / 2 ? 2 : 1;
      },
      why: 'A search from the top goes down all levels of the list, past some nodes on each. Beside its predecessor it climbs only as high as it must. For keys that are far apart there is little to share, and the climb may cost more than it saves; the few upper levels that it spares are in the processor’s cache anyway.',
      otherwise: {
        what: 'Ask for sixteen keys that are 120 apart.',
        measure: async (session, { label }) => {
          const search = await batchSearch(session, keysFrom(50, 16, 120));
          return {
            figures: {
              'nodes visited': visited(search, label),
              'entries in the memtable': search.entries,
            },
          };
        },
      },
      published: {
        what: '3.6 to 10.1 % more lookups a second, batches from a memtable',
        source: 'RocksDB pull request 14428 (memtable_batch_lookup_optimization)',
        here: 'batch of 64 keys, one thread: off 425,320 lookups a second, finger search 464,005 (1.07 times), B+-tree with a hash index 5,510,952 (12.96 times)',
      },
    },
  ],
};
