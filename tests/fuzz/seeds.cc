// SPDX-License-Identifier: Apache-2.0
// Makes the first inputs of all targets from the fixtures: files as they are, and what is in them.
// tests/fuzz/README.md says how a corpus is made of them.
//
//   fuzz_seeds FIXTURES OUT        writes OUT/<target>/<name>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/file_name.h"
#include "core/inspect/table/table_layout.h"
#include "tests/fuzz/mend_log.h"
#include "tests/fuzz/target.h"
#include "varve/environment.h"

namespace varve::fuzz {
namespace {

constexpr uint64_t kFileSizeMax = 12 << 10;
constexpr size_t kBlocksOfTable = 3;

FileSystem& Disk() { return *NativeEnvironment().file_system; }

class Seeds {
 public:
  explicit Seeds(std::string out) : out_(std::move(out)) {}

  void Add(const std::string& target, const std::string& name, std::string_view bytes) {
    const std::string folder = out_ + "/" + target;
    MustBeOk(Disk().CreateDirectory(folder), folder);
    WriteFile(Disk(), folder + "/" + name, bytes);
  }

 private:
  const std::string out_;
};

// The first byte of an input of the target index_block.
char FormOf(const BlockContents& contents) {
  const bool user_keys = contents.keys == BlockContents::Keys::kUserKeys;
  return static_cast<char>(user_keys | contents.index.delta_encoded << 1 |
                           contents.index.has_first_key << 2);
}

void AddBlock(Seeds* seeds, const std::string& name, const TableLayout& layout,
              const TablePart& part) {
  const auto block = layout.Decoded(part);
  if (!block.ok()) return;
  const std::string bytes((*block)->bytes());
  switch (part.kind) {
    case TablePartKind::kData:
    case TablePartKind::kRangeDeletions:
      return seeds->Add("block", name, bytes);
    case TablePartKind::kIndex:
    case TablePartKind::kIndexPartition:
    case TablePartKind::kFilterIndex:
      return seeds->Add("index_block", name, FormOf(*layout.ContentsOf(part.kind)) + bytes);
    case TablePartKind::kFilter:
    case TablePartKind::kFilterPartition:
    case TablePartKind::kPerBlockFilter:
      return seeds->Add("filter", name, bytes);
    case TablePartKind::kProperties:
    case TablePartKind::kMetaindex:
      return seeds->Add("table_meta", name, bytes);
    default:
      return;
  }
}

void AddTable(Seeds* seeds, const std::string& path, const std::string& name) {
  const std::string bytes = ReadFile(Disk(), path);
  if (bytes.size() <= kFileSizeMax) seeds->Add("table", name, bytes);
  if (bytes.size() >= 53) seeds->Add("table_meta", name, bytes.substr(bytes.size() - 53));
  const auto layout = TableLayout::Open(Disk(), path);
  if (!layout.ok() || !(*layout)->is_implemented()) return;
  size_t data = 0;
  for (const TablePart& part : (*layout)->parts()) {
    if (!part.is_block() || part.size > kFileSizeMax) continue;
    if (part.kind == TablePartKind::kData && ++data > kBlocksOfTable) continue;
    AddBlock(seeds, name + "@" + std::to_string(part.offset), **layout, part);
  }
}

void AddLog(Seeds* seeds, const char* target, const std::string& name, std::string_view bytes) {
  seeds->Add(target, name, bytes.substr(0, kFileSizeMax));
  if (std::string_view(target) != "wal") return;
  size_t number = 0;
  for (const std::string& record : RecordsOf(bytes)) {
    if (number < kBlocksOfTable && record.size() < kFileSizeMax) {
      seeds->Add("batch", name + "@" + std::to_string(number++), record);
    }
  }
}

// A file of a database, by its name.
void AddFile(Seeds* seeds, const std::string& path, const std::string& file,
             const std::string& name) {
  const auto parsed = ParseFileName(file);
  if (!parsed) return;
  switch (parsed->kind) {
    case FileKind::kTable:
    case FileKind::kTableLdb:
      return AddTable(seeds, path, name);
    case FileKind::kWal:
      return AddLog(seeds, "wal", name, ReadFile(Disk(), path));
    case FileKind::kManifest:
      return AddLog(seeds, "manifest", name, ReadFile(Disk(), path));
    case FileKind::kOptions:
      return seeds->Add("options_file", name, ReadFile(Disk(), path));
    default:
      return;
  }
}

// `name`: what leads to the directory, for the names of inputs.
void AddTree(Seeds* seeds, const std::string& directory, const std::string& name) {
  const auto entries = Disk().List(directory);
  MustBeOk(entries.status(), directory);
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = directory + "/" + entry.name;
    const std::string below = name.empty() ? entry.name : name + "-" + entry.name;
    if (entry.is_directory) {
      AddTree(seeds, path, below);
    } else if (name == "sst" && !entry.name.ends_with(".json")) {
      AddTable(seeds, path, below);
    } else {
      AddFile(seeds, path, entry.name, below);
    }
  }
}

void Main(const std::string& fixtures, const std::string& out) {
  MustBeOk(Disk().CreateDirectory(out), out);
  Seeds seeds(out);
  AddTree(&seeds, fixtures, "");
}

}  // namespace
}  // namespace varve::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds FIXTURES OUT\n");
    return 2;
  }
  varve::fuzz::Main(argv[1], argv[2]);
}
