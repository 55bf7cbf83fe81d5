// SPDX-License-Identifier: Apache-2.0
#include "core/fs/background_writer.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/threads/inline_executor.h"
#include "core/base/threads/thread_pool.h"
#include "core/fs/memory_fs.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

constexpr auto kLane = Executor::Lane::kCompaction;

std::string Contents(FileSystem& fs) { return *ReadFileToString(fs, "a", 1 << 30); }

// Fails from the n-th Append on; counts what comes after a failure.
class FailingFile final : public WritableFile {
 public:
  FailingFile(int good_appends, int* after_failure)
      : good_appends_(good_appends), after_failure_(after_failure) {}
  Status Append(std::string_view) override {
    if (failed_) ++*after_failure_;
    if (good_appends_-- > 0) return Status::Ok();
    failed_ = true;
    return Status::NoSpace("a: write: full");
  }
  Status Sync() override {
    if (failed_) ++*after_failure_;
    return Status::Ok();
  }
  Status Close() override { return Status::Ok(); }
  uint64_t size() const override { return 0; }
  const std::string& path() const override { return path_; }

 private:
  int good_appends_;
  int* const after_failure_;
  bool failed_ = false;
  const std::string path_ = "a";
};

TEST_CASE("BackgroundWriter: the file gets all bytes in order, from any thread") {
  const std::string bytes = Noise(5 * BackgroundWriter::kBufferBytes + 12345);
  for (const size_t piece : {size_t{4099}, BackgroundWriter::kBufferBytes, bytes.size()}) {
    for (const bool threads : {false, true}) {
      CAPTURE(piece);
      CAPTURE(threads);
      const auto fs = NewMemoryFileSystem();
      InlineExecutor nobody;
      ThreadPool pool(1, 2);
      Executor& executor = threads ? static_cast<Executor&>(pool) : nobody;
      BackgroundWriter writer(*fs->Create("a", false), &executor, kLane);
      for (size_t at = 0; at < bytes.size(); at += piece) {
        REQUIRE(writer.Append(std::string_view(bytes).substr(at, piece)).ok());
      }
      CHECK_EQ(writer.size(), bytes.size());
      REQUIRE(writer.Sync().ok());
      CHECK(Contents(*fs) == bytes);
      REQUIRE(writer.Append("more").ok());
      REQUIRE(writer.Close().ok());
      CHECK(Contents(*fs) == bytes + "more");
    }
  }
}

TEST_CASE("BackgroundWriter: what waits to be written is bounded") {
  const auto fs = NewMemoryFileSystem();
  InlineExecutor nobody;
  BackgroundWriter writer(*fs->Create("a", false), &nobody, kLane);
  constexpr uint64_t kWaitingMax =
      (Pipe<std::string>::kWaitingMax + 1) * BackgroundWriter::kBufferBytes;
  for (int i = 0; i < 100; ++i) {
    REQUIRE(writer.Append(std::string(100'000, 'x')).ok());
    CHECK(writer.size() - *fs->FileSize("a") < kWaitingMax);
  }
}

TEST_CASE("BackgroundWriter: a failed write is reported, and nothing is written after it") {
  int after_failure = 0;
  ThreadPool pool(1, 2);
  BackgroundWriter writer(std::make_unique<FailingFile>(1, &after_failure), &pool, kLane);
  const std::string bytes(BackgroundWriter::kBufferBytes, 'x');
  Status status;
  for (int i = 0; i < 10 && status.ok(); ++i) status = writer.Append(bytes);
  CHECK_EQ(status.code(), Code::kNoSpace);
  CHECK_EQ(writer.Sync().code(), Code::kNoSpace);
  CHECK_EQ(writer.Close().code(), Code::kNoSpace);
  CHECK_EQ(after_failure, 0);
}

TEST_CASE("BackgroundWriter: Sync returns a failure that was not returned before") {
  int after_failure = 0;
  InlineExecutor nobody;
  BackgroundWriter writer(std::make_unique<FailingFile>(0, &after_failure), &nobody, kLane);
  REQUIRE(writer.Append("short").ok());
  CHECK_EQ(writer.Sync().code(), Code::kNoSpace);
  CHECK_EQ(after_failure, 0);
}

}  // namespace
}  // namespace varve
