// SPDX-License-Identifier: Apache-2.0
// StreamPrefetcher reads ahead in the background, with two buffers: one is consumed while the other
// is filled.
//
//   file     ----[ consumed ][ buffer A: ====|---- ][ buffer B: under way ]----
//                                            ^ the iterator
//
// The window is what was consumed of the sorted run since the seek (ReadaheadRun, carried from
// table to table of a level), so no run is ever read ahead further than it was read, and a scan of
// a few blocks reads a few. The first block is read alone; from the second on a scan is believed
// in. B is started when half of A is consumed. The guide trims windows at the iterator's bounds and
// by blocks that the cache has. A fixed window is started from the first read on.
//
// The stream is made with the first read, for a scan of cached blocks needs none. Where the file
// has none to give, reads go through a WindowPrefetcher. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/table/readahead/prefetcher.h"
#include "core/table/readahead/window_prefetcher.h"

namespace varve {

class StreamPrefetcher final : public Prefetcher {
 public:
  StreamPrefetcher(const RandomAccessFile& file, uint64_t limit, const ReadaheadPolicy& policy,
                   ReadaheadRun* run, ReadaheadGuide* guide)
      : file_(file), limit_(limit), policy_(policy), run_(run), guide_(guide) {}

  Result<std::string_view> Read(uint64_t offset, uint64_t size) override;
  void Announce(uint64_t offset, uint64_t size) override;
  void Pass(uint64_t offset, uint64_t size) override;

 private:
  // File bytes that a buffer holds or is getting.
  struct Part {
    uint64_t begin = 0;
    uint64_t end = 0;  // == begin: nothing.
    bool Holds(uint64_t offset) const { return begin <= offset && offset < end; }
  };

  bool HaveStream();
  bool FitsBuffer(uint64_t offset, uint64_t size) const;
  void NoteJump(uint64_t offset);
  void StartBuffer(int buffer, uint64_t begin, uint64_t end);
  Result<std::string_view> Take(uint64_t offset, uint64_t size);
  Result<std::string_view> TakeAcross(uint64_t offset, uint64_t size);
  Result<std::string_view> ReadAlone(uint64_t offset, uint64_t size);
  void StartNext(uint64_t offset);

  const RandomAccessFile& file_;
  const uint64_t limit_;
  const ReadaheadPolicy policy_;
  ReadaheadRun* const run_;
  ReadaheadGuide* const guide_;

  std::unique_ptr<ReadStream> stream_;
  std::unique_ptr<WindowPrefetcher> instead_;  // There is no stream.

  Part parts_[2];
  int current_ = 0;          // The buffer that the last read was in.
  uint64_t next_from_ = 0;   // What follows this, the end of a buffer, was started or not wanted.
  bool started_ = false;     // A block of this file was read or passed.
  uint64_t last_end_ = 0;    // Where the last block ended.
  std::vector<char> alone_;  // A block larger than a buffer.
};

}  // namespace varve
