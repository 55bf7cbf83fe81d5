// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/lsm_report.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/fs/memory_fs.h"
#include "core/fs/read_only_fs.h"
#include "core/inspect/lsm/lsm_diff.h"
#include "core/version/manifest_writer.h"
#include "core/version/version_builder.h"
#include "tests/forwarding_fs.h"
#include "tests/scratch_directory.h"
#include "varve/comparator.h"
#include "varve/environment.h"

namespace varve {
namespace {

FileSystem& Files() { return *NativeEnvironment().file_system; }

// Directories below fixtures/db that have a MANIFEST that can be shown.
std::vector<std::string> FixtureDatabases() {
  std::vector<std::string> paths;
  for (const char* maker : {"rocksdb-7.8.3", "rocksdb-11.9", "leveldb-1.23"}) {
    const std::string folder = std::string(VARVE_FIXTURES) + "/db/" + maker;
    const auto entries = Files().List(folder);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) paths.push_back(folder + "/" + entry.name);
  }
  return paths;
}

LsmReport Shape(const std::string& path, const LsmQuery& query = {}) {
  Result<LsmReport> report = ReportLsm(Files(), path, query);
  REQUIRE_MESSAGE(report.ok(), report.status().ToString());
  return *std::move(report);
}

// Every file of the next level compared, one after the other.
std::vector<FileReport> Meeting(const FamilyReport& family, const FileReport& file, int next) {
  const Comparator& order = *ComparatorByName(family.comparator);
  std::vector<FileReport> meeting;
  for (const FileReport& other : family.levels[static_cast<size_t>(next)].files) {
    if (order.Compare(other.largest.key, file.smallest.key) < 0) continue;
    if (order.Compare(other.smallest.key, file.largest.key) > 0) continue;
    meeting.push_back(other);
  }
  return meeting;
}

OverlapReport BruteForce(const FamilyReport& family, const FileReport& file, int next) {
  OverlapReport overlap{.level = next};
  for (const FileReport& other : Meeting(family, file, next)) {
    overlap.files++;
    overlap.bytes += other.size;
  }
  return overlap;
}

TEST_CASE("ReportLsm: overlaps are those of comparing every file with every other") {
  uint64_t overlapping = 0;
  for (const std::string& path : FixtureDatabases()) {
    CAPTURE(path);
    const uint64_t edits = Shape(path).manifest_edits;
    for (uint64_t edit = 0; edit <= edits; edit++) {
      const LsmReport report = Shape(path, {.edit = edit});
      CHECK(report.edit == edit);
      for (const FamilyReport& family : report.families) {
        if (!family.comparator_known || family.comparator.empty()) continue;
        for (const LevelReport& level : family.levels) {
          std::set<FileNumber> met;  // By any file of the level.
          uint64_t met_bytes = 0;
          for (const FileReport& file : level.files) {
            if (!file.overlap) continue;
            REQUIRE(level.overlap.has_value());
            for (const FileReport& other : Meeting(family, file, file.overlap->level)) {
              if (met.insert(other.number).second) met_bytes += other.size;
            }
            const OverlapReport expected = BruteForce(family, file, file.overlap->level);
            CHECK(file.overlap->files == expected.files);
            CHECK(file.overlap->bytes == expected.bytes);
            overlapping += expected.files;
          }
          if (!level.overlap) continue;
          CHECK(level.overlap->files == met.size());
          CHECK(level.overlap->bytes == met_bytes);
        }
      }
    }
  }
  CHECK(overlapping > 30);
}

TEST_CASE("ReportLsm: a MANIFEST on its own shows the same files, and knows no directory") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/cursor";
  const auto memory = NewMemoryFileSystem();
  const auto bytes = ReadFileToString(Files(), path + "/MANIFEST-000005", 1 << 20);
  REQUIRE(bytes.ok());
  auto file = memory->Create("x", /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(*bytes).ok());
  const auto alone = ReportLsm(*memory, "x");
  REQUIRE_MESSAGE(alone.ok(), alone.status().ToString());
  const LsmReport whole = Shape(path);
  CHECK_FALSE(alone->directory_known);
  CHECK(alone->missing.empty());
  CHECK(whole.families[0].options_known);
  CHECK_FALSE(alone->families[0].options_known);
  for (const FamilyDiff& diff : DiffLsm(*alone, whole)) CHECK(diff.equal());
  CHECK(whole.families[0].files == 8);
}

