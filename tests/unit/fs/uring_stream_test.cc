// SPDX-License-Identifier: Apache-2.0
#include "core/fs/uring_stream.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "core/fs/aligned_buffer.h"
#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

struct DirectFile {
  explicit DirectFile(size_t size) : bytes(Noise(size)) {
    const auto fs = NewPosixFileSystem();
    auto writer = *fs->Create(directory / "f", false);
    REQUIRE(writer->Append(bytes).ok());
    REQUIRE(writer->Close().ok());
    file = *fs->OpenForRead(directory / "f", true);
  }
  ScratchDirectory directory;
  std::string bytes;
  std::unique_ptr<RandomAccessFile> file;
};

void CheckPart(const DirectFile& f, ReadStream& stream, int buffer, uint64_t offset, size_t size) {
  const auto got = stream.Wait(buffer);
  REQUIRE_MESSAGE(got.ok(), got.status().ToString());
  CHECK(*got == std::string_view(f.bytes).substr(std::min(offset, f.bytes.size()), size));
  CHECK(got->data() == stream.data(buffer));
}

// Where the system has no io_uring or no direct I/O there is nothing to test here: scans go through
// window_prefetcher.h then, which is tested by itself.
TEST_CASE("UringStream: both buffers arrive, in any order, to the end of the file") {
  const DirectFile f(5'000'123);
  std::unique_ptr<ReadStream> stream = f.file->NewReadStream();
  if (stream == nullptr) {
    MESSAGE("no io_uring with direct I/O here");
    return;
  }
  const size_t most = AlignDown(stream->capacity(), 4096);
  REQUIRE(most >= 512 << 10);
  REQUIRE(stream->headroom() >= 4096);
  stream->Start(0, 0, 4096);
  stream->Start(1, 8192, most);
  CheckPart(f, *stream, 1, 8192, most);
  CheckPart(f, *stream, 0, 0, 4096);
  CheckPart(f, *stream, 0, 0, 4096);  // Waiting again is harmless.
  stream->Start(0, AlignDown(f.bytes.size(), 4096), 65536);
  CheckPart(f, *stream, 0, AlignDown(f.bytes.size(), 4096), 65536);
  stream->Start(1, AlignUp(f.bytes.size(), 4096) + 4096, 4096);  // Past the end: nothing.
  CheckPart(f, *stream, 1, AlignUp(f.bytes.size(), 4096) + 4096, 4096);
}

TEST_CASE("UringStream: a stream left with reads under way gives its buffers back whole") {
  const DirectFile f(3 << 20);
  for (int round = 0; round < 50; ++round) {
    std::unique_ptr<ReadStream> stream = f.file->NewReadStream();
    if (stream == nullptr) return;
    stream->Start(0, 0, 512 << 10);
    stream->Start(1, 1 << 20, 512 << 10);
    if (round % 2 == 0) CheckPart(f, *stream, 1, 1 << 20, 512 << 10);
  }
}

TEST_CASE("UringStream: what one thread started another may wait for, the first being gone") {
  const DirectFile f(3 << 20);
  std::unique_ptr<ReadStream> stream;
  std::thread([&] {
    stream = f.file->NewReadStream();
    if (stream != nullptr) stream->Start(0, 4096, 512 << 10);
  }).join();
  if (stream != nullptr) CheckPart(f, *stream, 0, 4096, 512 << 10);
}

}  // namespace
}  // namespace varve
