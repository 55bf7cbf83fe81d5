// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/layout.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "core/base/bytes/byte_writer.h"
#include "core/inspect/table/table_layout.h"
#include "core/inspect/target.h"
#include "core/inspect/wal/log_layout.h"
#include "core/wal/log_writer.h"
#include "tests/scratch_directory.h"
#include "varve/environment.h"
#include "varve/write_batch.h"

namespace varve {
namespace {

FileSystem& Fs() { return *NativeEnvironment().file_system; }

std::string Slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Every node of `tree` lies where it says, and its children tile it.
void CheckTiles(const LayoutNode& node) {
  if (node.is_leaf()) return;
  uint64_t at = node.offset;
  for (const LayoutNode& child : node.children) {
    REQUIRE_EQ(child.offset, at);
    REQUIRE(child.size > 0);
    REQUIRE_FALSE(child.name.empty());
    at += child.size;
    CheckTiles(child);
  }
  REQUIRE_EQ(at, node.offset + node.size);
}

void CheckTree(const LayoutNode& tree, std::string_view file) {
  CheckTiles(tree);
  REQUIRE_EQ(SumOfLeaves(tree), tree.size);
  std::string again;
  EncodeLayout(tree, &again);
  REQUIRE(again == file.substr(tree.offset, tree.size));
}

void EachLeaf(const LayoutNode& node, const std::function<void(const LayoutNode&)>& use) {
  if (node.is_leaf()) use(node);
  for (const LayoutNode& child : node.children) EachLeaf(child, use);
}

uint64_t UndecodedBytes(const LayoutNode& tree) {
  uint64_t bytes = 0;
  EachLeaf(tree, [&](const LayoutNode& leaf) {
    if (leaf.name == "undecoded" || leaf.name == "unreferenced") bytes += leaf.size;
  });
  return bytes;
}

// The whole of a table; what is not decoded of it is returned.
uint64_t CheckTable(const std::string& path) {
  const std::string file = Slurp(path);
  const auto layout = TableLayout::Open(Fs(), path);
  REQUIRE_MESSAGE(layout.ok(), layout.status().ToString());
  uint64_t at = 0, undecoded = 0;
  for (const TablePart& part : (*layout)->parts()) {
    REQUIRE_EQ(part.offset, at);
    at += part.size;
    const LayoutNode tree = (*layout)->Expand(part);
    REQUIRE_EQ(tree.offset, part.offset);
    REQUIRE_EQ(tree.size, part.size);
    CheckTree(tree, file);
    if (tree.note != "padding") undecoded += UndecodedBytes(tree);
    if (!part.is_block()) continue;
    const auto decoded = (*layout)->ExpandDecoded(part);
    if (!decoded.ok()) {
      undecoded += part.size;
      continue;
    }
    CheckTiles(*decoded);
    REQUIRE_EQ(SumOfLeaves(*decoded), decoded->size);
    undecoded += UndecodedBytes(*decoded);
  }
  REQUIRE_EQ(at, file.size());
  return undecoded;
}

uint64_t CheckLog(const std::string& path, LogKind kind) {
  const std::string file = Slurp(path);
  const auto layout = LogLayout::Open(Fs(), path, kind);
  REQUIRE_MESSAGE(layout.ok(), layout.status().ToString());
  uint64_t at = 0, undecoded = 0;
  while (true) {
    const auto part = (*layout)->Next();
    REQUIRE_MESSAGE(part.ok(), part.status().ToString());
    if (!*part) break;
    REQUIRE_EQ((*part)->offset, at);
    at += (*part)->size;
    CheckTree(**part, file);
    undecoded += UndecodedBytes(**part);
  }
  REQUIRE_EQ(at, file.size());
  return undecoded;
}

uint64_t CheckFile(const std::string& path) {
  const auto kind = IdentifyTarget(Fs(), path);
  if (!kind.ok()) return 0;
  switch (*kind) {
    case TargetKind::kTable:
      return CheckTable(path);
    case TargetKind::kManifest:
      return CheckLog(path, LogKind::kManifest);
    case TargetKind::kWal:
      return CheckLog(path, LogKind::kWal);
    case TargetKind::kDatabase:
    case TargetKind::kDirectory:
    case TargetKind::kUnknown:
      break;
  }
  return 0;
}

TEST_CASE("Layout: every byte of every table of the fixtures is a leaf's, and comes back") {
  // Whole formats that are not implemented.
  const std::set<std::string> foreign = {"r119_plain_table.sst", "r78_plain_table.sst",
                                         "r78_cuckoo_table.sst"};
  int tables = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VARVE_FIXTURES "/sst")) {
    if (entry.path().extension() == ".json") continue;
    const std::string name = entry.path().filename();
    CAPTURE(name);
    const uint64_t undecoded = CheckTable(entry.path());
    CHECK((undecoded > 0) == foreign.contains(name));
    ++tables;
  }
  CHECK(tables > 100);
}

