// SPDX-License-Identifier: Apache-2.0
// What a server kept of a running engine in two minutes: always the same figures.
const kCount = 120;

// Written steadily, flushed and compacted in turns.
const sampleAt = (i) => {
  const written = i * 26_000 + Math.round(4000 * Math.sin(i / 7));
  return {
    time_unix_us: (Date.UTC(2026, 0, 2, 3, 2, 5) / 1000 + i) * 1e6,
    seq: String(written),
    memtable_bytes: 6000 + (i % 6) * 40_000,
    block_cache_bytes: Math.min(32, i) * (1 << 20),
    block_cache_hits: i * 98_000,
    block_cache_misses: i * 5000 + Math.round(900 * Math.sin(i / 5)),
    entries_written: written,
    user_bytes_written: written * 116,
    flush_bytes_written: Math.floor(i / 6) * 18_600_000,
    compaction_bytes_written: Math.floor(i / 20) * 240_000_000,
    stall_micros: Math.floor(i / 15) * 700_000,
  };
};

export const kLiveSamples = Array.from({ length: kCount }, (_, i) => sampleAt(i));
