// SPDX-License-Identifier: Apache-2.0
// The samples of the landing page: databases and tables of tests/fixtures, which RocksDB and LevelDB
// made. Each is one file, samples/ID.json, that any host can serve: {"files":[{"path","base64"}]}.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const kFixtures = join(import.meta.dirname, '../../tests/fixtures');

export const kSamples = [
  {
    id: 'levels',
    title: 'A database of RocksDB',
    says: 'eight tables on two levels, and how they came there',
    from: 'db/rocksdb-7.8.3/cursor',
  },
  {
    id: 'families',
    title: 'Column families',
    says: 'each with tables of its own, and logs that they share',
    from: 'db/rocksdb-7.8.3/multi_cf',
  },
  {
    id: 'leveldb',
    title: 'A database of LevelDB',
    says: 'three tables of level 0 and a log',
    from: 'db/leveldb-1.23/leveldb_l0',
  },
  {
    id: 'damaged-log',
    title: 'Damaged logs',
    says: 'what can be replayed, and what is lost',
    from: 'db/damaged/flip_first_record_wal5',
  },
  {
    id: 'damaged-table',
    title: 'A damaged table',
    says: 'one flipped bit in its first block',
    from: 'sst/r119_comp_zstd_fv7.sst',
    flip: 20,
  },
  {
    id: 'blobs',
    title: 'Blob files',
    says: 'large values, stored apart from their keys',
    from: 'db/rocksdb-7.8.3/blob',
  },
  {
    id: 'columns',
    title: 'Wide columns',
    says: 'values that are columns with names',
    from: 'db/rocksdb-7.8.3/entity',
  },
  {
    id: 'partitions',
    title: 'A partitioned table',
    says: 'index and Ribbon filter in two levels',
    from: 'sst/r119_part_filter_ribbon.sst',
  },
  {
    id: 'hash-index',
    title: 'Hash index in blocks',
    says: 'which finds a key in a block without a search',
    from: 'sst/r119_data_hash_index.sst',
  },
  {
    id: 'dictionary',
    title: 'A compression dictionary',
    says: 'that all blocks of the table share',
    from: 'sst/r78_dict_lz4.sst',
  },
];

function filesOf({ from, flip, id }) {
  const path = join(kFixtures, from);
  if (statSync(path).isDirectory())
    return readdirSync(path).map((name) => ({
      path: `${id}/${name}`,
      bytes: readFileSync(join(path, name)),
    }));
  const bytes = readFileSync(path);
  if (flip !== undefined) bytes[flip] ^= 1;
  return [{ path: `${id}${/\.\w+$/.exec(basename(path))[0]}`, bytes }];
}

// What the page says of a sample, and what it is made of.
export function readSample(sample) {
  const files = filesOf(sample);
  return {
    about: {
      id: sample.id,
      title: sample.title,
      says: sample.says,
      bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    },
    source: JSON.stringify({
      files: files.map(({ path, bytes }) => ({ path, base64: bytes.toString('base64') })),
    }),
  };
}
