// SPDX-License-Identifier: Apache-2.0
#include "core/version/database_files.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"
#include "core/format/file_name.h"
#include "tests/unit/version/table_fixture.h"

namespace varve {
namespace {

DatabaseState StateOf(std::shared_ptr<const Version> version) {
  DatabaseState state;
  FamilyState family;
  family.name = "default";
  family.comparator = BytewiseComparator();
  family.version = std::move(version);
  state.families.Add(std::move(family));
  return state;
}

// An empty blob file: a header and nothing else.
void AddBlobFile(FileSystem& fs, FileNumber number) {
  std::string header;
  AppendFixed32(&header, 0x00248F37);
  AppendFixed32(&header, 1);
  header.resize(30);
  auto file = fs.Create(JoinPath("db", BlobFileName(number)), /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(header).ok());
}

TEST_CASE("HeldFiles: beside a writer all files of a state stay open, until a later one is held") {
  constexpr FileNumber kFirstBlob = 1000, kBehindBlobs = 1200;  // More than are kept open else.
  TableFixture t(*BytewiseComparator(), /*max_open_files=*/1);
  const FileNumber gone = t.Add(1, {{"a", 1, ValueType::kValue, "1"}});
  const FileNumber kept = t.Add(1, {{"b", 2, ValueType::kValue, "2"}});
  t.edit().new_files[0].file.oldest_blob_file = kFirstBlob;
  for (FileNumber number = kFirstBlob; number < kBehindBlobs; ++number) {
    AddBlobFile(t.fs(), number);
    t.edit().blob_additions.push_back({number, 1, 1, "", ""});
  }
  const DatabaseState state = StateOf(t.Build());
  VersionEdit later = t.edit();
  later.new_files.erase(later.new_files.begin());
  later.blob_additions.erase(later.blob_additions.begin());
  later.new_files[0].file.oldest_blob_file = kFirstBlob + 1;
  const DatabaseState next = StateOf(MakeVersion(later, *BytewiseComparator(), 7, t.cache()));
  REQUIRE_EQ(state.families.all()[0].version->blob_files().size(), kBehindBlobs - kFirstBlob);

  const auto lock = t.fs().Lock(JoinPath("db", kLockFileName));
  REQUIRE(lock.ok());
  BlobReader blobs(t.fs(), "db");
  HeldFiles held(t.fs(), "db", t.cache(), &blobs);
  REQUIRE(held.Hold(state).ok());
  t.RemoveFiles();
  for (FileNumber number = kFirstBlob; number < kBehindBlobs; ++number) {
    REQUIRE(t.fs().Remove(JoinPath("db", BlobFileName(number))).ok());
  }
  for (FileNumber number = kFirstBlob; number < kBehindBlobs; ++number) {
    CHECK(blobs.Open(number).ok());
  }
  CHECK(t.cache()->Find({.number = gone}).ok());
  CHECK(t.cache()->Find({.number = kept}).ok());

  held.LetGoOfOthers(next);
  CHECK(t.cache()->Find({.number = gone}).status().code() == Code::kNotFound);
  CHECK(t.cache()->Find({.number = kept}).ok());
  CHECK(blobs.Open(kFirstBlob).code() == Code::kNotFound);
  CHECK(blobs.Open(kFirstBlob + 1).ok());
}

TEST_CASE("HeldFiles: beside a writer what is there is held, whatever else is missing") {
  TableFixture t(*BytewiseComparator(), /*max_open_files=*/1);
  const FileNumber missing = t.Add(1, {{"a", 1, ValueType::kValue, "1"}});
  t.RemoveFile(missing);
  const FileNumber there = t.Add(1, {{"b", 2, ValueType::kValue, "2"}});
  const DatabaseState state = StateOf(t.Build());
  const auto lock = t.fs().Lock(JoinPath("db", kLockFileName));
  REQUIRE(lock.ok());
  HeldFiles held(t.fs(), "db", t.cache(), nullptr);
  const Status status = held.Hold(state);
  CHECK(status.code() == Code::kCorruption);
  CHECK(status.message().find(TableFileName(missing)) != std::string_view::npos);
  t.RemoveFile(there);
  CHECK(t.cache()->Find({.number = there}).ok());
}

}  // namespace
}  // namespace varve
