// SPDX-License-Identifier: Apache-2.0
#include "core/fs/uring.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "core/fs/file_descriptor.h"
#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"

namespace varve {
namespace {

struct File {
  explicit File(size_t size, uint32_t seed = 7) : bytes(Noise(size, seed)) {
    fd = *FileDescriptor::OpenNameless(scratch.path());
    REQUIRE(fd.Write("f", bytes).ok());
  }
  ScratchDirectory scratch;
  std::string bytes;
  FileDescriptor fd;
};

// Where the kernel has no io_uring, or forbids it, every read is one that the caller does itself.
bool HasUring() {
  const File file(10);
  char byte = 0;
  const ReadRequest request{.offset = 0, .size = 1, .buffer = &byte};
  size_t done = 7;
  UringRead(file.fd.get(), {&request, 1}, {&done, 1});
  CHECK_LE(done, 1u);
  return done == 1;
}

TEST_CASE("UringRead: each request has its bytes, however many there are") {
  const bool has_uring = HasUring();
  const File file(100'000);
  for (const size_t count : {0u, 1u, 2u, 63u, 64u, 65u, 128u, 300u}) {
    std::vector<std::string> buffers;
    std::vector<ReadRequest> requests;
    for (size_t i = 0; i < count; ++i) {
      buffers.emplace_back(1 + i * 37 % 5000, '\0');
      requests.push_back({.offset = i * 3391 % 90'000, .size = buffers.back().size()});
    }
    for (size_t i = 0; i < count; ++i) requests[i].buffer = buffers[i].data();
    std::vector<size_t> done(count, 123'456);
    UringRead(file.fd.get(), requests, done);
    for (size_t i = 0; i < count; ++i) {
      REQUIRE_LE(done[i], requests[i].size);
      if (has_uring) REQUIRE_EQ(done[i], requests[i].size);
      REQUIRE_EQ(buffers[i].substr(0, done[i]), file.bytes.substr(requests[i].offset, done[i]));
    }
  }
}

TEST_CASE("UringRead: at the end a read is short, behind it and of nothing it is 0") {
  const bool has_uring = HasUring();
  const File file(1000);
  std::string buffer(400, '\0');
  ReadRequest requests[] = {{.offset = 900, .size = 100, .buffer = buffer.data()},
                            {.offset = 950, .size = 100, .buffer = buffer.data() + 100},
                            {.offset = 1000, .size = 100, .buffer = buffer.data() + 200},
                            {.offset = 5000, .size = 100, .buffer = buffer.data() + 300},
                            {.offset = 5, .size = 0, .buffer = buffer.data()}};
  size_t done[5] = {9, 9, 9, 9, 9};
  UringRead(file.fd.get(), requests, done);
  const size_t expected[] = {100, 50, 0, 0, 0};
  for (size_t i = 0; i < 5; ++i) CHECK_EQ(done[i], has_uring ? expected[i] : 0);
  CHECK_EQ(buffer.substr(0, done[0]), file.bytes.substr(900, done[0]));
  CHECK_EQ(buffer.substr(150), std::string(250, '\0'));  // Nothing behind a short read.
}

TEST_CASE(
    "UringRead: requests of several files; one that fails is 0 and does not harm the others") {
  const bool has_uring = HasUring();
  const File a(5000, 1), b(5000, 2);
  std::string buffers[4];
  for (std::string& buffer : buffers) buffer.resize(100);
  const DescriptorRead requests[] = {{a.fd.get(), 10, 100, buffers[0].data()},
                                     {-1, 0, 100, buffers[1].data()},
                                     {b.fd.get(), 20, 100, buffers[2].data()},
                                     {1 << 20, 0, 100, buffers[3].data()}};
  size_t done[4] = {9, 9, 9, 9};
  UringRead(requests, done);
  CHECK_EQ(done[1], 0u);
  CHECK_EQ(done[3], 0u);
  if (!has_uring) return;
  CHECK_EQ(done[0], 100u);
  CHECK_EQ(done[2], 100u);
  CHECK(buffers[0] == a.bytes.substr(10, 100));
  CHECK(buffers[2] == b.bytes.substr(20, 100));
}

TEST_CASE("UringRead: threads have rings of their own") {
  const File file(50'000);
  std::vector<std::thread> threads;
  std::vector<int> wrong(3, 0);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t round = 0; round < 20; ++round) {
        std::string buffers(70 * 100, '\0');
        std::vector<DescriptorRead> requests;
        for (size_t i = 0; i < 70; ++i) {
          requests.push_back({file.fd.get(), (t * 977 + round * 331 + i * 91) % 49'000, 100,
                              buffers.data() + 100 * i});
        }
        std::vector<size_t> done(70);
        UringRead(requests, done);
        for (size_t i = 0; i < 70; ++i) {
          if (buffers.compare(100 * i, done[i], file.bytes, requests[i].offset, done[i]) != 0) {
            ++wrong[t];
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK_EQ(count, 0);
}

}  // namespace
}  // namespace varve
