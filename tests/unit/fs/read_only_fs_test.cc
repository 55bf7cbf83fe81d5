// SPDX-License-Identifier: Apache-2.0
#include "core/fs/read_only_fs.h"

#include <doctest/doctest.h>

#include "core/fs/memory_fs.h"

namespace varve {
namespace {

TEST_CASE("ReadOnlyFileSystem: reads pass, everything else is refused and changes nothing") {
  const auto base = NewMemoryFileSystem();
  CHECK((*base->Create("a", false))->Append("bytes").ok());
  const auto fs = NewReadOnlyFileSystem(*base);
  CHECK_EQ(*ReadFileToString(*fs, "a", 100), "bytes");
  CHECK_EQ(*fs->FileSize("a"), 5u);
  CHECK(fs->Exists("a"));
  CHECK_EQ(fs->List(".")->size(), 1u);

  const Status refused[] = {fs->Create("a", false).status(),
                            fs->CreateDirectory("b"),
                            fs->Remove("a"),
                            fs->RemoveDirectory("b"),
                            fs->Rename("a", "b"),
                            fs->Link("a", "b"),
                            fs->Truncate("a", 0),
                            fs->SyncDirectory("."),
                            fs->Lock("LOCK").status()};
  for (const Status& status : refused) CHECK_EQ(status.code(), Code::kInvalidArgument);
  CHECK_EQ(base->List(".")->size(), 1u);
  CHECK_EQ(*ReadFileToString(*base, "a", 100), "bytes");
}

}  // namespace
}  // namespace varve
