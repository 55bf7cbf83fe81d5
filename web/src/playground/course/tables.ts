// SPDX-License-Identifier: Apache-2.0
import { ask } from '@/engine/client';
import type { Session } from '../session';
import { bracket, variant, type Answer, type Chapter } from './lesson';
import {
  cacheLookups,
  explainGet,
  figuresOf,
  filesOf,
  first,
  getFigures,
  keyOf,
  logOf,
  multiget,
  tableOf,
} from './measure';

async function tableFigures(session: Session): Promise<Answer> {
  const { file } = await tableOf(session);
  return {
    figures: {
      'bytes of the table': file.name ? (await filesOf(session))[0]!.size : 0,
      'bytes of the index': file.index.bytes,
      'bytes of the filter': file.filter.bytes,
      'data blocks': file.data_blocks ?? 0,
    },
  };
}

async function filterFigures(session: Session): Promise<Answer> {
  const { path } = await tableOf(session);
  const { filter } = await session.client.get(
    ask('/targets/{t}/files/{n}/filter', { path, query: { ask: 1000 } }),
  );
  return {
    figures: {
      'absent keys that pass': filter.false_positives?.passed ?? 0,
      'absent keys asked': filter.false_positives?.asked ?? 0,
      'bytes of the filter': filter.bytes,
      'bits looked at for a key': filter.probes ?? 0,
    },
  };
}

async function partitionFigures(session: Session): Promise<Answer> {
  const { path, file } = await tableOf(session);
  const { filter } = await session.client.get(
    ask('/targets/{t}/files/{n}/filter', { path, query: { ask: 1000 } }),
  );
  const get = figuresOf(await explainGet(session, 'key3000'));
  const cache = await gets(session, 600);
  return {
    figures: {
      'filter partitions': filter.partitions?.count ?? 0,
      'blocks not in the cache, of 600 gets': cache.misses,
      'smallest, bytes': filter.partitions?.smallest ?? 0,
      'largest, bytes': filter.partitions?.largest ?? 0,
      'index partitions': file.index.partitions,
      ...get.figures,
    },
  };
}

// Gets of single keys (multiget=per_key), in an order that looks random: what they look for in the
// block cache.
const gets = (session: Session, count: number) =>
  cacheLookups(session, () =>
    multiget(
      session,
      Array.from({ length: count }, (_, i) => keyOf((i * 2741) % 6000)),
    ),
  );

const partitioned = (bits: number, label: string, options: Record<string, string>) =>
  variant(label, {
    index_type: 'two_level',
    partition_filters: 'true',
    filter_policy: `bloomfilter:${bits}:false`,
    metadata_block_size: '512',
    block_size: '512',
    block_cache_bytes: '24576',
    multiget: 'per_key',
    ...options,
  });
const kPublishedReads = {
  merge_runt_partitions: 'false',
  partition_search: 'iterate',
  cache_metadata_with_high_priority: 'false',
  block_form: 'disk',
};
const partitionings = (bits: number) => [
  partitioned(bits, 'coupled', { decouple_partitioned_filters: 'false', ...kPublishedReads }),
  partitioned(bits, 'decoupled', { decouple_partitioned_filters: 'true', ...kPublishedReads }),
  partitioned(bits, 'this engine: decoupled, whole last partitions, kept longer in the cache', {
    decouple_partitioned_filters: 'true',
    merge_runt_partitions: 'true',
    partition_search: 'decoded',
    cache_metadata_with_high_priority: 'true',
    block_form: 'disk',
  }),
];

const filtered = (bits: number) => [
  variant(`bloom, ${bits} bits a key`, { filter_policy: `bloomfilter:${bits}:false` }),
];
const bloomAndRibbon = [
  variant('bloom', { filter_policy: 'bloomfilter:10:false' }),
  variant('ribbon', { filter_policy: 'ribbonfilter:10' }),
];