TEST_CASE("ReportLsm: damage behind the edit that is asked for does not hide it") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/cursor";
  auto bytes = ReadFileToString(Files(), path + "/MANIFEST-000005", 1 << 20);
  REQUIRE(bytes.ok());
  (*bytes)[1700] ^= 1;  // Within edit 16.
  const auto memory = NewMemoryFileSystem();
  auto file = memory->Create("x", /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(*bytes).ok());
  for (const uint64_t edit : {0, 8, 15}) {
    const auto report = ReportLsm(*memory, "x", {.edit = edit});
    CHECK_MESSAGE(report.ok(), report.status().ToString());
  }
  CHECK(ReportLsm(*memory, "x", {.edit = 16}).status().code() == Code::kCorruption);
  CHECK(ReportLsm(*memory, "x").status().code() == Code::kCorruption);
}

TEST_CASE("ReportLsm: there is no edit beyond the last") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/cursor";
  CHECK(ReportLsm(Files(), path, {.edit = 23}).status().code() == Code::kInvalidArgument);
}

TEST_CASE("DiffLsm: each step to the next edit adds up to the whole way") {
  for (const std::string& path : FixtureDatabases()) {
    CAPTURE(path);
    const uint64_t edits = Shape(path).manifest_edits;
    int64_t net = 0;
    for (uint64_t edit = 0; edit < edits; edit++) {
      const LsmReport a = Shape(path, {.edit = edit}), b = Shape(path, {.edit = edit + 1});
      for (const FamilyDiff& diff : DiffLsm(a, b)) {
        net += static_cast<int64_t>(diff.only_b.size()) - static_cast<int64_t>(diff.only_a.size());
      }
    }
    int64_t files = 0;
    for (const FamilyReport& family : Shape(path).families) {
      files += static_cast<int64_t>(family.files);
    }
    CHECK(net == files);
  }
}

// ---- ten thousand tables

class ManyTables {
 public:
  static constexpr FileNumber kTables = 10000;

  ManyTables() {
    VersionBuilder builder(BytewiseComparator(), nullptr, 7);
    REQUIRE(builder.Apply(Files()).ok());
    DatabaseState state;
    state.counters.next_file_number = kTables + 100;
    state.counters.last_sequence = kTables * 10;
    FamilyState family;
    family.name = "default";
    family.comparator = BytewiseComparator();
    family.comparator_name = BytewiseComparator()->name();
    auto version = builder.Build(nullptr, state.counters.last_sequence);
    REQUIRE_MESSAGE(version.ok(), version.status().ToString());
    family.version = *version;
    state.families.Add(std::move(family));
    auto writer = ManifestWriter::Create(varve::Files(), path(), kTables + 50, state, {});
    REQUIRE_MESSAGE(writer.ok(), writer.status().ToString());
  }

  const std::string& path() const { return directory_.path(); }

 private:
  static std::string Key(uint64_t n) {
    char text[32];
    std::snprintf(text, sizeof text, "user%012u", static_cast<unsigned>(n));
    return text;
  }

  // 900 tables on level 5 and the rest on level 6, each a sparse file of 64 MiB.
  VersionEdit Files() const {
    VersionEdit edit;
    for (FileNumber number = 1; number <= kTables; number++) {
      const bool upper = number <= 900;
      const uint64_t from = upper ? number * 10000 : number * 1000;
      const uint64_t to = from + (upper ? 9000 : 999);  // The tenth table begins right there.
      FileDescription file;
      file.number = number;
      file.size = 64 << 20;
      file.smallest = EncodeInternalKey({Key(from), number * 2, ValueType::kValue});
      file.largest = EncodeInternalKey({Key(to), number * 2 + 1, ValueType::kValue});
      file.smallest_sequence = number * 2;
      file.largest_sequence = number * 2 + 1;
      file.epoch = number;
      edit.new_files.push_back({upper ? 5 : 6, file});
      char name[32];
      std::snprintf(name, sizeof name, "%06u.sst", static_cast<unsigned>(number));
      std::FILE* table = std::fopen((directory_ / name).c_str(), "w");
      REQUIRE(table != nullptr);
      CHECK(ftruncate(fileno(table), 64 << 20) == 0);
      std::fclose(table);
    }
    return edit;
  }

