// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/salvage/salvage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/fs/memory_fs.h"
#include "core/inspect/table/table_report.h"
#include "core/table/read/table_state.h"
#include "core/table/write/table_builder.h"
#include "tests/test_bytes.h"
#include "tests/unit/inspect/golden_tables.h"
#include "varve/environment.h"

namespace varve {
namespace {

using Lines = std::vector<std::string>;

std::string LineOf(std::string_view key, Sequence sequence, std::string_view type,
                   std::string_view value) {
  return std::string(key) + '\0' + std::to_string(sequence) + std::string(type) + '\0' +
         std::string(value);
}
std::string KeyOf(const std::string& line) { return line.substr(0, line.find('\0')); }

class CollectingSink : public SalvageSink {
 public:
  Status Begin(const SalvageOrigin& begun) override {
    origin = begun;
    return Status::Ok();
  }
  Status Add(const InternalKey& key, std::string_view value) override {
    lines.push_back(LineOf(key.user_key, key.sequence, ValueTypeName(key.type), value));
    return Status::Ok();
  }
  Status AddRangeDeletion(std::string_view begin, std::string_view end,
                          Sequence sequence) override {
    lines.push_back(LineOf(begin, sequence, "range_delete", end));
    return Status::Ok();
  }
  Lines lines;
  SalvageOrigin origin;
};

// A golden table in memory, and where its parts are.
struct Patient {
  explicit Patient(const GoldenTable& table) {
    auto bytes = ReadFileToString(*NativeEnvironment().file_system, table.path, uint64_t{16} << 20);
    REQUIRE(bytes.ok());
    good = *bytes;
    Put(good);
    auto stream = EntryStream::OpenTable(*fs, "t", {});
    REQUIRE(stream.ok());
    StoredEntry entry;
    while (stream->Next(&entry)) {
      (entry.type == "range_delete" ? deletions : lines)
          .push_back(LineOf(entry.key, entry.sequence, entry.type, entry.value));
    }
    const auto reader = TableReader::Open(*fs->OpenForRead("t", false), {});
    REQUIRE(reader.ok());
    const TableReader::Impl& impl = (*reader)->impl();
    index = impl.index.handle;
    footer = impl.fetcher.footer();
    known_order = (*reader)->comparator() != nullptr;
    bytewise = (*reader)->comparator() == BytewiseComparator() && !impl.bare_keys;
    IndexCursor cursor(impl.index, impl.fetcher, {});
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) blocks.push_back(cursor.handle());
  }
  void Put(std::string_view bytes) {
    auto file = fs->Create("t", false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
  }
  SalvageReport Salvage(CollectingSink* sink, const SalvageOptions& options = {}) {
    auto report = SalvageTable(*fs, "t", options, sink);
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    return *std::move(report);
  }
  Lines All() const {
    Lines all = lines;
    all.insert(all.end(), deletions.begin(), deletions.end());
    return all;
  }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  std::string good;
  Lines lines, deletions;
  std::vector<BlockHandle> blocks;
  BlockHandle index;
  Footer footer;
  bool known_order = true, bytewise = true;
};

template <typename Use>
void ForEachTable(Use use) {
  for (const GoldenTable& table : GoldenTables()) {
    if (table.refused()) continue;
    CAPTURE(table.name);
    use(table);
  }
}

TEST_CASE("SalvageTable: a sound table comes out whole") {
  ForEachTable([](const GoldenTable& table) {
    Patient patient(table);
    CollectingSink sink;
    const SalvageReport report = patient.Salvage(&sink);
    CHECK(sink.lines == patient.All());
    CHECK(report.losses.empty());
    CHECK(report.complete());
    CHECK(report.blocks == patient.blocks.size());
  });
}

TEST_CASE("SalvageTable: a damaged block costs its own entries and no other") {
  int tried = 0;
  ForEachTable([&](const GoldenTable& table) {
    Patient patient(table);
    if (patient.blocks.size() < 3 || patient.footer.checksum == ChecksumType::kNone) return;
    const BlockHandle victim = patient.blocks[patient.blocks.size() / 2];
    std::string bad = patient.good;
    bad[victim.offset + victim.size / 2] ^= 0x20;
    patient.Put(bad);
    CollectingSink sink;
    const SalvageReport report = patient.Salvage(&sink);
    ++tried;
    REQUIRE(report.losses.size() == 1);
    const SalvageLoss& loss = report.losses[0];
    CHECK(loss.offset == victim.offset);
    CHECK(loss.bytes == victim.size + 5);
    CHECK_FALSE(report.complete());
    Lines missing;
    const std::set<std::string> taken(sink.lines.begin(), sink.lines.end());
    for (const std::string& line : patient.lines) {
      if (!taken.contains(line)) missing.push_back(line);
    }
    CHECK(missing.size() + sink.lines.size() == patient.All().size());
    CHECK(!missing.empty());
    if (report.entries_expected) CHECK(loss.entries == missing.size());
    const auto first = std::find(patient.lines.begin(), patient.lines.end(), missing.front());
    CHECK(std::equal(missing.begin(), missing.end(), first));  // Neighbours.
    if (patient.bytewise) {
      for (const std::string& line : missing) {
        CHECK(KeyOf(line) >= loss.key_from.value_or(""));
        CHECK(KeyOf(line) <= loss.key_to.value_or("\xff\xff"));
      }
    }
  });
  CHECK(tried > 80);
}

TEST_CASE("SalvageTable: without a footer or an index, blocks are found by their checksums") {
  int tried = 0;
  ForEachTable([&](const GoldenTable& table) {
    Patient patient(table);
    if (!patient.bytewise || patient.footer.checksum == ChecksumType::kNone) return;
    if (patient.good.size() > 20000) return;  // A long search, for the hour it takes.
    ++tried;
    for (const bool without_footer : {true, false}) {
      CAPTURE(without_footer);
      std::string bad = patient.good;
      if (without_footer) {
        std::fill(bad.begin() + static_cast<ptrdiff_t>(patient.footer.offset), bad.end(), '\0');
      } else {
        bad[patient.index.offset + 1] ^= 0x01;
      }
      patient.Put(bad);
      CollectingSink sink;
      const SalvageReport report = patient.Salvage(&sink);
      CHECK(sink.lines == patient.All());
      CHECK(report.entries_lost() == 0);
      CHECK(report.complete());
      CHECK_FALSE(report.losses.empty());  // What was lost can be made anew, and is named.
    }
  });
  CHECK(tried > 80);
}

TEST_CASE("SalvageTable: of a file that was cut off, the blocks in front remain") {
  int tried = 0;
  ForEachTable([&](const GoldenTable& table) {
    Patient patient(table);
    if (!patient.bytewise || patient.blocks.size() < 4) return;
    if (patient.footer.checksum == ChecksumType::kNone || patient.good.size() > 20000) return;
    if (table.name.find("dict") != std::string::npos) return;      // Lies behind the data.
    if (table.name.find("ingested") != std::string::npos) return;  // So does its sequence.
    ++tried;
    const BlockHandle last = patient.blocks[patient.blocks.size() / 2];
    patient.Put(patient.good.substr(0, last.offset + last.size / 2));
    CollectingSink sink;
    const SalvageReport report = patient.Salvage(&sink);
    REQUIRE(sink.lines.size() <= patient.lines.size());
    CHECK(std::equal(sink.lines.begin(), sink.lines.end(), patient.lines.begin()));
    CHECK(report.blocks == patient.blocks.size() / 2);
    CHECK((report.comparator_assumed || patient.footer.legacy_magic));
    CHECK_FALSE(report.complete());
  });
  CHECK(tried > 60);
}

TEST_CASE(
    "SalvageTable: entries that can be read in spite of a checksum are counted, and taken if "
    "asked for") {
  for (const GoldenTable& table : GoldenTables()) {
    if (table.name != "r78_comp_none_fv5.sst" && table.name != "r119_comp_none_fv4.sst") continue;
    Patient patient(table);
    const BlockHandle victim = patient.blocks[1];
    std::string bad = patient.good;
    bad[victim.offset + victim.size + 2] ^= 0x01;  // Its checksum.
    patient.Put(bad);
    CollectingSink sink;
    const SalvageReport report = patient.Salvage(&sink);
    REQUIRE(report.losses.size() == 1);
    CHECK(report.losses[0].unverified == report.losses[0].entries);
    CHECK(report.unverified_taken == 0);
    CollectingSink daring;
    const SalvageReport taken = patient.Salvage(&daring, {.take_unverified = true});
    CHECK(taken.unverified_taken == report.losses[0].entries);
    CHECK(daring.lines == patient.All());
    return;
  }
  FAIL("no table to try it on");
}

TEST_CASE("SalvageTable: bytes that never were a table give nothing and end") {
  const auto fs = NewMemoryFileSystem();
  const std::string noise = Noise(6000);
  for (const std::string& bytes :
       {noise, std::string(4000, '\0'), std::string(), noise.substr(7, 48)}) {
    auto file = fs->Create("t", false);
    REQUIRE((*file)->Append(bytes).ok());
    CollectingSink sink;
    const auto report = SalvageTable(*fs, "t", {}, &sink);
    REQUIRE(report.ok());
    CHECK(report->entries == 0);
    CHECK(sink.lines.empty());
  }
}

// Else keys that share their beginnings, or 64 KiB blocks, or a codec that the properties do not
// name, come out many times their size.
TEST_CASE("SalvageTable: what a copy's blocks should be like is read from the blocks") {
  const std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  auto file = fs->Create("t", false);
  REQUIRE(file.ok());
  TableOptions options;
  options.compression = CompressionType::kZlib;
  options.block_size = 32768;
  options.block_restart_interval = 64;
  TableBuilder builder(options, *BytewiseComparator(), {}, file->get());
  for (int i = 0; i < 20000; ++i) {
    const std::string key = "key" + std::to_string(100000 + i);
    REQUIRE(builder.Add({key, 1, ValueType::kValue}, "value " + std::to_string(i * i)).ok());
  }
  REQUIRE(builder.Finish().ok());
  CollectingSink sink;
  const auto report = SalvageTable(*fs, "t", {}, &sink);
  REQUIRE(report.ok());
  CHECK_EQ(sink.lines.size(), 20000);
  REQUIRE(sink.origin.shape);
  CHECK_EQ(sink.origin.shape->compression, CompressionType::kZlib);
  CHECK_GT(sink.origin.shape->block_size, 25000);
  CHECK_LT(sink.origin.shape->block_size, 35000);
  CHECK_EQ(sink.origin.shape->restart_interval, 64);
}

}  // namespace
}  // namespace varve
