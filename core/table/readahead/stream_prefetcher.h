// SPDX-License-Identifier: Apache-2.0
// StreamPrefetcher reads ahead in the background with two buffers: one is consumed while the other
// is filled.
//
//   file     ----[ consumed ][ buffer A: ====|---- ][ buffer B: under way ]----
//                                            ^ the iterator
//
// The window is as large as what was consumed of the sorted run since the seek (ReadaheadRun, which
// spans the tables of a level), so readahead never exceeds what was read, and a scan of a few
// blocks reads only a few. The first block is read alone; readahead begins with the second. B is
// started when half of A is consumed. The guide trims windows at the iterator's bounds and by
// cached blocks. A fixed window starts with the first read.
//
// The stream is created with the first read, since a scan of cached blocks needs none. If the file
// offers no stream, reads go through a WindowPrefetcher. One thread.
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
  // The range of the file that a buffer holds or is being filled with.
  struct Part {
    uint64_t begin = 0;
    uint64_t end = 0;  // == begin: empty.
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
  std::unique_ptr<WindowPrefetcher> instead_;  // Used if there is no stream.

  Part parts_[2];
  int current_ = 0;          // The buffer that the last read was in.
  uint64_t next_from_ = 0;   // The bytes after this end of a buffer were started or are not wanted.
  bool started_ = false;     // A block of this file was read or passed.
  uint64_t last_end_ = 0;    // Where the last block ended.
  std::vector<char> alone_;  // A block larger than a buffer.
};

}  // namespace varve
