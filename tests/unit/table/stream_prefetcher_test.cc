// SPDX-License-Identifier: Apache-2.0
#include "core/table/readahead/stream_prefetcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/fs/aligned_buffer.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

constexpr size_t kUnit = 512;

// A file that notes what is asked of it, with streams that deliver late: bytes
// arrive in the buffer only when they are waited for.
class LateFile final : public RandomAccessFile {
 public:
  struct Request {
    uint64_t offset, size;
    bool in_background;
  };

  explicit LateFile(size_t size, size_t capacity) : capacity_(capacity), bytes_(Noise(size)) {}

  class Stream final : public ReadStream {
   public:
    explicit Stream(const LateFile& file) : file_(file) {
      for (auto& buffer : buffers_) buffer.resize(headroom() + file.capacity_);
    }
    ~Stream() override = default;
    size_t capacity() const override { return file_.capacity_; }
    size_t headroom() const override { return 4096; }
    void Start(int buffer, uint64_t offset, size_t size) override {
      CHECK(offset % kUnit == 0);
      CHECK(size % kUnit == 0);
      CHECK(size <= capacity());
      CHECK_FALSE(under_way_[buffer].has_value());
      file_.requests.push_back({offset, size, true});
      std::fill(buffers_[buffer].begin(), buffers_[buffer].end(), '?');
      under_way_[buffer] = Request{offset, size, true};
      held_[buffer] = 0;
    }
    Result<std::string_view> Wait(int buffer) override {
      if (under_way_[buffer]) {
        const Request request = *under_way_[buffer];
        under_way_[buffer].reset();
        if (file_.fails) return Status::IoError("injected");
        const std::string_view got = file_.Bytes(request.offset, request.size);
        std::memcpy(data(buffer), got.data(), got.size());
        held_[buffer] = got.size();
      }
      return std::string_view(data(buffer), held_[buffer]);
    }
    char* data(int buffer) override { return buffers_[buffer].data() + headroom(); }

   private:
    const LateFile& file_;
    std::vector<char> buffers_[2];
    std::optional<Request> under_way_[2];
    size_t held_[2] = {0, 0};
  };

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    requests.push_back({offset, size, false});
    if (fails) return Status::IoError("injected");
    const std::string_view got = Bytes(offset, size);
    std::memcpy(buffer, got.data(), got.size());
    return std::string_view(buffer, got.size());
  }
  std::unique_ptr<ReadStream> NewReadStream() const override {
    return streams ? std::make_unique<Stream>(*this) : nullptr;
  }
  Result<uint64_t> Size() const override { return bytes_.size(); }
  size_t alignment() const override { return kUnit; }
  const std::string& path() const override { return path_; }
  std::string_view Bytes(uint64_t offset, uint64_t size) const {
    return offset >= bytes_.size() ? std::string_view()
                                   : std::string_view(bytes_).substr(offset, size);
  }

  mutable std::vector<Request> requests;
  bool streams = true;
  bool fails = false;

 private:
  const size_t capacity_;
  const std::string bytes_;
  const std::string path_ = "late";
};

// Trims nothing, or what begins at or after a bound.
class Guide final : public ReadaheadGuide {
 public:
  Range Trim(Range range) override {
    range.end = std::min(range.end, bound);
    if (range.begin > range.end) range.begin = range.end;
    return range;
  }
  uint64_t bound = UINT64_MAX;
};

struct Fixture {
  explicit Fixture(size_t size = 4 << 20, size_t capacity = 256 << 10,
                   const ReadaheadPolicy& policy = {})
      : file(size, capacity), prefetcher(file, size, policy, &run, &guide) {}

  // Blocks of 1,000 bytes, one after the other.
  void Scan(uint64_t from, uint64_t to) {
    for (uint64_t at = from; at < to; at += 1000) {
      const uint64_t size = std::min<uint64_t>(1000, to - at);
      const auto got = prefetcher.Read(at, size);
      REQUIRE(got.ok());
      REQUIRE(*got == file.Bytes(at, size));
    }
  }
  uint64_t BytesAsked() const {
    uint64_t bytes = 0;
    for (const auto& request : file.requests) bytes += request.size;
    return bytes;
  }

  LateFile file;
  ReadaheadRun run;
  Guide guide;
  StreamPrefetcher prefetcher;
};

TEST_CASE("StreamPrefetcher: a long scan is read in few requests, each ahead of its use") {
  Fixture f;
  f.Scan(0, 3 << 20);
  CHECK(f.file.requests.size() < 40);
  for (const auto& request : f.file.requests) CHECK(request.in_background);
  CHECK(f.file.requests.back().size > 200 << 10);
}

TEST_CASE("StreamPrefetcher: never reads further ahead than was consumed") {
  Fixture f;
  uint64_t consumed = 0;
  for (uint64_t at = 0; at < (3 << 20); at += 1000) {
    REQUIRE(f.prefetcher.Read(at, 1000).ok());
    consumed += 1000;
    uint64_t end = 0;
    for (const auto& request : f.file.requests) end = std::max(end, request.offset + request.size);
    CHECK(end <= 2 * consumed + 2 * kUnit);
  }
}

