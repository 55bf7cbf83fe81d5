// SPDX-License-Identifier: Apache-2.0
#include "core/repair/family_blobs.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/value/blob_record.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unreadable_fs.h"

namespace varve {
namespace {

// A blob file of RocksDB 7.8.3.
struct Fixture {
  Fixture() {
    const std::string from = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/blob";
    FileSystem& native = *NativeEnvironment().file_system;
    REQUIRE(fs.CreateDirectory("db").ok());
    const auto entries = native.List(from);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      const auto name = ParseFileName(entry.name);
      if (!name || name->kind != FileKind::kBlob || number != 0) continue;
      number = name->number;
      bytes = *ReadFileToString(native, from + "/" + entry.name, 1 << 20);
    }
    REQUIRE_NE(number, 0);
    WriteFile(fs, Path(), bytes);
    const BlobReader blobs(fs, "db");
    whole = *blobs.Verify(number);
    REQUIRE_GT(whole.blobs, 0);
  }
  std::string Path() const { return "db/" + BlobFileName(number); }

  // "number: blobs, bytes" of the file that is added, and its garbage.
  std::string Added(const std::vector<BlobFileMetadata>& known,
                    const std::map<FileNumber, BlobReader::Summary>& wanted) {
    const BlobReader blobs(fs, "db");
    VersionEdit edit;
    status = AddBlobs(blobs, known, wanted, &edit);
    std::string text;
    for (const BlobFileAddition& added : edit.blob_additions) {
      text += Text(added.number, added.blobs, added.bytes) + added.checksum_value;
    }
    for (const BlobFileGarbage& garbage : edit.blob_garbage) {
      text += " garbage " + Text(garbage.number, garbage.blobs, garbage.bytes);
    }
    return text;
  }
  static std::string Text(FileNumber number, uint64_t blobs, uint64_t bytes) {
    return std::to_string(number) + ": " + std::to_string(blobs) + ", " + std::to_string(bytes);
  }
  BlobFileMetadata Known() const {
    return {.number = number,
            .blobs = whole.blobs,
            .bytes = whole.bytes,
            .garbage_blobs = 1,
            .garbage_bytes = 40,
            .checksum_value = "sum"};
  }
  // Of the last value: the footer is behind it.
  void Damage() {
    std::string damaged = bytes;
    damaged[bytes.size() - kBlobFileFooterSize - 1] ^= 1;
    WriteFile(fs, Path(), damaged);
  }

  UnreadableFs fs;
  FileNumber number = 0;
  std::string bytes;
  BlobReader::Summary whole;
  Status status;
};

constexpr BlobReader::Summary kUsed{.blobs = 1, .bytes = 50};

TEST_CASE("AddBlobs: what no table points to is not added") {
  Fixture t;
  CHECK_EQ(t.Added({t.Known()}, {}), "");
  CHECK(t.status.ok());
}

TEST_CASE("AddBlobs: what the MANIFEST says of a file is kept, garbage and checksum included") {
  Fixture t;
  CHECK_EQ(
      t.Added({t.Known()}, {{t.number, kUsed}}),
      t.Text(t.number, t.whole.blobs, t.whole.bytes) + "sum garbage " + t.Text(t.number, 1, 40));
}

TEST_CASE("AddBlobs: without the MANIFEST, or against it, an intact file speaks for itself") {
  Fixture t;
  const std::string counted = t.Text(t.number, t.whole.blobs, t.whole.bytes);
  CHECK_EQ(t.Added({}, {{t.number, kUsed}}), counted);
  BlobFileMetadata wrong = t.Known();
  ++wrong.blobs;
  CHECK_EQ(t.Added({wrong}, {{t.number, kUsed}}), counted);
  BlobFileMetadata other = t.Known();
  ++other.number;
  CHECK_EQ(t.Added({other}, {{t.number, kUsed}}), counted);
}

TEST_CASE("AddBlobs: of a damaged file the MANIFEST is believed, else what is needed of it") {
  Fixture t;
  t.Damage();
  CHECK_EQ(t.Added({}, {{t.number, kUsed}}), t.Text(t.number, 1, 50));
  BlobFileMetadata larger = t.Known();
  larger.blobs += 7;
  CHECK(t.Added({larger}, {{t.number, kUsed}})
            .starts_with(t.Text(t.number, larger.blobs, larger.bytes)));
}

TEST_CASE("AddBlobs: a file that cannot be read may be sound: nothing is said of it") {
  Fixture t;
  t.fs.Refuse(".blob");
  t.Added({t.Known()}, {{t.number, kUsed}});
  CHECK(t.status.code() == Code::kIoError);
  CHECK(t.status.message().find(".blob") != std::string::npos);
}

}  // namespace
}  // namespace varve
