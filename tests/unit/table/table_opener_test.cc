// SPDX-License-Identifier: Apache-2.0
// Tables made by hand, one defect each; that any changed byte is noticed is in corruption_test.cc,
// and that tables of other kinds are refused by name in golden_test.cc.
#include "core/table/read/table_opener.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "block_maker.h"
#include "core/base/bytes/byte_writer.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/footer.h"
#include "core/format/table/metaindex.h"
#include "core/table/block/block_writer.h"
#include "table_harness.h"

namespace varve {
namespace {

constexpr uint32_t kBase = 0x3f062031;

struct HandMade {
  uint32_t version = 5;
  TableProperties properties = {};
  bool with_properties = true;
  std::map<std::string, std::string> meta_blocks = {};  // By their names in the metaindex.
  std::function<void(Metaindex*)> change_metaindex = [](Metaindex*) {};
  std::function<void(std::string*)> change_bytes = [](std::string*) {};

  std::string Bytes() const {
    const uint32_t base = version >= 6 ? kBase : 0;
    const auto fs = NewMemoryFileSystem();
    const auto file = *fs->Create("t", false);
    BlockWriter writer(file.get(), {.type = ChecksumType::kXxh3, .base_context = base});
    const BlockHandle data = *writer.Write(PutsOf(NumberedKeys(20), 16), nullptr, {});
    BlockBuilder index({.restart_interval = 1});
    index.AddIndex(EncodeInternalKey({"key100019", 7, ValueType::kValue}), data);
    const BlockHandle index_at = *writer.Write(index.Finish(), nullptr, {});
    Metaindex metaindex;
    for (const auto& [name, bytes] : meta_blocks)
      metaindex[name] = *writer.Write(bytes, nullptr, {});
    if (with_properties) {
      metaindex[std::string(kMetaProperties)] =
          *writer.Write(EncodeTableProperties(properties), nullptr, {});
    }
    if (version >= 6) metaindex[std::string(kMetaIndex)] = index_at;
    change_metaindex(&metaindex);
    Footer footer;
    footer.format_version = version;
    footer.checksum = ChecksumType::kXxh3;
    footer.metaindex = *writer.Write(EncodeMetaindex(metaindex), nullptr, {});
    if (version < 6) footer.index = index_at;
    footer.base_context_checksum = base;
    footer.offset = writer.offset();
    std::string encoded;
    AppendFooter(&encoded, footer);
    REQUIRE(writer.WriteBytes(encoded).ok());
    std::string bytes = *ReadFileToString(*fs, "t", 1 << 20);
    change_bytes(&bytes);
    return bytes;
  }
};

// The state of the table, which reads it as TableReader does; or why it cannot be opened.
Result<std::unique_ptr<TableReader::Impl>> Open(const HandMade& made,
                                                const TableReaderOptions& options = {}) {
  const auto fs = NewMemoryFileSystem();
  const auto file = *fs->Create("000007.sst", false);
  REQUIRE(file->Append(made.Bytes()).ok());
  return OpenTable(*fs->OpenForRead("000007.sst", false), options);
}

std::string Refusal(const HandMade& made, const TableReaderOptions& options = {}) {
  const std::string refusal = Open(made, options).status().ToString();
  CHECK_MESSAGE(refusal.find("000007.sst@") != std::string::npos, refusal);
  return refusal;
}

HandMade With(const std::function<void(TableProperties*)>& change, uint32_t version = 5) {
  HandMade made{.version = version};
  if (version >= 7) made.properties.compression = "BuiltinV2;;";
  change(&made.properties);
  return made;
}

TEST_CASE("OpenTable: a sound table of each version opens, with its properties or without") {
  for (const uint32_t version : {2u, 3u, 5u, 6u, 7u}) {
    CAPTURE(version);
    const auto table = Open(With([](TableProperties* p) { p->entries = 20; }, version));
    REQUIRE_MESSAGE(table.ok(), table.status().ToString());
    CHECK_EQ((*table)->properties.entries, 20u);
    CHECK_EQ((*table)->comparator, BytewiseComparator());
    CHECK_EQ((*table)->global_sequence, 0u);
    CHECK((*table)->tombstones == nullptr);
    CHECK((*table)->filter_status.ok());
    CHECK_FALSE((*table)->bare_keys);
  }
  const auto bare = Open({.with_properties = false});
  REQUIRE(bare.ok());
  CHECK_FALSE((*bare)->has_properties);
  CHECK_EQ((*bare)->comparator, BytewiseComparator());
}

TEST_CASE("OpenTable: the order is the caller's, which the table's must be; else the table's") {
  const auto ordered = [](std::string name) {
    return With([&](TableProperties* p) { p->comparator = std::move(name); });
  };
  CHECK_EQ((*Open(ordered("rocksdb.ReverseBytewiseComparator")))->comparator,
           ReverseBytewiseComparator());
  const auto unknown = Open(ordered("mine\n"));
  REQUIRE(unknown.ok());  // It can still be read in stored order.
  CHECK_EQ((*unknown)->comparator, nullptr);
  CHECK_EQ((*unknown)->comparator_name, "mine\n");
  CHECK_EQ(Refusal(ordered("mine\n"), {.comparator = BytewiseComparator()}),
           "invalid_argument: 000007.sst@0: table is ordered by \"mine\\n\" but opened with "
           "\"leveldb.BytewiseComparator\"");
  const auto silent = Open({}, {.comparator = ReverseBytewiseComparator()});
  CHECK_EQ((*silent)->comparator, ReverseBytewiseComparator());
}

TEST_CASE("OpenTable: the size must be the MANIFEST's, where that says one") {
  const uint64_t size = HandMade().Bytes().size();
  CHECK(Open({}, {.expected_size = size}).ok());
  CHECK_EQ(Refusal({}, {.expected_size = size + 1}),
           "corruption: 000007.sst@0: file has " + std::to_string(size) +
               " bytes, the MANIFEST says " + std::to_string(size + 1));
}

TEST_CASE("OpenTable: a file too small for a footer, or without its magic number, is refused") {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{47}, size_t{48}, size_t{100}}) {
    HandMade made;
    made.change_bytes = [size](std::string* bytes) { bytes->resize(size); };
    CHECK(Refusal(made).starts_with("corruption: "));
  }
}