TEST_CASE("Layout: every table, WAL and MANIFEST of the golden databases comes back") {
  std::map<std::string, int> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(VARVE_FIXTURES) + "/db")) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path();
    CAPTURE(path);
    const auto kind = IdentifyTarget(Fs(), path);
    if (!kind.ok()) continue;
    ++files[std::string(TargetKindName(*kind))];
    CheckFile(path);
  }
  CHECK(files["sst"] > 50);
  CHECK(files["manifest"] > 30);
  CHECK(files["wal"] > 30);
}

TEST_CASE("Layout: intact logs have no byte that is not decoded") {
  for (const char* release : {"rocksdb-7.8.3", "rocksdb-11.9", "leveldb-1.23"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::string(VARVE_FIXTURES "/db/") + release)) {
      const std::string path = entry.path();
      const std::string name = entry.path().filename();
      // A recycled file ends with what it held before; a torn one with half a record.
      if (!entry.is_regular_file() || path.find("recycle") != path.npos ||
          path.find("torn") != path.npos) {
        continue;
      }
      CAPTURE(path);
      if (name.starts_with("MANIFEST-")) CHECK_EQ(CheckLog(path, LogKind::kManifest), 0);
      if (entry.path().extension() == ".log") CHECK_EQ(CheckLog(path, LogKind::kWal), 0);
    }
  }
}

TEST_CASE("Layout: a record is one part, wherever in a block its fragments end") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "log";
  auto file = Fs().Create(path, /*direct=*/false);
  REQUIRE(file.ok());
  LogWriter writer(*std::move(file));
  // The values end at every place around a block's end, and the last one is in 33 fragments.
  int written = 0;
  for (size_t size = 32700; size <= 32760; ++size) {
    WriteBatch batch;
    batch.Put("k", std::string(size, 'v'));
    REQUIRE(writer.Append(batch.bytes()).ok());
    ++written;
  }
  WriteBatch batch;
  batch.Put("k", std::string(1 << 20, 'v'));
  REQUIRE(writer.Append(batch.bytes()).ok());
  REQUIRE(writer.Close().ok());
  CHECK_EQ(CheckLog(path, LogKind::kWal), 0);
  const auto layout = LogLayout::Open(Fs(), path, LogKind::kWal);
  REQUIRE(layout.ok());
  int records = 0;
  for (auto part = (*layout)->Next(); part.ok() && *part; part = (*layout)->Next()) {
    if ((*part)->name == "padding") continue;
    CAPTURE((*part)->offset);
    CHECK_EQ((*part)->name, "record");
    CHECK_EQ((*part)->note, "");
    ++records;
  }
  CHECK_EQ(records, written + 1);
}

TEST_CASE("Layout: a changed byte is laid out too") {
  const ScratchDirectory scratch;
  std::mt19937_64 random(3);
  for (const char* source :
       {"/sst/r119_part_filter_fv7_decoupled.sst", "/sst/r119_sepkv.sst", "/sst/ldb123_bloom.ldb",
        "/sst/r78_data_hash_index.sst", "/db/vectors/MANIFEST-000005", "/db/vectors/000011.log"}) {
    const std::string bytes = Slurp(std::string(VARVE_FIXTURES) + source);
    for (int i = 0; i < 200; ++i) {
      std::string damaged = bytes;
      const size_t at = random() % damaged.size();
      damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
      if (i % 20 == 0) damaged.resize(random() % damaged.size());
      CAPTURE(source);
      CAPTURE(at);
      const std::string path = scratch / "file";
      std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
      const std::string_view name = source;
      if (name.find("MANIFEST") != name.npos) {
        CheckLog(path, LogKind::kManifest);
      } else if (name.ends_with(".log")) {
        CheckLog(path, LogKind::kWal);
      } else if (!damaged.empty()) {
        CheckTable(path);
      }
    }
  }
}

TEST_CASE("Layout: a leaf has the decoded value, not its encoding") {
  std::string bytes;
  AppendVarint64(&bytes, 300);
  bytes += std::string("\x85\x00", 2);  // 5, in two bytes.
  AppendFixed32(&bytes, 0x01020304);
  bytes += "key";
  LayoutNode root{.name = "root", .offset = 10, .size = bytes.size()};
  LayoutCutter cut(bytes, 10, &root);
  CHECK(cut.Varint("a"));
  CHECK(cut.Varint("b"));
  CHECK(cut.Fixed32("c"));
  CHECK_FALSE(cut.Fixed64("d"));
  cut.Finish("rest", "too short");
  REQUIRE_EQ(root.children.size(), 4);
  CHECK_EQ(root.children[0].number, 300);
  CHECK_EQ(root.children[1].number, 5);
  CHECK(root.children[1].form == LeafForm::kBytes);
  CHECK_EQ(root.children[2].number, 0x01020304);
  CHECK_EQ(root.children[3].name, "undecoded");
  CHECK_EQ(root.children[3].note, "too short");
  std::string again;
  EncodeLayout(root, &again);
  CHECK(again == bytes);
}

}  // namespace
}  // namespace varve
