// SPDX-License-Identifier: Apache-2.0
#include "core/table/readahead/window_prefetcher.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/test_bytes.h"

namespace varve {
namespace {

// A file that notes what is read of it.
class CountingFile final : public RandomAccessFile {
 public:
  explicit CountingFile(size_t size, size_t alignment = 1)
      : alignment_(alignment), bytes_(Noise(size)) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    CHECK(offset % alignment_ == 0);
    CHECK(size % alignment_ == 0);
    CHECK(reinterpret_cast<uintptr_t>(buffer) % alignment_ == 0);
    reads.push_back({offset, size});
    if (offset >= bytes_.size()) return std::string_view();
    const size_t got = std::min(size, bytes_.size() - static_cast<size_t>(offset));
    std::memcpy(buffer, bytes_.data() + offset, got);
    return std::string_view(buffer, got);
  }
  Result<uint64_t> Size() const override { return bytes_.size(); }
  size_t alignment() const override { return alignment_; }
  int descriptor() const override { return system_file_ == nullptr ? -1 : ::fileno(system_file_); }
  // Makes it a file of the system's, which can be asked to read ahead.
  void HaveDescriptor() { system_file_ = std::tmpfile(); }
  ~CountingFile() override {
    if (system_file_ != nullptr) std::fclose(system_file_);
  }
  const std::string& path() const override { return path_; }
  std::string_view Bytes(uint64_t offset, uint64_t size) const {
    return std::string_view(bytes_).substr(offset, size);
  }

  struct Request {
    uint64_t offset, size;
  };
  mutable std::vector<Request> reads;

 private:
  const size_t alignment_;
  std::FILE* system_file_ = nullptr;
  const std::string bytes_;
  const std::string path_ = "counting";
};

void Scan(const CountingFile& file, WindowPrefetcher& prefetcher, uint64_t from, uint64_t to) {
  for (uint64_t at = from; at < to; at += 1000) {
    const uint64_t size = std::min<uint64_t>(1000, to - at);
    const auto got = prefetcher.Read(at, size);
    REQUIRE(got.ok());
    REQUIRE(*got == file.Bytes(at, size));
  }
}

TEST_CASE("WindowPrefetcher: windows double from 8 KiB to 256 KiB once reads are sequential") {
  CountingFile file(4 << 20);
  WindowPrefetcher prefetcher(file, 4 << 20, {});
  Scan(file, prefetcher, 0, 3 << 20);
  REQUIRE(file.reads.size() > 8);
  CHECK(file.reads[0].size == 1000);
  CHECK(file.reads[1].size == 1000);
  CHECK(file.reads.size() < 30);
  uint64_t largest = 0;
  for (const auto& read : file.reads) largest = std::max(largest, read.size);
  CHECK(largest <= 256 << 10);
  CHECK(largest > 250 << 10);
}

TEST_CASE("WindowPrefetcher: random reads fetch no more than they need") {
  CountingFile file(4 << 20);
  WindowPrefetcher prefetcher(file, 4 << 20, {});
  for (uint64_t i = 0; i < 200; ++i) {
    const uint64_t at = i * 7'919'777 % (4 << 20) / 2;
    REQUIRE(*prefetcher.Read(at, 500) == file.Bytes(at, 500));
  }
  for (const auto& read : file.reads) CHECK(read.size <= 500);
}

TEST_CASE("WindowPrefetcher: a jump starts over with small windows") {
  CountingFile file(4 << 20);
  WindowPrefetcher prefetcher(file, 4 << 20, {});
  Scan(file, prefetcher, 0, 1 << 20);
  file.reads.clear();
  Scan(file, prefetcher, 3 << 20, (3 << 20) + 3000);
  CHECK(file.reads.front().size == 1000);
}

TEST_CASE("WindowPrefetcher: a fixed window is used from the first read, never beyond the limit") {
  CountingFile file(100'000);
  WindowPrefetcher prefetcher(file, 90'000, {.fixed_window = 64 << 10});
  Scan(file, prefetcher, 0, 90'000);
  CHECK(file.reads.size() == 2);
  for (const auto& read : file.reads) CHECK(read.offset + read.size <= 90'000);
}

TEST_CASE("WindowPrefetcher: where the system reads ahead, a fixed window is copied in pieces") {
  constexpr uint64_t kSize = 1 << 20, kLimit = kSize - 100, kPiece = 64 << 10, kBlock = 1000;
  CountingFile file(kSize);
  file.HaveDescriptor();
  WindowPrefetcher prefetcher(file, kLimit, {.fixed_window = 512 << 10});
  Scan(file, prefetcher, 0, kLimit);
  uint64_t end = 0;
  for (const auto& read : file.reads) {
    CHECK(read.offset == end);  // Nothing is left out or read twice.
    CHECK(read.size <= kPiece);
    end = read.offset + read.size;
  }
  CHECK(end == kLimit);
  CHECK(file.reads.size() <= kLimit / (kPiece - kBlock) + 1);
  Scan(file, prefetcher, 300'000, 400'000);  // Back again.
}

TEST_CASE("WindowPrefetcher: under direct I/O every read is aligned and nothing is read twice") {
  CountingFile file(1 << 20, 512);
  WindowPrefetcher prefetcher(file, (1 << 20) - 53, {.fixed_window = 20'000});
  Scan(file, prefetcher, 300, (1 << 20) - 53);
  uint64_t total = 0;
  for (const auto& read : file.reads) total += read.size;
  CHECK(total <= (1 << 20) + 512);
}

TEST_CASE("WindowPrefetcher: past the end of the file comes what there is") {
  CountingFile file(1000);
  WindowPrefetcher prefetcher(file, 1000, {});
  CHECK(*prefetcher.Read(900, 500) == file.Bytes(900, 100));
  CHECK(prefetcher.Read(5000, 10)->empty());
}

TEST_CASE("WindowPrefetcher: the window comes back after jumps, and after one of nothing") {
  // RocksDB PR 9234: after a refactoring the window stayed at 0 once it had been reset.
  CountingFile file(4 << 20);
  WindowPrefetcher prefetcher(file, 4 << 20, {});
  for (int round = 0; round < 5; ++round) {
    Scan(file, prefetcher, static_cast<uint64_t>(round) << 19,
         (static_cast<uint64_t>(round) << 19) + 200'000);
    CHECK(file.reads.back().size > 60'000);
    file.reads.clear();
  }
}

TEST_CASE("WindowPrefetcher: the options choose the first window, the largest and the wait") {
  CountingFile file(4 << 20);
  WindowPrefetcher patient(
      file, 4 << 20, {.initial_window = 4096, .max_window = 20'000, .sequential_reads_before = 5});
  Scan(file, patient, 0, 1 << 20);
  for (int i = 0; i < 5; ++i) CHECK(file.reads[i].size == 1000);
  for (const auto& read : file.reads) CHECK(read.size <= 20'000);
  file.reads.clear();
  WindowPrefetcher none(file, 4 << 20, {.max_window = 0});
  Scan(file, none, 0, 100'000);
  CHECK(file.reads.size() == 100);
}

TEST_CASE("WindowPrefetcher: blocks passed from the cache keep the scan going") {
  CountingFile file(4 << 20);
  WindowPrefetcher prefetcher(file, 4 << 20, {});
  Scan(file, prefetcher, 0, 400'000);
  prefetcher.Pass(400'000, 300'000);
  REQUIRE(prefetcher.Read(700'000, 1000).ok());
  CHECK(file.reads.back().size > 60'000);
}

}  // namespace
}  // namespace varve
