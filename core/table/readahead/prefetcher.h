// SPDX-License-Identifier: Apache-2.0
// A Prefetcher reads ahead for one iterator over one file. Its kind depends on ScanReadahead:
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

// One sorted run (a table of level 0, or all tables of a level) since the iterator's last seek: the
// bytes consumed limit the readahead, across the tables of a level.
struct ReadaheadRun {
  uint64_t consumed = 0;  // Bytes of blocks.
};

struct ReadaheadPolicy {
  ScanReadahead mode = ScanReadahead::kAdaptive;
  uint64_t fixed_window = 0;             // Bytes, from the first read on; 0: depends on `mode`.
  uint64_t initial_window = 8 << 10;     // kDoubling.
  uint64_t max_window = 256 << 10;       // kDoubling.
  uint32_t sequential_reads_before = 2;  // kDoubling.
};

// The iterator's knowledge about upcoming blocks.
class ReadaheadGuide {
 public:
  virtual ~ReadaheadGuide() = default;
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  // The part of `range` worth reading: without blocks beyond the iterator's bounds, and without
  // cached blocks at either end. May be empty.
  virtual Range Trim(Range range) = 0;
};

class Prefetcher {
 public:
  virtual ~Prefetcher() = default;
  // Reads exactly these bytes, or fewer at the end of the file. Valid until the next call.
  virtual Result<std::string_view> Read(uint64_t offset, uint64_t size) = 0;
  // These bytes will probably be read: starts reading them if possible in the background.
  virtual void Announce(uint64_t offset, uint64_t size) = 0;
  // The iterator found these bytes in the cache: the scan stays sequential.
  virtual void Pass(uint64_t offset, uint64_t size) = 0;
};

// Nothing is read at or beyond `limit`. `run` and `guide` must outlive it. Null for kOff.
std::unique_ptr<Prefetcher> NewPrefetcher(const RandomAccessFile& file, uint64_t limit,
                                          const ReadaheadPolicy& policy, ReadaheadRun* run,
                                          ReadaheadGuide* guide);

}  // namespace varve
