// SPDX-License-Identifier: Apache-2.0
// What reports, layouts, verification and explanations say of a table's point index.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/format/table/block_trailer.h"
#include "core/format/table/hash_index.h"
#include "core/format/table/integer_index.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/explain/table_look.h"
#include "core/inspect/table/table_layout.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/verify/verify.h"
#include "core/table/read/table_state.h"
#include "core/table/write/table_builder.h"
#include "tests/append_block_trailer.h"

namespace varve {
namespace {

const std::string kPath = "/000007.sst";

std::string KeyOf(uint64_t integer) {
  std::string key(8, '\0');
  for (size_t i = 8; i-- > 0; integer >>= 8) key[i] = static_cast<char>(integer);
  return key;
}

class PointTable {
 public:
  explicit PointTable(const std::vector<std::string>& keys,
                      PointIndexKind kind = PointIndexKind::kInteger) {
    const auto file = *fs_->Create(kPath, false);
    TableOptions options;
    options.point_index = kind;
    options.block_size = 300;
    TableBuilder builder(options, *BytewiseComparator(), {}, file.get());
    for (const std::string& key : keys) {
      REQUIRE(builder.Add({key, 9, ValueType::kValue}, "value of " + key).ok());
    }
    REQUIRE(builder.Finish().ok());
    REQUIRE(file->Close().ok());
  }

  FileSystem& fs() { return *fs_; }
  std::unique_ptr<TableReader> Open() {
    return *TableReader::Open(*fs_->OpenForRead(kPath, false), {});
  }
  // Changes the index; the bytes of the new one must be as many.
  template <typename Change>
  void ChangeIndex(const Change& change) {
    const BlockHandle handle = *FindMeta(Open()->impl().metaindex, kMetaIntegerIndex);
    IntegerIndex index = *DecodeIntegerIndex(BytesOf(handle));
    change(&index);
    ReplaceBytes(handle, EncodeIntegerIndex(index));
  }
  template <typename Change>
  void ChangeHashIndex(const Change& change) {
    const BlockHandle handle = *FindMeta(Open()->impl().metaindex, kMetaHashIndex);
    HashIndex index = *DecodeHashIndex(BytesOf(handle));
    change(&index);
    ReplaceBytes(handle, EncodeHashIndex(index));
  }

 private:
  std::string Bytes() { return *ReadFileToString(*fs_, kPath, uint64_t{1} << 30); }
  std::string BytesOf(BlockHandle handle) { return Bytes().substr(handle.offset, handle.size); }
  void ReplaceBytes(BlockHandle handle, std::string block) {
    REQUIRE(block.size() == handle.size);
    std::string bytes = Bytes();
    AppendBlockTrailer(&block, CompressionType::kNone, ChecksumType::kXxh3, 0, handle.offset);
    bytes.replace(handle.offset, block.size(), block);
    const auto file = *fs_->Create(kPath, false);
    REQUIRE(file->Append(bytes).ok());
    REQUIRE(file->Close().ok());
  }