TEST_CASE("StreamPrefetcher: the first block is read alone") {
  Fixture f;
  REQUIRE(f.prefetcher.Read(10'000, 1000).ok());
  REQUIRE_EQ(f.file.requests.size(), 1);
  CHECK(f.file.requests[0].size <= 1000 + 2 * kUnit);
}

TEST_CASE("StreamPrefetcher: random reads fetch no more than they need") {
  Fixture f;
  for (uint64_t i = 0; i < 200; ++i) {
    const uint64_t at = i * 7'919'777 % (2 << 20);
    const auto got = f.prefetcher.Read(at, 500);
    REQUIRE(got.ok());
    REQUIRE(*got == f.file.Bytes(at, 500));
  }
  for (const auto& request : f.file.requests) CHECK(request.size <= 500 + 2 * kUnit);
}

TEST_CASE("StreamPrefetcher: a run goes on in its next table with the window it had") {
  Fixture f;
  f.run.consumed = 100'000;
  REQUIRE(f.prefetcher.Read(0, 1000).ok());
  CHECK(f.file.requests[0].size >= 100'000);
}

TEST_CASE("StreamPrefetcher: nothing is read beyond the guide's bound or the limit") {
  Fixture f;
  f.guide.bound = 300'000;
  f.Scan(0, 300'000);
  for (const auto& request : f.file.requests)
    CHECK(request.offset + request.size <= 300'000 + kUnit);
  Fixture whole(100'000);
  whole.Scan(0, 100'000);
  for (const auto& r : whole.file.requests) CHECK(r.offset + r.size <= 100'000 + kUnit);
}

TEST_CASE("StreamPrefetcher: a bound left behind by an earlier seek does not hide anything") {
  // RocksDB issue 15216: a stale bound clamped the window, and asynchronously keys were lost.
  Fixture f;
  f.guide.bound = 50'000;
  f.Scan(0, 50'000);
  f.guide.bound = UINT64_MAX;
  f.run.consumed = 0;
  f.Scan(0, 2 << 20);
  CHECK(f.file.requests.back().size > 100 << 10);
}

TEST_CASE("StreamPrefetcher: blocks passed from the cache keep the scan going") {
  Fixture f;
  f.Scan(0, 100'000);
  f.prefetcher.Pass(100'000, 400'000);
  REQUIRE_EQ(*f.prefetcher.Read(500'000, 1000), f.file.Bytes(500'000, 1000));
  CHECK(f.file.requests.back().size > 100'000);
}

TEST_CASE("StreamPrefetcher: an announced block is not read twice") {
  Fixture f;
  f.prefetcher.Announce(70'000, 3000);
  REQUIRE_EQ(*f.prefetcher.Read(70'000, 3000), f.file.Bytes(70'000, 3000));
  CHECK_EQ(f.file.requests.size(), 1);
}

TEST_CASE("StreamPrefetcher: blocks larger than a buffer are read by themselves") {
  Fixture f(4 << 20, 64 << 10);
  f.Scan(0, 200'000);
  REQUIRE_EQ(*f.prefetcher.Read(200'000, 300'000), f.file.Bytes(200'000, 300'000));
  f.Scan(500'000, 900'000);
}

TEST_CASE("StreamPrefetcher: a fixed window is read from the first block on") {
  Fixture f(4 << 20, 256 << 10, {.fixed_window = 100'000});
  f.Scan(0, 1 << 20);
  CHECK(f.file.requests[0].size >= 99'000);
  CHECK(f.file.requests.size() <= 12);
}

TEST_CASE("StreamPrefetcher: where the file has no stream it reads in windows") {
  Fixture f;
  f.file.streams = false;
  f.Scan(0, 1 << 20);
  CHECK(f.file.requests.size() < 20);
  for (const auto& request : f.file.requests) CHECK_FALSE(request.in_background);
}

TEST_CASE(
    "StreamPrefetcher: a failed read fails the block that needs it, and a retry may succeed") {
  Fixture f;
  f.Scan(0, 50'000);
  f.file.fails = true;
  bool failed = false;
  uint64_t at = 50'000;
  for (; at < 400'000 && !failed; at += 1000) failed = !f.prefetcher.Read(at, 1000).ok();
  CHECK(failed);
  f.file.fails = false;
  f.Scan(400'000, 900'000);
}

TEST_CASE("StreamPrefetcher: any mixture of scans, jumps and sizes reads the file's bytes") {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const size_t size = 1 + random() % 900'000;
    Fixture f(size, AlignUp(8192 + random() % 100'000, kUnit),
              {.fixed_window = random() % 4 == 0 ? random() % 200'000 : 0});
    uint64_t at = 0;
    for (int i = 0; i < 800; ++i) {
      if (random() % 40 == 0 || at >= size) at = random() % size;
      const uint64_t want = 1 + random() % (random() % 30 == 0 ? 60'000 : 5000);
      const uint64_t block = std::min<uint64_t>(want, size - at);
      switch (random() % 12) {
        case 0:
          f.prefetcher.Pass(at, block);
          break;
        case 1:
          f.prefetcher.Announce(at, block);
          [[fallthrough]];
        default: {
          const auto got = f.prefetcher.Read(at, block);
          REQUIRE(got.ok());
          REQUIRE(*got == f.file.Bytes(at, block));
        }
      }
      at += block;
    }
  }
}

}  // namespace
}  // namespace varve
