// SPDX-License-Identifier: Apache-2.0

// The last eight bytes of a table file, little-endian, and what they say it is.
export const kFooterMagics = new Map<bigint, string>([
  [0x88e241b785f4cff7n, 'a table file of RocksDB'],
  [0xdb4775248b80fb57n, 'a table file of LevelDB or early RocksDB'],
  [0x8242229663bf9564n, 'a plain table of RocksDB, which Varve does not read'],
  [0x4f3418eb7a8f13b8n, 'a plain table of RocksDB, which Varve does not read'],
  [0x926789d0c5f17873n, 'a cuckoo table of RocksDB, which Varve does not read'],
]);