  std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();
};

// All numbers to 300; without those that 3 divides; their squares.
std::vector<std::string> KeysOf(IntegerIndex::Form form) {
  std::vector<std::string> keys;
  for (uint64_t i = 0; i < 300; ++i) {
    if (form == IntegerIndex::Form::kDense && i % 3 == 0 && i % 2 == 1) continue;
    keys.push_back(KeyOf(form == IntegerIndex::Form::kPiecewise ? 1000 * i : i));
  }
  return keys;
}

constexpr IntegerIndex::Form kForms[] = {IntegerIndex::Form::kAllOne, IntegerIndex::Form::kDense,
                                         IntegerIndex::Form::kPiecewise};

TEST_CASE("ReportTable: says which form a point index has, and why a table has none") {
  for (const IntegerIndex::Form form : kForms) {
    PointTable table(KeysOf(form));
    const auto report = ReportTable(table.fs(), kPath);
    REQUIRE(report.ok());
    CHECK(report->point_index == IntegerFormName(form));
    CHECK(report->point_index_bytes > 0);
    CHECK(report->point_index_why.empty());
    CHECK(report->warnings.empty());
  }
  PointTable none({"a", "bc"});
  const auto report = ReportTable(none.fs(), kPath);
  CHECK(report->point_index == "none");
  CHECK(report->point_index_why == "keys of 1 and of 2 bytes");
  PointTable other(KeysOf(IntegerIndex::Form::kAllOne));
  other.ChangeIndex([](IntegerIndex* index) { --index->blocks[0].handle.size; });
  const auto unusable = ReportTable(other.fs(), kPath);
  CHECK(unusable->point_index == "unusable");
  REQUIRE(unusable->warnings.size() == 1);
  CHECK(unusable->warnings[0].find("block 0 is not where") != std::string::npos);
}

TEST_CASE("TableLayout: the bytes of a point index are taken apart") {
  for (const IntegerIndex::Form form : kForms) {
    PointTable table(KeysOf(form));
    const std::string bytes = *ReadFileToString(table.fs(), kPath, uint64_t{1} << 30);
    const auto layout = TableLayout::Open(table.fs(), kPath);
    REQUIRE(layout.ok());
    int found = 0;
    for (const TablePart& part : (*layout)->parts()) {
      if (part.kind != TablePartKind::kPointIndex) continue;
      ++found;
      const LayoutNode tree = (*layout)->Expand(part);
      std::string again;
      EncodeLayout(tree, &again);
      CHECK(again == bytes.substr(part.offset, part.size));
      const LayoutNode& payload = tree.children.at(0);
      CHECK(payload.children.at(1).note == IntegerFormName(form));
      for (const LayoutNode& node : payload.children) CHECK(node.name != "undecoded");
      const std::string last = payload.children.back().name;
      CHECK(last == (form == IntegerIndex::Form::kDense    ? "bits"
                     : form == IntegerIndex::Form::kAllOne ? "num_repeats"
                                                           : payload.children.back().name));
    }
    CHECK(found == 1);
  }
}

// Of different sizes.
std::vector<std::string> AnyKeys() {
  std::vector<std::string> keys;
  for (uint64_t i = 0; i < 300; ++i) keys.push_back(KeyOf(i) + std::string(i % 3, 't'));
  return keys;
}

TEST_CASE("A hash index is reported, and its bytes are taken apart") {
  PointTable table(AnyKeys(), PointIndexKind::kAny);
  const auto report = ReportTable(table.fs(), kPath);
  REQUIRE(report.ok());
  CHECK(report->point_index == "hash");
  CHECK(report->point_index_bytes > 300 * 4);
  CHECK(report->warnings.empty());
  const std::string bytes = *ReadFileToString(table.fs(), kPath, uint64_t{1} << 30);
  const auto layout = TableLayout::Open(table.fs(), kPath);
  REQUIRE(layout.ok());
  int found = 0;
  for (const TablePart& part : (*layout)->parts()) {
    if (part.kind != TablePartKind::kPointIndex) continue;
    ++found;
    const LayoutNode tree = (*layout)->Expand(part);
    std::string again;
    EncodeLayout(tree, &again);
    CHECK(again == bytes.substr(part.offset, part.size));
    const LayoutNode& payload = tree.children.at(0);
    for (const LayoutNode& node : payload.children) CHECK(node.name != "undecoded");
    CHECK(payload.children.back().name == "lines");
    CHECK(payload.children.back().children.size() >= 300 / 15);
  }
  CHECK(found == 1);
}

std::string FirstFinding(PointTable& table) {
  const auto report = VerifyTable(table.fs(), kPath, nullptr);
  REQUIRE(report.ok());
  return report->findings.empty() ? "" : report->findings[0].what;
}

TEST_CASE("VerifyTable: a point index that is not that of the entries is found") {
  for (const IntegerIndex::Form form : kForms) {
    PointTable table(KeysOf(form));
    CHECK(FirstFinding(table) == "");
    table.ChangeIndex([](IntegerIndex* index) {
      ++index->blocks[1].entries;
      --index->blocks[2].entries;
    });
    CHECK(FirstFinding(table).find("is entry") != std::string::npos);
  }
  PointTable moved(KeysOf(IntegerIndex::Form::kAllOne));
  moved.ChangeIndex([](IntegerIndex* index) { ++index->smallest; });
  CHECK(FirstFinding(moved).find("is not there, but it is") != std::string::npos);
  PointTable dense(KeysOf(IntegerIndex::Form::kDense));
  dense.ChangeIndex([](IntegerIndex* index) { index->bits[0] ^= 3 << 3; });  // 4 becomes 3.
  CHECK(FirstFinding(dense).find("is not there, but it is") != std::string::npos);
  PointTable unusable(KeysOf(IntegerIndex::Form::kAllOne));
  unusable.ChangeIndex([](IntegerIndex* index) { --index->blocks[0].handle.size; });
  CHECK(FirstFinding(unusable).find("block 0 is not where") != std::string::npos);
}

TEST_CASE("VerifyTable: a hash index that is not that of the entries is found") {
  PointTable table(AnyKeys(), PointIndexKind::kAny);
  CHECK(FirstFinding(table) == "");
  table.ChangeHashIndex([](HashIndex* index) {
    ++index->blocks[1].entries;
    --index->blocks[2].entries;
  });
  CHECK(FirstFinding(table).find("is entry") != std::string::npos);
  PointTable lost(AnyKeys(), PointIndexKind::kAny);
  lost.ChangeHashIndex([](HashIndex* index) { index->lines[3].bytes[4 + 3] ^= 1; });
  CHECK(FirstFinding(lost).find("is not there, but it is") != std::string::npos);
}

TEST_CASE("LookInTable: a hash index answers in the filter's place") {
  const std::vector<std::string> keys = AnyKeys();
  PointTable table(keys, PointIndexKind::kAny);
  const auto reader = table.Open();
  const auto look = [&](const std::string& key) {
    return LookInTable(*reader, *BytewiseComparator(), key, kMaxSequence, LookDepth::kAsGet,
                       nullptr);
  };
  for (const std::string& key : keys) {
    const TableLook there = look(key);
    REQUIRE(there.versions.size() == 1);
    CHECK(there.filter.kind == kAnsweredByPointIndex);
    CHECK(there.filter.may_match);
  }
  int answered = 0;
  for (uint64_t i = 1000; i < 2000; ++i) {
    const TableLook absent = look(KeyOf(i));
    CHECK(absent.versions.empty());
    answered += absent.filter.kind == kAnsweredByPointIndex && !absent.filter.may_match;
  }
  CHECK(answered > 990);
}

TEST_CASE("LookInTable: a point index answers in the filter's place") {
  for (const IntegerIndex::Form form : kForms) {
    const std::vector<std::string> keys = KeysOf(form);
    PointTable table(keys);
    const auto reader = table.Open();
    const auto look = [&](const std::string& key, LookDepth depth) {
      return LookInTable(*reader, *BytewiseComparator(), key, kMaxSequence, depth, nullptr);
    };
    for (const std::string& key : keys) {
      const TableLook there = look(key, LookDepth::kAsGet);
      REQUIRE(there.versions.size() == 1);
      CHECK(there.versions[0].value == "value of " + key);
      CHECK(there.filter.kind == kAnsweredByPointIndex);
      CHECK(there.filter.may_match);
      CHECK(there.blocks.size() == 1);
    }
    const TableLook absent = look(KeyOf(500'500), LookDepth::kAsGet);
    CHECK(absent.filter.kind == kAnsweredByPointIndex);
    CHECK(!absent.filter.may_match);
    CHECK(absent.blocks.empty());
    CHECK(look(keys[5], LookDepth::kFilterOnly).filter.kind == "bloom");
    CHECK(look(keys[5], LookDepth::kAllVersions).filter.kind == "bloom");
  }
}

}  // namespace
}  // namespace varve