TEST_CASE("OpenTable: kinds of index that are not known are refused by number") {
  for (const uint32_t kind : {0u, 1u}) {  // A hash index is searched as a binary one.
    CHECK(Open(With([=](TableProperties* p) { p->index_type = kind; })).ok());
  }
  CHECK_EQ(Refusal(With([](TableProperties* p) { p->index_type = 4; })),
           "not_supported: 000007.sst@0: index kind 4");
}

TEST_CASE("OpenTable: from format_version 6 on the metaindex has the index") {
  HandMade made{.version = 6};
  made.change_metaindex = [](Metaindex* metaindex) { metaindex->erase(std::string(kMetaIndex)); };
  CHECK(Refusal(made).ends_with("metaindex has no rocksdb.index"));
}

TEST_CASE("OpenTable: a handle in the metaindex must be within the file") {
  HandMade made;
  made.change_metaindex = [](Metaindex* metaindex) { (*metaindex)["z"] = {uint64_t{1} << 40, 10}; };
  CHECK(Refusal(made).starts_with("corruption: "));
}

TEST_CASE("OpenTable: codec managers of others are refused by name") {
  const auto compressed = [](const char* text) {
    return With([&](TableProperties* p) { p->compression = text; }, 7);
  };
  for (const char* built_in : {"BuiltinV2;;", "BuiltinV2;0407;", ";;", ";07;"}) {
    CHECK(Open(compressed(built_in)).ok());
  }
  CHECK_EQ(Refusal(compressed("Mine;07;")),
           "not_supported: 000007.sst@0: compressed by the unknown codec manager \"Mine\"");
  for (const char* broken : {"ZSTD", "BuiltinV2;"}) {
    CHECK_EQ(Refusal(compressed(broken)),
             "corruption: 000007.sst@0: property rocksdb.compression is \"" + std::string(broken) +
                 "\"");
  }
  CHECK(Open(With([](TableProperties* p) { p->compression = "ZSTD"; }, 5)).ok());
}

TEST_CASE(
    "OpenTable: the sequence of an external file is stored, or the MANIFEST's; both must agree") {
  const auto external = [](std::optional<uint64_t> stored, std::optional<uint32_t> version = 2) {
    return With([&](TableProperties* p) {
      p->external_version = version;
      p->global_seqno = stored;
    });
  };
  const auto sequence = [](const Result<std::unique_ptr<TableReader::Impl>>& table) {
    REQUIRE_MESSAGE(table.ok(), table.status().ToString());
    return (*table)->global_sequence;
  };
  CHECK_EQ(sequence(Open(external(0))), 0u);
  CHECK_EQ(sequence(Open(external(9))), 9u);
  CHECK_EQ(sequence(Open(external(9), {.global_sequence = 9})), 9u);
  CHECK_EQ(sequence(Open(external(0), {.global_sequence = 5})), 5u);
  CHECK_EQ(sequence(Open({}, {.global_sequence = 5})), 0u);  // Not an external file.
  CHECK(Refusal(external(9), {.global_sequence = 5})
            .ends_with("global_seqno is 9, the MANIFEST says 5"));
  CHECK(Refusal(external(kMaxSequence + 1)).ends_with("global_seqno is 72057594037927936"));
  CHECK(Refusal(external(9, std::nullopt))
            .ends_with("property global_seqno without external_sst_file.version 2"));
}

