// SPDX-License-Identifier: Apache-2.0
// The options that a running engine takes new values of (varve::MayChangeAtRunTime), and what they
// mean in RocksDB.

export interface Meaning {
  says: string;
  choices?: string[]; // As OPTIONS files have them.
  whole?: true; // A whole number.
}

const bytes = (says: string): Meaning => ({ says, whole: true });
const kFlag = ['false', 'true'];
const kCompressions = [
  'kNoCompression',
  'kSnappyCompression',
  'kZlibCompression',
  'kBZip2Compression',
  'kLZ4Compression',
  'kLZ4HCCompression',
  'kZSTD',
];

export const kMeanings: Record<string, Meaning> = {
  write_buffer_size: bytes('Bytes of a memtable before it is sealed and flushed.'),
  max_write_buffer_number: bytes('Memtables in memory, sealed ones included, before writes wait.'),
  disable_auto_compactions: {
    says: 'Compactions run only when they are asked for.',
    choices: kFlag,
  },
  level0_file_num_compaction_trigger: bytes('Files of level 0 from which a compaction is due.'),
  level0_slowdown_writes_trigger: bytes('Files of level 0 from which writes are slowed down.'),
  level0_stop_writes_trigger: bytes('Files of level 0 from which writes wait.'),
  max_bytes_for_level_base: bytes('Bytes that the first level below level 0 is meant to have.'),
  max_bytes_for_level_multiplier: {
    says: 'How many times larger each further level is meant to be.',
  },
  target_file_size_base: bytes('Bytes at which a compaction begins another table.'),
  target_file_size_multiplier: bytes('How many times larger tables are on each further level.'),
  max_compaction_bytes: bytes('Bytes of a compaction, at most; 0: 25 times target_file_size_base.'),
  soft_pending_compaction_bytes_limit: bytes(
    'Bytes of pending compactions from which writes are slowed down.',
  ),
  hard_pending_compaction_bytes_limit: bytes(
    'Bytes of pending compactions from which writes wait.',
  ),
  compression: { says: 'Of blocks of new tables.', choices: kCompressions },
  compression_per_level: {
    says: 'Of blocks of new tables, for each level from 0, separated by colons.',
  },
  bottommost_compression: {
    says: 'Of blocks of new tables on the last level; kDisableCompressionOption: as the others.',
    choices: ['kDisableCompressionOption', ...kCompressions],
  },
};

// Why a value cannot be right, before the engine is asked; null: it may be.
export function whyWrong(name: string, value: string): string | null {
  const meaning = kMeanings[name];
  if (!meaning) return 'no running engine takes it';
  if (meaning.whole && !/^\d+$/.test(value)) return 'a whole number is expected';
  return meaning.choices && !meaning.choices.includes(value) ? 'none of its values' : null;
}
