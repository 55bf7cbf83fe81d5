// SPDX-License-Identifier: Apache-2.0
// Which kind is made; the kinds have tests of their own.
#include "core/table/readahead/prefetcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/test_bytes.h"

namespace varve {
namespace {

// A file that notes what it is asked for; it has no streams, for want of which a StreamPrefetcher
// reads in windows.
class NotedFile final : public RandomAccessFile {
 public:
  explicit NotedFile(size_t alignment) : alignment_(alignment) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    CHECK_EQ(offset % alignment_, 0u);
    CHECK_EQ(size % alignment_, 0u);
    reads_.push_back(size);
    if (offset >= bytes_.size()) return std::string_view(buffer, 0);
    return std::string_view(buffer, bytes_.copy(buffer, size, offset));
  }
  std::unique_ptr<ReadStream> NewReadStream() const override {
    ++streams_;
    return nullptr;
  }
  Result<uint64_t> Size() const override { return bytes_.size(); }
  size_t alignment() const override { return alignment_; }
  const std::string& path() const override { return path_; }

  const std::string& bytes() const { return bytes_; }
  size_t largest_read() const { return *std::max_element(reads_.begin(), reads_.end()); }
  size_t reads() const { return reads_.size(); }
  int streams() const { return streams_; }  // How many were asked for.

 private:
  const size_t alignment_;
  const std::string bytes_ = Noise(2'000'000);
  std::string path_ = "noted";
  mutable std::vector<size_t> reads_;
  mutable int streams_ = 0;
};

// Reads a quarter of the file in blocks of 4,000 bytes.
void Scan(const NotedFile& file, Prefetcher* prefetcher) {
  for (uint64_t at = 0; at < file.bytes().size() / 4; at += 4000) {
    const Result<std::string_view> got = prefetcher->Read(at, 4000);
    REQUIRE(got.ok());
    REQUIRE(*got == std::string_view(file.bytes()).substr(at, 4000));
  }
}

TEST_CASE("NewPrefetcher: none where readahead is off, but for a fixed window") {
  const NotedFile file(1);
  ReadaheadRun run;
  CHECK(NewPrefetcher(file, 1 << 20, {.mode = ScanReadahead::kOff}, &run, nullptr) == nullptr);
  const auto fixed =
      NewPrefetcher(file, file.bytes().size(),
                    {.mode = ScanReadahead::kOff, .fixed_window = 64 << 10}, &run, nullptr);
  REQUIRE(fixed != nullptr);
  Scan(file, fixed.get());
  CHECK_LE(file.reads(), 12u);
}

TEST_CASE(
    "NewPrefetcher: doubling reads in windows up to the largest, with direct I/O or without") {
  for (const size_t alignment : {size_t{1}, size_t{4096}}) {
    const NotedFile file(alignment);
    ReadaheadRun run;
    const auto prefetcher =
        NewPrefetcher(file, file.bytes().size(),
                      {.mode = ScanReadahead::kDoubling, .max_window = 64 << 10}, &run, nullptr);
    REQUIRE(prefetcher != nullptr);
    Scan(file, prefetcher.get());
    CHECK_GE(file.largest_read(), 60u << 10);
    CHECK_LE(file.largest_read(), 80u << 10);
    CHECK_EQ(file.streams(), 0);
  }
}

TEST_CASE("NewPrefetcher: adaptive reads as doubling does, unless I/O is direct") {
  for (const size_t alignment : {size_t{1}, size_t{4096}}) {
    const NotedFile file(alignment);
    ReadaheadRun run;
    const auto prefetcher =
        NewPrefetcher(file, file.bytes().size(), {.mode = ScanReadahead::kAdaptive}, &run, nullptr);
    REQUIRE(prefetcher != nullptr);
    Scan(file, prefetcher.get());
    CHECK_EQ(file.streams(), alignment > 1 ? 1 : 0);
    CHECK_LT(file.reads(), 60u);  // Of 125 blocks.
  }
}

TEST_CASE("NewPrefetcher: nothing is read at the limit or beyond") {
  for (const auto mode : {ScanReadahead::kDoubling, ScanReadahead::kAdaptive}) {
    const NotedFile file(1);
    ReadaheadRun run;
    const auto prefetcher =
        NewPrefetcher(file, 100'000, {.mode = mode, .fixed_window = 1 << 20}, &run, nullptr);
    REQUIRE(prefetcher->Read(0, 4000).ok());
    CHECK_LE(file.largest_read(), 100'000u);
  }
}

}  // namespace
}  // namespace varve