  const ScratchDirectory directory_;
};

TEST_CASE("ReportLsm: ten thousand tables take less than a second") {
  const ManyTables database;
  Clock& clock = *NativeEnvironment().clock;
  uint64_t best = ~uint64_t{0};
  for (int run = 0; run < 3; run++) {
    const uint64_t start = clock.NowMicros();
    const LsmReport report = Shape(database.path());
    best = std::min(best, clock.NowMicros() - start);
    CHECK(report.families[0].files == ManyTables::kTables);
    CHECK(report.missing.empty());
    CHECK(report.orphans.empty());
    CHECK(report.families[0].levels[5].files[500].overlap->files == 10);
  }
  MESSAGE("10,000 tables: " << best / 1000 << " ms");
  CHECK(best < 1'000'000);
}

// After the MANIFEST was read for the first time, a table is not there. If `moves`, the MANIFEST
// has grown by then: somebody deleted it.
class TableGone final : public ForwardingFs {
 public:
  explicit TableGone(bool moves) : ForwardingFs(NewReadOnlyFileSystem(Files())), moves_(moves) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (path.find("MANIFEST") != std::string::npos) ++reads;
    if (reads == 1 && !gone_.empty() && path.ends_with(gone_)) {
      return Status::NotFound(path + ": is gone");
    }
    return ForwardingFs::OpenForRead(path, direct);
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    auto entries = ForwardingFs::List(directory);
    if (!entries.ok() || reads > 1) return entries;
    const auto table = std::find_if(entries->begin(), entries->end(),
                                    [](const auto& entry) { return entry.name.ends_with(".sst"); });
    gone_ = table->name;
    entries->erase(table);
    return entries;
  }
  Result<uint64_t> FileSize(const std::string& path) override {
    const Result<uint64_t> size = ForwardingFs::FileSize(path);
    return size.ok() && moves_ && reads == 1 ? Result<uint64_t>(*size + 1) : size;
  }

  int reads = 0;  // Of the MANIFEST.

 private:
  const bool moves_;
  std::string gone_;  // The table's name.
};

TEST_CASE("ReportLsm: a table of another size than the MANIFEST says is named, with both sizes") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/cursor";
  const ScratchDirectory scratch;
  std::filesystem::copy(path, scratch / "db");
  const LsmReport sound = Shape(scratch / "db");
  CHECK(sound.wrong_size.empty());
  CHECK(sound.has_all_files());
  std::string name;
  for (const LevelReport& level : sound.families[0].levels) {
    if (!level.files.empty()) name = level.files[0].name;
  }
  REQUIRE_FALSE(name.empty());
  const std::string table = scratch / ("db/" + name);
  const uint64_t size = std::filesystem::file_size(table);
  std::filesystem::resize_file(table, size - 1);
  const LsmReport cut = Shape(scratch / "db");
  CHECK(cut.wrong_size == std::vector{name + ": " + std::to_string(size - 1) + " bytes, not " +
                                      std::to_string(size)});
  CHECK(cut.missing.empty());
  CHECK_FALSE(cut.has_all_files());
}

TEST_CASE("ReportLsm: beside a writer nothing is missing that a later edit deleted") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/cursor";
  TableGone damaged(/*moves=*/false), live(/*moves=*/true);
  const auto missing = ReportLsm(damaged, path, {});
  REQUIRE_MESSAGE(missing.ok(), missing.status().ToString());
  CHECK(missing->missing.size() == 1);
  CHECK(damaged.reads == 1);
  const auto complete = ReportLsm(live, path, {});
  REQUIRE_MESSAGE(complete.ok(), complete.status().ToString());
  CHECK(complete->missing.empty());
  CHECK(live.reads == 2);
}

}  // namespace
}  // namespace varve
