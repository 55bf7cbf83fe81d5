// SPDX-License-Identifier: Apache-2.0
// Databases that keep large values in blob files: what flushes and compactions write, what becomes
// garbage, and when files go.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>

#include "core/format/file_name.h"
#include "core/format/manifest/version_edit.h"
#include "core/version/manifest_reader.h"
#include "core/version/manifest_writer.h"
#include "tests/unit/engine/inline_db.h"
#include "varve/compaction_filter.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

constexpr size_t kLarge = 1000;

std::string Large(int version) {
  return std::to_string(version) + std::string(kLarge, static_cast<char>('a' + version % 26));
}
std::string Key(int i) { return "key" + std::to_string(1000 + i); }

struct BlobDb : InlineDb {
  BlobDb() {
    options.create_if_missing = true;
    options.family.disable_auto_compactions = true;
    options.family.level_compaction_dynamic_level_bytes = false;
    options.family.merge_operator = MergeOperatorByName("stringappend");
    options.family.blobs = {.enabled = true, .min_size = 100};
  }
  void Put(const std::string& key, const std::string& value) {
    REQUIRE(db->Put({}, key, value).ok());
    model[key] = value;
  }
  void Delete(const std::string& key) {
    REQUIRE(db->Delete({}, key).ok());
    model.erase(key);
  }
  void Flush() { REQUIRE(db->Flush({}).ok()); }
  void Compact() {
    const Status status = db->CompactRange({.force_bottommost = true}, std::nullopt, std::nullopt);
    REQUIRE_MESSAGE(status.ok(), status.ToString());
  }
  // All that is in the database, by gets and by a scan.
  void Check() {
    std::map<std::string, std::string> found;
    Iterator it = *db->NewIterator({});
    for (it.SeekToFirst(); it.Valid(); it.Next()) {
      found.emplace(std::string(it.key()), std::string(it.value()));
    }
    REQUIRE_MESSAGE(it.status().ok(), it.status().ToString());
    CHECK(found == model);
    for (const auto& [key, value] : model) CHECK_EQ((*db->Get({}, key))->view(), value);
  }
  std::map<std::string, std::string> model;
};

TEST_CASE("blob files: a flush writes them, and they are read after the database is opened again") {
  BlobDb t;
  t.Open();
  for (int i = 0; i < 20; ++i) t.Put(Key(i), i % 2 == 0 ? Large(i) : "small");
  t.Flush();
  CHECK_EQ(t.CountFiles(".blob"), 1);
  t.Check();
  t.Open();
  t.Check();
  t.options.family.blobs.enabled = false;  // They are read whatever is written.
  t.options.source = OptionSource::kCaller;
  t.Open();
  t.Check();
}

TEST_CASE("blob files: what a log holds is separated when it is recovered") {
  BlobDb t;
  t.Open();
  t.Put("a", Large(1));
  t.Open();
  CHECK_EQ(t.CountFiles(".blob"), 1);
  t.Check();
}

TEST_CASE("blob files: the option is stored with the database") {
  BlobDb t;
  t.Open();
  const Options stored = t.options;
  t.options.family.blobs = {};
  t.Open();
  t.Put("a", Large(1));
  t.Flush();
  CHECK_EQ(t.CountFiles(".blob"), 1);
}

TEST_CASE("blob files: one goes when all of it was overwritten and compacted away") {
  BlobDb t;
  t.Open();
  for (int i = 0; i < 10; ++i) t.Put(Key(i), Large(1));
  t.Flush();
  for (int i = 0; i < 10; ++i) t.Put(Key(i), Large(2));
  t.Flush();
  CHECK_EQ(t.CountFiles(".blob"), 2);
  t.Compact();
  CHECK_EQ(t.CountFiles(".blob"), 1);
  t.Check();
  t.Open();
  CHECK_EQ(t.CountFiles(".blob"), 1);
  t.Check();
}

TEST_CASE("blob files: one that is needed by one key stays, until garbage is collected") {
  BlobDb t;
  t.Open();
  for (int i = 0; i < 10; ++i) t.Put(Key(i), Large(1));
  t.Flush();
  for (int i = 1; i < 10; ++i) t.Put(Key(i), Large(2));
  t.Flush();
  t.Compact();
  CHECK_EQ(t.CountFiles(".blob"), 2);
  const FamilyStats stats = t.db->StatsOfFamilies()[0];
  CHECK_EQ(stats.blob_files, 2);
  CHECK_GT(stats.blob_bytes, 19 * kLarge);
  CHECK_LT(stats.blob_bytes, 21 * kLarge);
  CHECK_GT(stats.blob_garbage_bytes, 9 * kLarge);
  CHECK_LT(stats.blob_garbage_bytes, 10 * kLarge);
  t.Check();
  REQUIRE(t.db->SetOptions({{"enable_blob_garbage_collection", "true"},
                            {"blob_garbage_collection_age_cutoff", "0.5"}})
              .ok());
  t.Compact();
  CHECK_EQ(t.CountFiles(".blob"), 2);  // The value of the first key in a file of its own.
  t.Check();
  REQUIRE(t.db->SetOptions({{"blob_garbage_collection_age_cutoff", "1"}}).ok());
  t.Compact();
  CHECK_EQ(t.CountFiles(".blob"), 1);
  t.Check();
}

