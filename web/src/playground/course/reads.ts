// SPDX-License-Identifier: Apache-2.0
import { ask } from '@/engine/client';
import type { Session } from '../session';
import { bracket, plain, variant, type Answer, type Chapter, type Variant } from './lesson';
import {
  cacheLookups,
  explainScan,
  filesOf,
  first,
  getFigures,
  keysFrom,
  multiget,
  tableOf,
} from './measure';

// A batch through the engine: how often it looks into the block cache for it.
const batchFigures =
  (keys: string[]) =>
  async (session: Session): Promise<Answer> => {
    await multiget(session, keys); // Opens the table.
    const { lookups } = await cacheLookups(session, () => multiget(session, keys));
    const { file } = await tableOf(session);
    return {
      figures: {
        'lookups in the block cache': lookups,
        'keys asked for': keys.length,
        'data blocks of the table': file.data_blocks ?? 0,
      },
    };
  };

const batches = [
  variant('key by key', { multiget: 'per_key', block_form: 'disk' }),
  variant('batched', { multiget: 'grouped', multiget_io: 'per_file', block_form: 'disk' }),
  variant('this engine: in stages', { multiget: 'pipeline', block_form: 'disk' }),
];

const readsOfScan =
  (entries: number) =>
  async (session: Session, { label }: Variant): Promise<Answer> => {
    const { path } = await tableOf(session);
    const readahead = label === 'off' || label === 'doubling' ? label : 'adaptive';
    const { reads } = await session.client.get(
      ask('/targets/{t}/files/{n}/scan_reads', { path, query: { readahead, entries } }),
    );
    const sizes = reads.map((read) => read.size);
    return {
      figures: {
        reads: reads.length,
        'reads waited for': reads.filter((read) => !read.ahead).length,
        'bytes read': sizes.reduce((sum, size) => sum + size, 0),
        'first read, bytes': sizes[0] ?? 0,
        'largest read, bytes': Math.max(0, ...sizes),
      },
      series: sizes,
    };
  };

// One grade in each variant, so that both are measured under the same conditions.
async function searchFigures(session: Session, { label }: Variant): Promise<Answer> {
  const grades = { 'whole keys': 'comparator', 'first 8 bytes': 'prefix' };
  const grade = Object.entries(grades).find(([name]) => name === label)?.[1] ?? 'heads';
  const nanoseconds = await session.playground!.searchNanoseconds(grade);
  return {
    figures: {
      'nanoseconds a search': Math.round(nanoseconds),
      tables: (await filesOf(session)).length,
    },
  };
}

const manyTables = { target_file_size_base: '512', block_size: '512' };
const searches = [
  variant('whole keys', { ...manyTables, file_search: 'comparator' }),
  variant('first 8 bytes', { ...manyTables, file_search: 'prefix' }),
  variant('this engine: behind the common prefix', { ...manyTables, file_search: 'heads' }),
];