// sst-format 11.2: ingestion writes the number into the file and leaves the checksum.
TEST_CASE(
    "ReadTableProperties: a sequence that was written over later is the one, the rest is checked") {
  HandMade made = With([](TableProperties* p) {
    p->external_version = 2;
    p->global_seqno = 0;
  });
  const auto value_at = [](const std::string& bytes) {
    const std::string_view name = "external_sst_file.global_seqno";
    const size_t at = bytes.find(name);
    REQUIRE(at != std::string::npos);
    return at + name.size();
  };
  made.change_bytes = [&](std::string* bytes) {
    StoreFixed64(bytes->data() + value_at(*bytes), 42);
  };
  const auto table = Open(made);
  REQUIRE_MESSAGE(table.ok(), table.status().ToString());
  CHECK_EQ((*table)->global_sequence, 42u);
  made.change_bytes = [&](std::string* bytes) {
    StoreFixed64(bytes->data() + value_at(*bytes), 42);
    ++(*bytes)[value_at(*bytes) - 1];  // The name.
  };
  CHECK(Refusal(made).starts_with("corruption: "));
}

std::string Tombstones(const std::vector<RangeTombstone>& tombstones, ValueType type) {
  BlockBuilder builder({.restart_interval = 1});
  for (const RangeTombstone& t : tombstones) builder.Add({t.begin, t.sequence, type}, t.end);
  return std::string(builder.Finish());
}

TEST_CASE("OpenTable: range deletions are read as stored, and nothing else is one") {
  HandMade made;
  made.meta_blocks[std::string(kMetaRangeDeletions)] =
      Tombstones({{"a", "c", 9}, {"b", "d", 8}}, ValueType::kRangeDeletion);
  const auto table = Open(made);
  REQUIRE(table.ok());
  REQUIRE_EQ((*table)->raw_tombstones.size(), 2u);
  CHECK_EQ((*table)->raw_tombstones[1].begin, "b");
  CHECK_EQ((*table)->raw_tombstones[1].sequence, 8u);
  CHECK_EQ((*table)->tombstones->NewestCovering("c", kMaxSequence), 8u);
  made.meta_blocks[std::string(kMetaRangeDeletions)] =
      Tombstones({{"a", "c", 9}}, ValueType::kValue);
  CHECK(Refusal(made).ends_with("entry at byte 0 of the block is no range deletion"));
}

TEST_CASE("OpenTable: of an external file the range deletions have its sequence") {
  HandMade made = With([](TableProperties* p) {
    p->external_version = 2;
    p->global_seqno = 42;
  });
  made.meta_blocks[std::string(kMetaRangeDeletions)] =
      Tombstones({{"a", "c", 0}}, ValueType::kRangeDeletion);
  CHECK_EQ((*Open(made))->tombstones->NewestCovering("b", kMaxSequence), 42u);
}

TEST_CASE("OpenTable: a filter that is damaged is not used, and the table opens") {
  HandMade made;
  const std::string name = std::string(kMetaFullFilter) + std::string(kRocksDbFilterName);
  made.meta_blocks[name] = "a filter of some bytes";
  CHECK((*Open(made))->filter_status.ok());
  made.change_bytes = [](std::string* bytes) { ++(*bytes)[bytes->find("some bytes")]; };
  const auto table = Open(made);
  REQUIRE(table.ok());
  CHECK_EQ((*table)->filter_status.code(), Code::kCorruption);
  CHECK((*table)->filter_status.message().find("filter not used") != std::string::npos);
}

TEST_CASE("OpenTable: no data block may be where other blocks are") {
  const auto table = Open({});
  REQUIRE(table.ok());
  const BlockFetcher& fetcher = (*table)->fetcher;
  CHECK_EQ(fetcher.CheckHandle((*table)->index.handle, BlockKind::kData).code(), Code::kCorruption);
  CHECK(fetcher.CheckHandle((*table)->index.handle, BlockKind::kKeyValue).ok());
}

}  // namespace
}  // namespace varve
