// SPDX-License-Identifier: Apache-2.0
#include "core/table/prefetcher.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace varve {
namespace {

// A file of numbered bytes that notes what is read of it.
class CountingFile final : public RandomAccessFile {
 public:
  explicit CountingFile(size_t size, size_t alignment = 1) : alignment_(alignment) {
    for (size_t i = 0; i < size; ++i) bytes_ += static_cast<char>(i * 7 + i / 251);
  }
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
  std::string bytes_;
  const std::string path_ = "counting";
};

void Scan(const CountingFile& file, Prefetcher& prefetcher, uint64_t from, uint64_t to) {
  for (uint64_t at = from; at < to; at += 1000) {
    const uint64_t size = std::min<uint64_t>(1000, to - at);
    const auto got = prefetcher.Read(at, size);
    REQUIRE(got.ok());
    REQUIRE(*got == file.Bytes(at, size));
  }
}

TEST_CASE("Prefetcher: windows double from 8 KiB to 256 KiB once reads are sequential") {
  CountingFile file(4 << 20);
  Prefetcher prefetcher(file, 4 << 20, 0);
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

TEST_CASE("Prefetcher: random reads fetch no more than they need") {
  CountingFile file(4 << 20);
  Prefetcher prefetcher(file, 4 << 20, 0);
  for (uint64_t i = 0; i < 200; ++i) {
    const uint64_t at = i * 7'919'777 % (4 << 20) / 2;
    REQUIRE(*prefetcher.Read(at, 500) == file.Bytes(at, 500));
  }
  for (const auto& read : file.reads) CHECK(read.size <= 500);
}

TEST_CASE("Prefetcher: a jump starts over with small windows") {
  CountingFile file(4 << 20);
  Prefetcher prefetcher(file, 4 << 20, 0);
  Scan(file, prefetcher, 0, 1 << 20);
  file.reads.clear();
  Scan(file, prefetcher, 3 << 20, (3 << 20) + 3000);
  CHECK(file.reads.front().size == 1000);
}

TEST_CASE("Prefetcher: a fixed window is used from the first read, never beyond the limit") {
  CountingFile file(100'000);
  Prefetcher prefetcher(file, 90'000, 64 << 10);
  Scan(file, prefetcher, 0, 90'000);
  CHECK(file.reads.size() == 2);
  for (const auto& read : file.reads) CHECK(read.offset + read.size <= 90'000);
}

TEST_CASE("Prefetcher: under direct I/O every read is aligned and nothing is read twice") {
  CountingFile file(1 << 20, 512);
  Prefetcher prefetcher(file, (1 << 20) - 53, 20'000);
  Scan(file, prefetcher, 300, (1 << 20) - 53);
  uint64_t total = 0;
  for (const auto& read : file.reads) total += read.size;
  CHECK(total <= (1 << 20) + 512);
}

TEST_CASE("Prefetcher: past the end of the file comes what there is") {
  CountingFile file(1000);
  Prefetcher prefetcher(file, 1000, 0);
  CHECK(*prefetcher.Read(900, 500) == file.Bytes(900, 100));
  CHECK(prefetcher.Read(5000, 10)->empty());
}

}  // namespace
}  // namespace varve
