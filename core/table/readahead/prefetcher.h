// SPDX-License-Identifier: Apache-2.0
// A Prefetcher reads ahead for one iterator over one file. Which one (ScanReadahead):
//
//   kDoubling  window_prefetcher.h: synchronous, as published in RocksDB PR 3884
//   kAdaptive  stream_prefetcher.h: in the background, under direct I/O; else as kDoubling, for the
//              system reads ahead by itself
//   kOff       none: each block is read by itself
//
// A fixed window (compactions, ReadOptions::readahead_size) overrides kOff and kDoubling's growth.
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// One sorted run (a table of level 0, or all tables of a level) since the iterator's last seek: how
// much of it was consumed says how far reading ahead may go, across the tables of a level.
struct ReadaheadRun {
  uint64_t consumed = 0;  // Bytes of blocks.
};

struct ReadaheadPolicy {
  ScanReadahead mode = ScanReadahead::kAdaptive;
  uint64_t fixed_window = 0;             // Bytes, from the first read on; 0: as `mode` says.
  uint64_t initial_window = 8 << 10;     // kDoubling.
  uint64_t max_window = 256 << 10;       // kDoubling.
  uint32_t sequential_reads_before = 2;  // kDoubling.
};

// What the iterator knows about the blocks to come.
class ReadaheadGuide {
 public:
  virtual ~ReadaheadGuide() = default;
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  // Of the bytes in `range`, those worth reading: without blocks beyond the iterator's bounds, and
  // without those at either end that are in the cache. May be empty.
  virtual Range Trim(Range range) = 0;
};

class Prefetcher {
 public:
  virtual ~Prefetcher() = default;
  // Exactly these bytes, or fewer where the file ends. Valid until the next call.
  virtual Result<std::string_view> Read(uint64_t offset, uint64_t size) = 0;
  // These are going to be read, probably: starts on them if that can be done in the background.
  virtual void Announce(uint64_t offset, uint64_t size) = 0;
  // The iterator found these in the cache: they do not make the scan a jump.
  virtual void Pass(uint64_t offset, uint64_t size) = 0;
};

// Nothing is read at or beyond `limit`. `run` and `guide` outlive it. Null: kOff.
std::unique_ptr<Prefetcher> NewPrefetcher(const RandomAccessFile& file, uint64_t limit,
                                          const ReadaheadPolicy& policy, ReadaheadRun* run,
                                          ReadaheadGuide* guide);

}  // namespace varve