export const kTables: Chapter = {
  id: 'tables',
  title: 'Tables, blocks and filters',
  about: 'How a table is laid out, what its index and filter cost, and what they save.',
  lessons: [
    {
      id: 'blocks',
      title: 'A table is made of blocks',
      intro:
        'A table has its records in blocks, in key order, and an index with one entry a block. A get finds the block in the index and reads it as a whole.',
      script: 'fill 3000 key# value-of-some-length-#\nflush',
      variants: [
        variant('blocks of 1 KiB', { block_size: '1024' }),
        variant('blocks of 16 KiB', { block_size: '16384' }),
      ],
      question: 'With blocks that are sixteen times larger, how large is the index?',
      choices: ['Less than a quarter', 'Between a quarter and three quarters', 'As large'],
      measure: async (session) => {
        const get = await getFigures(session, 'key1500');
        const { figures } = await tableFigures(session);
        return first('bytes of the index', {
          figures: { ...figures, 'bytes read by a get': get.figures['bytes read']! },
        });
      },
      right: ([small, large]) =>
        bracket(large!['bytes of the index']! / small!['bytes of the index']!, [0.25, 0.75]),
      why: 'The index has one entry for each block, so larger blocks need less of it, and compress better. But a get of one record has to read a whole block: see the bytes read. Small blocks suit single reads, large ones suit scans.',
      otherwise: {
        what: 'Hold blocks of 1 KiB against blocks of 2 KiB.',
        variants: [
          variant('blocks of 1 KiB', { block_size: '1024' }),
          variant('blocks of 2 KiB', { block_size: '2048' }),
        ],
      },
    },
    {
      id: 'shared-keys',
      title: 'Keys share their beginnings',
      intro:
        'Neighbouring keys often begin alike. In a block, a key is stored as the length that it shares with the key before, and the rest. Every so many entries there is a restart point, a key in full, so that a search need not decode the whole block.',
      script: 'fill 3000 customer/00001/order/# paid\nflush',
      variants: [
        variant('a restart point at each key', { block_restart_interval: '1' }),
        variant('at every 16th key', { block_restart_interval: '16' }),
      ],
      question: 'How large is the table with a restart point at every 16th key?',
      choices: ['Less than two thirds', 'Between two thirds and 95 %', 'About the same'],
      measure: async (session) => tableFigures(session),
      right: ([each, some]) =>
        bracket(some!['bytes of the table']! / each!['bytes of the table']!, [2 / 3, 0.95]),
      why: 'Where keys are long and alike, most of their bytes are stored once in 16 entries only. The price is paid by searches: they look for the restart point first, then decode up to 15 entries one after the other.',
      otherwise: {
        what: 'Short keys with long values.',
        script: 'fill 1000 # ~~~~~\nflush',
      },
    },
    {
      id: 'compression',
      title: 'What compression can do',
      intro:
        'Each block is compressed by itself. How much that gives depends on the records alone.',
      script: 'fill 3000 key# the-same-words-again-and-again-#\nflush',
      variants: [variant('none'), variant('zstd', { compression: 'zstd' })],
      question: 'How large is the table with zstd?',
      choices: ['Less than half', 'More than half, but smaller', 'At least as large'],
      measure: async (session) => tableFigures(session),
      right: ([none, zstd]) =>
        bracket(zstd!['bytes of the table']! / none!['bytes of the table']!, [0.5, 0.99]),
      why: 'Words that repeat within a block are stored once. Letters that look random have nothing to repeat, so there is only the little that each letter wastes of its eight bits. A block that does not become smaller is stored as it is.',
      otherwise: {
        what: 'Values that look random.',
        script: 'fill 3000 key# ~\nflush',
      },
    },
    {
      id: 'filters',
      title: 'Why filters exist',
      intro:
        'Four tables have the same hundred keys, the multiples of eight. key0401 is in none of them, and within the range of every one.',
      script:
        'fill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush',
      variants: [
        variant('no filter', { filter_policy: 'nullptr' }),
        variant('bloom, 10 bits a key', { filter_policy: 'bloomfilter:10:false' }),
      ],
      question:
        'get key0401, which is not there: how many data blocks are read without a filter, and how many with it?',
      choices: ['4 and 4', '4 and 0', '1 and 0', '0 and 0'],
      measure: async (session) => getFigures(session, 'key0401'),
      right: ([without, with_]) => {
        const pair = `${without!['data blocks read']} and ${with_!['data blocks read']}`;
        return ['4 and 4', '4 and 0', '1 and 0', '0 and 0'].indexOf(pair);
      },
      why: 'Without a filter, every table whose range has the key costs a block. A filter says no after a look at a few bits. With 10 bits a key it is wrong about once in a hundred times, and then the block is read for nothing.',
      otherwise: {
        what: 'Compact the four tables into one.',
        script:
          'fill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\ncompact',
      },
    },
    {
      id: 'bits',
      title: 'How often a filter is wrong',
      intro:
        'A Bloom filter has a number of bits for each key. The engine asks this one for a thousand keys that are not in the table.',
      script: 'fill 3000 key# value-#\nflush',
      variants: filtered(10),
      question: 'How many of the thousand does it let pass?',
      choices: ['None', 'Up to 50', 'More than 50'],
      measure: async (session) => filterFigures(session),
      right: ([m]) => bracket(m!['absent keys that pass']!, [0, 50]),
      why: 'Each key sets a few bits; a key passes if all of its bits are set, be it by other keys. Ten bits a key let about one absent key in a hundred pass. Each further bit costs memory for every key, and makes errors about 1.6 times as rare. A filter never says no to a key that is there.',
      otherwise: {
        what: 'Three bits a key.',
        variants: filtered(3),
      },
    },
    {
      id: 'ribbon',
      title: 'A filter that is smaller, and slower to make',
      intro:
        'A Ribbon filter solves a system of equations when it is made, so that it needs fewer bits for the same rate of errors.',
      script: 'fill 5000 key# value-#\nflush',
      variants: bloomAndRibbon,
      question:
        'Both are to be as often wrong as a Bloom filter of 10 bits. How large is the Ribbon filter?',
      choices: ['Less than nine tenths', 'About as large', 'Larger by a tenth or more'],
      measure: async (session) => first('bytes of the filter', await filterFigures(session)),
      right: ([bloom, ribbon]) =>
        bracket(ribbon!['bytes of the filter']! / bloom!['bytes of the filter']!, [0.9, 1.1]),
      why: 'Ribbon saves about 30 % of the memory and costs three to four times the processor time when a table is written, and some more when it is asked. RocksDB therefore can use Bloom filters for the short-lived tables of the upper levels and Ribbon for the last. For very few keys there is nothing to gain.',
      otherwise: {
        what: 'A table of 40 keys.',
        script: 'fill 40 key# value-#\nflush',
      },
    },
    {
      id: 'partitions',
      title: 'Partitions: coupled and decoupled',
      intro:
        'Index and filter of a large table are cut into partitions. Coupled, the filter is cut where the index is; decoupled, each is cut to its own size. With five bits a key the filter needs fewer bytes than the index, so its partitions could cover more keys.',
      script: 'fill 6000 key# value-of-some-length-#\nflush',
      variants: partitionings(5),
      question: 'Which has more filter partitions?',
      choices: ['Coupled', 'Decoupled', 'Neither: the difference is below a tenth'],
      measure: async (session) => partitionFigures(session),
      right: ([coupled, decoupled]) => {
        const [a, b] = [coupled!['filter partitions']!, decoupled!['filter partitions']!];
        return Math.abs(a - b) < 0.1 * Math.max(a, b) ? 2 : a > b ? 0 : 1;
      },
      why: 'Each get reads one filter partition, one index partition and one data block. The cache here holds 24 KiB, less than all of them together: fewer and fuller partitions mean fewer blocks that are not there. This engine also merges a last partition of less than half the wanted size into the one before it, and its cache drops data blocks before partitions. The price of decoupling is that a boundary of one kind of partition is none of the other.',
      otherwise: {
        what: 'Sixteen bits a key: now the filter needs more bytes than the index.',
        variants: partitionings(16),
      },
      published: {
        what: '2 % fewer to 15 % more gets a second, by the size of the cache',
        source: 'RocksDB pull request 12939 (decouple_partitioned_filters)',
        here: 'cache of 3 MB: coupled 37,288 gets a second, decoupled 39,817 (1.07 times), with merged last partitions and a decoded top level 48,425 (1.30 times); cache of 30 MB: 82,017, 68,353 (0.83 times) and 114,342 (1.39 times)',
      },
    },
    {
      id: 'ingest',
      title: 'A table from outside',
      intro:
        'A program can make a finished table by itself and hand it to the database, past log and memtable.',
      script: 'put apple red\ningest 500 key# value-#',
      variants: [variant('as it is')],
      question: 'How many operations are in the log afterwards?',
      choices: ['One', '501', 'None'],
      measure: async (session) => {
        const { bytes, operations } = await logOf(session);
        const [file] = await filesOf(session);
        return {
          figures: {
            'operations in the log': operations,
            'bytes of the log': bytes,
            'level of the table': file?.level ?? -1,
          },
        };
      },
      right: ([m]) => ({ 1: 0, 501: 1, 0: 2 })[m!['operations in the log']!] ?? -1,
      why: 'The table becomes part of the tree by one edit of the MANIFEST. Where nothing overlaps it, it goes to the last level at once and is never compacted. Where the memtable has keys of its range, those are flushed first, so that newer stays above older.',
      otherwise: {
        what: 'Put a key in the range of the table before.',
        script: 'put key0100 red\ningest 500 key# value-#',
      },
    },
  ],
};
