// SPDX-License-Identifier: Apache-2.0
#include "core/fs/buffered_writer.h"

#include <doctest/doctest.h>

#include "core/fs/memory_fs.h"

namespace varve {
namespace {

struct Fixture {
  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  BufferedWriter writer{*fs->Create("a", false), 8};
  uint64_t stored() { return *fs->FileSize("a"); }
};

TEST_CASE("BufferedWriter: small appends are collected, large ones pass") {
  Fixture f;
  CHECK(f.writer.Append("12345").ok());
  CHECK_EQ(f.stored(), 0u);
  CHECK_EQ(f.writer.size(), 5u);
  CHECK(f.writer.Append("6789").ok());  // Does not fit behind the first five.
  CHECK_EQ(f.stored(), 5u);
  CHECK(f.writer.Append("a long append").ok());
  CHECK_EQ(f.stored(), 22u);
  CHECK_EQ(*ReadFileToString(*f.fs, "a", 100), "123456789a long append");
}

TEST_CASE("BufferedWriter: Sync and Close write what is left") {
  Fixture f;
  CHECK(f.writer.Append("1").ok());
  CHECK(f.writer.Sync().ok());
  CHECK_EQ(f.stored(), 1u);
  CHECK(f.writer.Append("2").ok());
  CHECK(f.writer.Close().ok());
  CHECK_EQ(*ReadFileToString(*f.fs, "a", 100), "12");
}

}  // namespace
}  // namespace varve
