// SPDX-License-Identifier: Apache-2.0
// Lessons: steps to watch, a prediction to make, and the engine's own account as the answer. No
// answer is written here: each is measured on the database that the learner has before him.
import type { ExplainDocument, ExplainScanDocument } from '@/api/openapi';
import { answerOf, ask, type Client } from '@/engine/client';

export interface Variant {
  label: string;
  options: Record<string, string>;
}

// What was measured of one variant: figures by name, first the one that is asked for.
export type Measured = Record<string, number>;
export interface Answer {
  figures: Measured;
  series?: number[]; // Drawn, one after the other, if there is one.
}

export interface Lesson {
  id: string;
  title: string;
  intro: string;
  script: string;
  variants: Variant[]; // One, or two to hold side by side.
  question: string;
  choices: string[];
  measure: (client: Client, target: string, variant: Variant) => Promise<Answer>;
  seriesName?: string;
  // Which choice the figures make right, of all variants in order.
  right: (measured: Measured[]) => number;
  after: string;
}

const family = (target: string) => ({ t: target, cf: 'default' });

function explainGet(client: Client, target: string, key: string): Promise<ExplainDocument> {
  const params = { path: family(target), query: { key } };
  return client.get(ask('/targets/{t}/cfs/{cf}/explain', params));
}