// A MANIFEST that says too much garbage: the file is not taken for all garbage because of it.
TEST_CASE("blob files: one stays whose garbage adds up to more than its contents") {
  BlobDb t;
  t.options.family.blobs.file_size = 4 * kLarge;  // The table is linked to the first of three.
  t.Open();
  for (int i = 0; i < 12; ++i) t.Put(Key(i), Large(1));
  t.Flush();
  REQUIRE_EQ(t.CountFiles(".blob"), 3);
  t.db.reset();
  {
    auto manifest = ReadManifest(t.fs, "db", Options(), /*tables=*/nullptr);
    REQUIRE(manifest.ok());
    const BlobFileMetadata blob = manifest->state.families.all()[0].version->blob_files()[1];
    REQUIRE_EQ(blob.blobs, 4);
    VersionEdit edit;
    edit.blob_garbage = {{blob.number, 3, blob.bytes / 4 * 3}};
    const FileNumber number = manifest->state.counters.next_file_number++;
    REQUIRE(ManifestWriter::Create(t.fs, "db", number, manifest->state, {&edit, 1}).ok());
  }
  t.Open();
  t.Put(Key(5), "small");
  t.Put(Key(6), "small");
  t.Flush();
  t.Compact();
  CHECK_EQ(t.CountFiles(".blob"), 3);
  t.Check();
}

TEST_CASE("blob files: with the option off, collecting brings values back into the tables") {
  BlobDb t;
  t.Open();
  for (int i = 0; i < 10; ++i) t.Put(Key(i), Large(1));
  t.Flush();
  REQUIRE(t.db->SetOptions({{"enable_blob_files", "false"},
                            {"enable_blob_garbage_collection", "true"},
                            {"blob_garbage_collection_age_cutoff", "1"}})
              .ok());
  t.Compact();
  CHECK_EQ(t.CountFiles(".blob"), 0);
  t.Check();
}

TEST_CASE("blob files: a snapshot and an iterator keep theirs") {
  BlobDb t;
  t.Open();
  t.Put("a", Large(1));
  t.Flush();
  const auto snapshot = t.db->GetSnapshot();
  Iterator it = *t.db->NewIterator({});
  t.Put("a", Large(2));
  t.Flush();
  t.Compact();
  ReadOptions at;
  at.snapshot = &snapshot;
  CHECK_EQ((*t.db->Get(at, "a"))->view(), Large(1));
  it.SeekToFirst();
  REQUIRE(it.Valid());
  CHECK_EQ(it.value(), Large(1));
  t.Check();
}

TEST_CASE("blob files: operands are merged onto a blob, by reads and by compactions") {
  BlobDb t;
  t.Open();
  t.Put("a", Large(1));
  t.Flush();
  REQUIRE(t.db->Merge({}, "a", "x").ok());
  t.model["a"] += ",x";
  t.Flush();
  t.Check();
  t.Compact();
  t.Check();
  CHECK_EQ(t.CountFiles(".blob"), 1);
}

// Removes what contains "gone", and changes what contains "change".
class ByValue final : public CompactionFilter {
 public:
  Decision Filter(int /*level*/, std::string_view /*key*/, std::string_view value,
                  std::string* new_value) override {
    if (value.find("gone") != std::string_view::npos) return Decision::kRemove;
    if (value.find("change") == std::string_view::npos) return Decision::kKeep;
    *new_value = "changed";
    return Decision::kChange;
  }
};
class ByValues final : public CompactionFilterFactory {
 public:
  std::unique_ptr<CompactionFilter> Create(const Context& /*of*/) const override {
    return std::make_unique<ByValue>();
  }
};

TEST_CASE("blob files: a compaction filter is asked about the values in them") {
  const ByValues filters;
  BlobDb t;
  t.options.family.compaction_filter_factory = &filters;
  t.Open();
  t.Put("a", Large(1));
  t.Put("b", Large(1) + "gone");
  t.Put("c", Large(1) + "change");
  t.Flush();
  t.Compact();
  t.model.erase("b");
  t.model["c"] = "changed";
  t.Check();
}

TEST_CASE("blob files: garbage in the oldest starts a compaction") {
  BlobDb t;
  t.options.family.disable_auto_compactions = false;
  t.options.family.blobs.collect_garbage = true;
  t.options.family.blobs.age_cutoff = 0.5;
  t.options.family.blobs.force_threshold = 0.5;
  t.options.family.level0_file_num_compaction_trigger = 100;
  t.options.family.level0_slowdown_writes_trigger = 200;
  t.options.family.level0_stop_writes_trigger = 300;
  t.Open();
  for (int i = 0; i < 10; ++i) t.Put(Key(i), Large(1));
  t.Flush();
  t.Compact();
  for (int i = 1; i < 10; ++i) t.Delete(Key(i));
  t.Put("z", Large(2));
  t.Flush();
  // Nine of ten blobs of the first file are garbage after this; the cut-off takes it in.
  t.Compact();
  REQUIRE(t.db->WaitForBackgroundWork().ok());
  t.Check();
  const auto entries = t.fs.List("db");
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.name.ends_with(".blob")) continue;
    CHECK_LT(entry.size, 10 * kLarge);
  }
}

TEST_CASE("blob files: with timestamps they are refused by name") {
  BlobDb t;
  t.options.family.comparator = BytewiseComparatorWithU64Ts();
  const Status refused = t.TryOpen(t.options);
  CHECK(refused.code() == Code::kNotSupported);
  CHECK(refused.message().find("enable_blob_files") != std::string::npos);
}

}  // namespace
}  // namespace varve
