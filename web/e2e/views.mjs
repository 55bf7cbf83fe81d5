// SPDX-License-Identifier: Apache-2.0
// Every view of a target: its link, and words that must be in it. `{e}` is the engine's letter,
// `{t}` the target.

// Of a database: tests/fixtures/db/rocksdb-7.8.3/cursor, made by RocksDB itself.
export const kDatabaseViews = [
  {
    name: 'overview',
    hash: '#/{e}/t/{t}/overview',
    words: ['Health', 'Shape of default', '58.5 KiB', 'MANIFEST-000005'],
  },
  {
    name: 'lsm',
    hash: '#/{e}/t/{t}/lsm?key=key000300&sel=30',
    words: ['8 files', 'after edit 22 of 22', '000030.sst', 'key000215', '… stands for key000'],
  },
  {
    name: 'lsm-bytes',
    hash: '#/{e}/t/{t}/lsm?axis=bytes',
    words: ['Axis by bytes', 'distances are stored bytes'],
  },
  { name: 'lsm-table', hash: '#/{e}/t/{t}/lsm?view=table', words: ['smallest key', 'key000871'] },
  { name: 'lsm-past', hash: '#/{e}/t/{t}/lsm?edit=12', words: ['6 files', 'after edit 12 of 22'] },
  { name: 'files', hash: '#/{e}/t/{t}/files', words: ['smallest key', 'key000871'] },
  {
    name: 'file',
    hash: '#/{e}/t/{t}/file/30',
    words: ['000030.sst', '3 data', 'rocksdb.comparator'],
  },
  { name: 'file-index', hash: '#/{e}/t/{t}/file/30?tab=index', words: ['one level', '→ block'] },
  {
    name: 'file-filter',
    hash: '#/{e}/t/{t}/file/30?tab=filter',
    words: ['every lookup in its range reads a block'],
  },
  {
    name: 'file-blocks',
    hash: '#/{e}/t/{t}/file/30?tab=blocks',
    words: ['decompressed', '✓ ok', 'metaindex'],
  },
  { name: 'file-entries', hash: '#/{e}/t/{t}/file/30?tab=entries', words: ['key000000', '1373'] },
  {
    name: 'file-entries-from',
    hash: '#/{e}/t/{t}/file/30?tab=entries&from=key000100',
    words: ['key000106', '1792'],
  },
  { name: 'file-footer', hash: '#/{e}/t/{t}/file/30?tab=footer', words: ['rocksdb.properties'] },
  {
    name: 'file-lineage',
    hash: '#/{e}/t/{t}/file/30?tab=lineage',
    words: ['Made by', 'compaction'],
  },
  {
    name: 'block',
    hash: '#/{e}/t/{t}/block/30/0',
    words: ['data at 0', 'key000000', '0000 '.trim(), 'restarts'],
  },
  {
    name: 'explain',
    hash: '#/{e}/t/{t}/explain?key=key000000',
    words: ['found', 'sequence 1\u202f373', 'data @0', 'block_read_count'],
  },
  { name: 'explain-absent', hash: '#/{e}/t/{t}/explain?key=nothing', words: ['not found'] },
  {
    name: 'explain-scan',
    hash: '#/{e}/t/{t}/explain?op=scan&rows=50',
    words: ['50 rows', 'memtable', 'range deleted', 'internal_key_skipped_count'],
  },
  { name: 'data', hash: '#/{e}/t/{t}/data', words: ['key000000', '500 so far'] },
  {
    name: 'data-prefix',
    hash: '#/{e}/t/{t}/data?prefix=key00087&versions=1',
    words: ['key000870', 'put'],
  },
  {
    name: 'query',
    hash: `#/{e}/t/{t}/query?table=files&facet=0&sel=1&sql=${encodeURIComponent(
      'SELECT level, count(*) AS files, sum(entries) AS entries, sum(size) AS bytes FROM files GROUP BY level ORDER BY level',
    )}`,
    words: ['Counts by level', 'overlap_bytes', 'files (8 rows)'],
  },
  {
    name: 'timeline',
    hash: '#/{e}/t/{t}/timeline?sel=21',
    words: ['22 edits', 'Edit 21: compaction', 'trivial move'],
  },
  {
    name: 'timeline-drawn',
    hash: '#/{e}/t/{t}/timeline?view=drawn&axis=edit&sel=16',
    words: ['Jobs in lanes', 'compaction → L1', 'edit 4 to edit 22', 'Events of what is shown'],
  },
  {
    name: 'diff',
    hash: '#/{e}/t/{t}/timeline?view=diff&a=8&b=9',
    words: ['From edit 8 to edit 9', '2 moved'],
  },
  { name: 'keyspace', hash: '#/{e}/t/{t}/keyspace', words: ['Measure the key space'] },
  {
    name: 'options',
    hash: '#/{e}/t/{t}/options?o.compression=kZSTD',
    words: [
      'No engine of this process',
      'Bytes of a memtable',
      'compression: kNoCompression → kZSTD',
    ],
  },
  { name: 'wal', hash: '#/{e}/t/{t}/wal', words: ['000028.log'] },
  { name: 'findings', hash: '#/{e}/t/{t}/findings', words: ['Verify'] },
];

// Of files that come without their database.
export const kFileViews = {
  table: [
    { name: 'table-overview', hash: '#/{e}/t/{t}/overview', words: ['a table file'] },
    { name: 'table-file', hash: '#/{e}/t/{t}/file/0', words: ['300 entries'] },
    { name: 'table-data', hash: '#/{e}/t/{t}/data', words: ['key000000'] },
  ],
  manifest: [
    { name: 'manifest-overview', hash: '#/{e}/t/{t}/overview', words: ['MANIFEST-000003'] },
    { name: 'manifest-lsm', hash: '#/{e}/t/{t}/lsm', words: ['Files by key'] },
    { name: 'manifest-timeline', hash: '#/{e}/t/{t}/timeline', words: ['edits'] },
  ],
  wal: [
    { name: 'wal-overview', hash: '#/{e}/t/{t}/overview', words: ['000004.log'] },
    { name: 'wal-records', hash: '#/{e}/t/{t}/wal', words: ['Batches of 000004.log', 'put'] },
  ],
};

export function linkOf(view, engine, target) {
  return view.hash.replace('{e}', engine).replace('{t}', target);
}