function explainScan(client: Client, target: string, rows: number): Promise<ExplainScanDocument> {
  const params = { path: family(target), query: { rows } };
  return client.get(ask('/targets/{t}/cfs/{cf}/explain/scan', params));
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

async function onlyFile(client: Client, target: string): Promise<{ t: string; n: string }> {
  const { files } = await client.get(ask('/targets/{t}/files', { path: { t: target } }));
  return { t: target, n: files[0]!.id };
}

const plain: Variant = { label: 'as it is', options: { disable_auto_compactions: 'true' } };

export const kLessons: Lesson[] = [
  {
    id: 'get',
    title: 'How a get reads',
    intro:
      'One key is written three times, with a flush after the first two. Each flush makes a file; what was written last is still in memory.',
    script:
      'put apple red\nput pear green\nflush\nput apple yellow\nput plum blue\nflush\nput apple brown',
    variants: [plain],
    question: 'get apple: how many files are opened?',
    choices: [
      'None: the memtable has it',
      'One: the newest file',
      'Both files, to find the newest version',
    ],
    measure: async (client, target) => figuresOf(await explainGet(client, target, 'apple')),
    right: ([m]) => Math.min(2, m!['files looked at']!),
    after:
      'Newer places come first: memtable, then files from new to old, then level by level. The first version found ends the search.',
  },
  {
    id: 'filters',
    title: 'Why filters exist',
    intro:
      'Four files hold the same hundred keys, the multiples of eight. key0401 is in none of them, and in the range of every one.',
    script:
      'fill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush\nfill 100/8 key# value-#\nflush',
    variants: [
      { label: 'no filter', options: { ...plain.options, filter_policy: 'nullptr' } },
      {
        label: 'bloom, 10 bits a key',
        options: { ...plain.options, filter_policy: 'bloomfilter:10:false' },
      },
    ],
    question:
      'get key0401, which is not there: how many data blocks does it read without a filter, and with?',
    choices: ['4 and 4', '4 and 0', '1 and 1', '0 and 0'],
    measure: async (client, target) => figuresOf(await explainGet(client, target, 'key0401')),
    right: ([without, with_]) => {
      const pair = `${without!['data blocks read']} and ${with_!['data blocks read']}`;
      return ['4 and 4', '4 and 0', '1 and 1', '0 and 0'].indexOf(pair);
    },
    after:
      'Without a filter every file whose range holds the key costs a block. A filter says no from a few bits; once in about a hundred it is wrong and the block is read for nothing.',
  },
  {
    id: 'tombstones',
    title: 'What a tombstone costs',
    intro:
      'Three hundred records are written and flushed; the first 250 are then deleted. A deletion is a record too: it hides, it does not remove.',
    script: 'fill 300 key# value-#\nflush\nerase 250 key#\nflush',
    variants: [plain],
    question: 'A scan for the first 10 records: how many entries does it step over?',
    choices: ['None', '250: the deletions', '500: the deletions and what they hide'],
    measure: async (client, target) => {
      const scan = await explainScan(client, target, 10);
      const entries = scan.parts.reduce((sum, part) => sum + part.entries, 0);
      return {
        figures: {
          'entries stepped over': entries - scan.result.rows,
          rows: scan.result.rows,
          deletions: scan.parts.reduce((sum, part) => sum + part.deletions, 0),
          'blocks read': scan.totals.blocks_read,
        },
      };
    },
    right: ([m]) =>
      m!['entries stepped over']! < 125 ? 0 : m!['entries stepped over']! < 375 ? 1 : 2,
    after:
      'Both the tombstone and what it hides lie in the way of every scan until a compaction drops them together. Add “compact” and predict again.',
  },
  {
    id: 'compaction',
    title: 'What compaction does',
    intro:
      'The same two hundred keys are written three times, with a flush after each: three files over the same range. Then they are compacted.',
    script:
      'fill 200 key# first-#\nflush\nfill 200 key# second-#\nflush\nfill 200 key# third-#\nflush\ncompact',
    variants: [plain],
    question: 'get key0100: how many files have to be looked at now?',
    choices: ['One', 'Two', 'Three'],
    measure: async (client, target) => figuresOf(await explainGet(client, target, 'key0100')),
    right: ([m]) => Math.max(0, m!['files looked at']! - 1),
    after:
      'Compaction merges overlapping files into files that do not overlap: of a level below the first, at most one has the key. Hidden versions are gone. It has read and written every byte for that.',
  },
  {
    id: 'partitions',
    title: 'Partitioned metadata: coupled and decoupled',
    intro:
      'Index and filter of a large table are cut into partitions. Coupled, the filter is cut where the index is; decoupled, each is cut to its own size. With five bits a key the filter needs fewer bytes than the index, so its partitions can cover more keys.',
    script: 'fill 6000 key# value-of-some-length-#\nflush',
    variants: [
      {
        label: 'coupled',
        options: {
          ...plain.options,
          index_type: 'two_level',
          filter_policy: 'bloomfilter:5:false',
          partition_filters: 'true',
          decouple_partitioned_filters: 'false',
          metadata_block_size: '512',
          block_size: '512',
        },
      },
      {
        label: 'decoupled',
        options: {
          ...plain.options,
          index_type: 'two_level',
          filter_policy: 'bloomfilter:5:false',
          partition_filters: 'true',
          decouple_partitioned_filters: 'true',
          metadata_block_size: '512',
          block_size: '512',
        },
      },
    ],
    question: 'Which has more filter partitions?',
    choices: ['Coupled', 'Decoupled', 'Neither'],
    measure: async (client, target) => {
      const path = await onlyFile(client, target);
      const asked = ask('/targets/{t}/files/{n}/filter', { path, query: { ask: 1000 } });
      const { filter } = await client.get(asked);
      const { file } = await client.get(ask('/targets/{t}/files/{n}', { path }));
      const get = figuresOf(await explainGet(client, target, 'key3000'));
      return {
        figures: {
          'filter partitions': filter.partitions?.count ?? 0,
          'smallest, bytes': filter.partitions?.smallest ?? 0,
          'largest, bytes': filter.partitions?.largest ?? 0,
          'index partitions': file.index.partitions,
          ...get.figures,
        },
      };
    },
    right: ([coupled, decoupled]) => {
      const [a, b] = [coupled!['filter partitions']!, decoupled!['filter partitions']!];
      return a > b ? 0 : b > a ? 1 : 2;
    },
    after:
      'A get that a filter stops reads one filter partition and nothing else: larger ones mean fewer blocks in the cache and fewer misses. The price is that a partition boundary of one is none of the other.',
  },
  {
    id: 'fingers',
    title: 'Finger search against one search a key',
    intro:
      'Two thousand records lie in the memtable, as a skip list. A MultiGet of neighbouring keys need not start from the top for each: it can go on from the way down to the one before, its finger.',
    script: 'fill 2000 key# value-#',
    variants: [
      {
        label: 'key by key',
        options: { ...plain.options, memtable_rep: 'skip_list', memtable_batch_lookup: 'off' },
      },
      {
        label: 'finger search',
        options: { ...plain.options, memtable_rep: 'skip_list', memtable_batch_lookup: 'finger' },
      },
    ],
    question: 'Sixteen neighbouring keys: how many nodes does finger search visit?',
    choices: ['As many as one search a key', 'Less than half as many', 'More'],
    measure: async (client, target, { label }) => {
      const keys = Array.from({ length: 16 }, (_, i) => `key${String(1000 + i).padStart(4, '0')}`);
      const reply = await client.api().POST('/targets/{t}/cfs/{cf}:explain', {
        params: { path: family(target) },
        body: { keys },
      });
      const { memtable_search: search } = answerOf(reply);
      const visited = label === 'finger search' ? search.visited_finger : search.visited_per_key;
      return {
        figures: {
          'nodes visited': visited,
          'keys looked for': keys.length,
          'entries in the memtable': search.entries,
        },
      };
    },
    right: ([each, finger]) => {
      const [a, b] = [each!['nodes visited']!, finger!['nodes visited']!];
      return b > a ? 2 : b < a / 2 ? 1 : 0;
    },
    after:
      'From the top, a search goes down all levels of the list, past some nodes on each. Beside its predecessor it climbs only as high as it must. For keys far apart there is little to share.',
  },
  {
    id: 'readahead',
    title: 'Readahead growing during a scan',
    intro:
      'Twelve thousand records make one table of some hundred and twenty blocks. A scan reads them in order: one by one, or, once it has noticed that it goes straight on, in windows that double.',
    script: 'fill 12000 key# value-of-some-length-#\nflush',
    variants: [
      { label: 'off', options: { ...plain.options, compression: 'none', scan_readahead: 'off' } },
      {
        label: 'doubling',
        options: { ...plain.options, compression: 'none', scan_readahead: 'doubling' },
      },
    ],
    question:
      'A scan of the whole table: how many reads of the file does it make with windows that double?',
    choices: ['As many as without', 'About half', 'Less than a tenth'],
    measure: async (client, target, { label }) => {
      const path = await onlyFile(client, target);
      const readahead = label === 'off' ? 'off' : 'doubling';
      const { reads } = await client.get(
        ask('/targets/{t}/files/{n}/scan_reads', { path, query: { readahead, entries: 20000 } }),
      );
      const sizes = reads.map((read) => read.size);
      return {
        figures: {
          reads: reads.length,
          'bytes read': sizes.reduce((sum, size) => sum + size, 0),
          'first read, bytes': sizes[0] ?? 0,
          'largest read, bytes': Math.max(0, ...sizes),
        },
        series: sizes,
      };
    },
    seriesName: 'bytes of each read',
    right: ([off, doubling]) => {
      const part = doubling!.reads! / off!.reads!;
      return part < 0.1 ? 2 : part < 0.75 ? 1 : 0;
    },
    after:
      'The first reads are single blocks: a short scan must not pay for bytes that it never looks at. From the third on each window is twice the one before, up to 256 KiB. A jump starts over.',
  },
];
