// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_error.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

namespace varve {
namespace {

TEST_CASE("PosixError: says path, call and the system's words") {
  CHECK_EQ(PosixError("db/000001.log", "read", EIO).ToString(),
           "io_error: db/000001.log: read: Input/output error");
  CHECK_EQ(PosixError("", "open", ENOENT).ToString(),
           "not_found: : open: No such file or directory");
}

TEST_CASE("PosixError: the code says what the caller can do") {
  for (const int error : {ENOENT, ENOTDIR}) {
    CHECK_EQ(PosixError("a", "open", error).code(), Code::kNotFound);
  }
  for (const int error : {ENOSPC, EDQUOT}) {
    CHECK_EQ(PosixError("a", "write", error).code(), Code::kNoSpace);
  }
  for (const int error : {EIO, EACCES, EPERM, EEXIST, EISDIR, EMFILE, EROFS, EBADF, EFBIG, EINTR}) {
    CHECK_EQ(PosixError("a", "open", error).code(), Code::kIoError);
  }
}

TEST_CASE("PosixError: a number that is no error is one of no name, not a success") {
  for (const int error : {0, -1, 99999}) {
    CHECK_EQ(PosixError("a", "open", error).code(), Code::kIoError);
    CHECK(PosixError("a", "open", error).message().starts_with("a: open: "));
  }
}

TEST_CASE("PosixError: threads at once each get their own message") {
  std::vector<std::thread> threads;
  std::vector<std::string> messages(4);
  for (size_t t = 0; t < messages.size(); ++t) {
    threads.emplace_back([&messages, t] {
      for (int i = 0; i < 1000; ++i) {
        messages[t] = PosixError("a", "call", t % 2 == 0 ? ENOENT : EIO).message();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < messages.size(); ++t) {
    CHECK_EQ(messages[t],
             t % 2 == 0 ? "a: call: No such file or directory" : "a: call: Input/output error");
  }
}

}  // namespace
}  // namespace varve