export const kReads: Chapter = {
  id: 'reads',
  title: 'Reads and their costs',
  about: 'What gets, batches and scans look at, and how the engine saves them work.',
  lessons: [
    {
      id: 'absent',
      title: 'Keys that are not there',
      intro:
        'Three tables are flushed: apples, pears and plums. Somebody asks for the key quince, which is in none of them.',
      script: 'fill 100 apple# red\nflush\nfill 100 pear# green\nflush\nfill 100 plum# blue\nflush',
      variants: plain,
      question: 'get quince: how many filters are asked?',
      choices: ['None', 'One', 'Three'],
      measure: async (session) => first('filters asked', await getFigures(session, 'quince')),
      right: ([m]) => ({ 0: 0, 1: 1, 3: 2 })[m!['filters asked']!] ?? -1,
      why: 'The MANIFEST has the smallest and the largest key of each table. A key outside of that range is not in the table: neither the filter nor a block has to be looked at. Within a range, the filter decides.',
      otherwise: {
        what: 'Ask for pear0050x, which is within the range of the pears.',
        measure: async (session) => first('filters asked', await getFigures(session, 'pear0050x')),
      },
    },
    {
      id: 'scan',
      title: 'A scan merges sorted runs',
      intro:
        'Two hundred records are written in four parts, with a flush after each of the first three. The last part is still in the memtable.',
      script:
        'fill 50/4 key# one\nflush\nfill 50/3 key# two\nflush\nfill 50/2 key# three\nflush\nfill 50 key# four',
      variants: plain,
      question: 'A scan of 10 records: in how many places does it read side by side?',
      choices: [
        'One: they are in key order',
        'Three: the tables',
        'Four: the tables and the memtable',
      ],
      measure: async (session) => {
        const scan = await explainScan(session, 10);
        const read = scan.parts.filter((part) => part.entries > 0);
        return {
          figures: {
            'places with entries read': read.length,
            rows: scan.result.rows,
            'key comparisons': scan.totals.key_comparisons,
          },
        };
      },
      right: ([m]) => ({ 1: 0, 3: 1, 4: 2 })[m!['places with entries read']!] ?? -1,
      why: 'Every memtable, every table of level 0 and every level below is a sorted run, and the next record may be in any of them. A heap names the run with the smallest key. A filter cannot help a scan: it does not know what comes next.',
      otherwise: {
        what: 'Compact at the end.',
        script:
          'fill 50/4 key# one\nflush\nfill 50/3 key# two\nflush\nfill 50/2 key# three\nflush\nfill 50 key# four\ncompact',
      },
    },
    {
      id: 'cache',
      title: 'The second read',
      intro: 'Blocks that were read stay in the block cache. Here sixteen keys are read twice.',
      script: 'fill 3000 key# value-of-some-length-#\nflush\nreopen',
      variants: [variant('as it is', { block_form: 'disk' })],
      question: 'Of the lookups in the cache for the second round, how many find nothing?',
      choices: ['None', 'About half', 'All'],
      measure: async (session) => {
        const keys = keysFrom(100, 16, 150);
        const once = await cacheLookups(session, () => multiget(session, keys));
        const again = await cacheLookups(session, () => multiget(session, keys));
        return {
          figures: {
            'missed the second time': again.misses,
            'looked up the second time': again.lookups,
            'missed the first time': once.misses,
          },
        };
      },
      right: ([m]) => {
        const part = m!['missed the second time']! / Math.max(1, m!['looked up the second time']!);
        return part === 0 ? 0 : part < 0.9 ? 1 : 2;
      },
      why: 'The cache holds decompressed blocks, whole ones: who reads one record often finds its neighbours there as well. When it is full, it drops blocks that were not used for long.',
      otherwise: {
        what: 'block_cache_bytes=0: no cache.',
        variants: [variant('as it is', { block_form: 'disk', block_cache_bytes: '0' })],
      },
    },
    {
      id: 'multiget',
      title: 'MultiGet: a batch instead of single gets',
      intro:
        'Thirty-two neighbouring keys are asked for at once. Key by key, each get looks for its block by itself. A batch is sorted, grouped by table, and looks for each block once.',
      script: 'fill 3000 key# value-of-some-length-#\nflush',
      variants: batches,
      question: 'How many lookups in the block cache does the batch make?',
      choices: ['Less than half as many', 'More than half as many, but fewer', 'As many'],
      measure: batchFigures(keysFrom(1000, 32)),
      right: ([each, batch]) =>
        bracket(
          batch!['lookups in the block cache']! / each!['lookups in the block cache']!,
          [0.5, 0.999],
        ),
      why: 'Neighbours lie in the same blocks: one lookup serves many keys. Keys that are far apart each need a block of their own, and then a batch saves nothing by sharing. What it can still do is to have all of its reads under way at the same time, which a single get cannot.',
      otherwise: {
        what: 'Ask for sixteen keys that are 180 apart.',
        measure: batchFigures(keysFrom(50, 16, 180)),
      },
      published: {
        what: '2.14 instead of 2.78 μs a key (1.3 times as fast) for keys that are 16 apart, in batches of 32; nothing for random keys',
        source: 'RocksDB pull request 5011 (batched MultiGet)',
        here: 'batches of 32 random keys: key by key 877,243 lookups a second, batched 1,100,951 (1.25 times), in stages over all tables and levels 2,890,355 (3.29 times)',
      },
    },
    {
      id: 'file-search',
      title: 'Finding the table: by whole keys or by their first bytes',
      intro:
        'A level of some fifteen hundred tables is searched for the one that may have a key. The plain way is a binary search that calls the comparator, a virtual function, at each step and follows two pointers for it. Or the first 8 bytes of each table’s largest key are numbers in an array, and the comparison is part of the loop.',
      script: 'fill 1500 # value-of-some-length-#\nflush\nput 0500 another\nflush\ncompact',
      variants: searches,
      question: 'How long does a search by the first 8 bytes take?',
      choices: [
        'Less than a fifth as long',
        'Between a fifth and nine tenths',
        'As long, or longer',
      ],
      measure: searchFigures,
      right: ([whole, prefix]) =>
        bracket(prefix!['nanoseconds a search']! / whole!['nanoseconds a search']!, [0.2, 0.9]),
      why: 'Numbers beside each other need no pointers and no calls, and one line of the processor’s cache has eight of them. But they only help while they differ: where all keys begin with the same 8 bytes, every comparison is a tie, and the search goes back to whole keys. What is left then is that it calls no virtual function.',
      otherwise: {
        what: 'Keys that all begin with “customer/”.',
        script:
          'fill 1500 customer/# value-of-some-length-#\nflush\nput customer/0500 another\nflush\ncompact',
      },
      published: {
        what: '4.25 times as fast a search for the table (FindFileInRange) among 10,102 tables',
        source: 'ToplingDB (devirtualised search over key prefixes)',
        here: '10,102 tables, keys of 8 bytes: whole keys 4,094,874 searches a second, first 8 bytes 13,463,781 (3.30 times), behind the common prefix 122,688,387 (30 times); with 20 bytes in common 3,934,560, 4,180,628 (1.02 times) and 118,162,483 (28.9 times)',
      },
    },
    {
      id: 'readahead',
      title: 'Readahead that grows during a scan',
      intro:
        'Twelve thousand records make one table of some hundred and twenty blocks. A scan reads them in order: one by one, or, once it has noticed that it goes straight on, in windows that double.',
      script: 'fill 12000 key# value-of-some-length-#\nflush',
      variants: [
        variant('off', { scan_readahead: 'off' }),
        variant('doubling', { scan_readahead: 'doubling' }),
        variant('this engine: ahead', {
          scan_readahead: 'adaptive',
        }),
      ],
      question:
        'A scan of the whole table: how many reads of the file does it make with windows that double?',
      choices: ['Less than a tenth', 'Between a tenth and three quarters', 'As many'],
      measure: readsOfScan(20_000),
      seriesName: 'bytes of each read',
      right: ([off, doubling]) => bracket(doubling!.reads! / off!.reads!, [0.1, 0.75]),
      why: 'The first reads are single blocks: a short scan must not pay for bytes that it never looks at. From the third on, each window is twice the one before, up to 256 KiB. A jump starts over. The scan waits for each of these reads. This engine starts the next read when half of the window is consumed, and goes on with what it has meanwhile; a window is never larger than what was consumed before. It does so with direct reads, where the system does not read ahead by itself; here the lesson reads in sectors of 512 bytes as they would.',
      otherwise: {
        what: 'A scan of 100 records only.',
        measure: readsOfScan(100),
      },
      published: {
        what: '8.5 instead of 37.9 ms for a scan with direct reads (4.5 times)',
        source: 'RocksDB pull request 3884 (adaptive readahead for direct reads)',
        here: '10,000 nexts with direct reads: off 34 scans a second, doubling 229 (6.33 times), in the background by what was consumed 362 (10.28 times)',
      },
    },
  ],
};
