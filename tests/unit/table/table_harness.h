// SPDX-License-Identifier: Apache-2.0
// What the tests of table/ share: entries that own their bytes, building a table in memory,
// reading one back both ways.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/fs/memory_fs.h"
#include "core/table/read/table_reader.h"
#include "core/table/write/table_builder.h"

namespace varve {

struct TableEntry {
  std::string key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;

  InternalKey internal_key() const { return {key, sequence, type}; }
  bool operator==(const TableEntry&) const = default;
};

inline TableEntry EntryOf(const InternalIterator& it) {
  return {std::string(it.key().user_key), it.key().sequence, it.key().type,
          std::string(it.value())};
}

// All entries from first to last, through Next().
inline std::vector<TableEntry> ReadForward(const TableReader& table) {
  std::vector<TableEntry> entries;
  const auto it = table.NewIterator({});
  for (it->SeekToFirst(); it->Valid(); it->Next()) entries.push_back(EntryOf(*it));
  CHECK_MESSAGE(it->status().ok(), it->status().ToString());
  return entries;
}

// All entries from last to first, through Prev().
inline std::vector<TableEntry> ReadBackward(const TableReader& table) {
  std::vector<TableEntry> entries;
  const auto it = table.NewIterator({});
  for (it->SeekToLast(); it->Valid(); it->Prev()) entries.push_back(EntryOf(*it));
  CHECK_MESSAGE(it->status().ok(), it->status().ToString());
  return entries;
}

struct TestTable {
  std::vector<TableEntry> entries;  // Sorted.
  std::vector<RangeTombstone> tombstones;
};

// A file system in memory with the tables that a test builds.
class TableHarness {
 public:
  static constexpr const char* kPath = "/000007.sst";

  Status Build(const TableOptions& options, const TestTable& contents,
               const Comparator& comparator = *BytewiseComparator(), TableOrigin origin = {}) {
    if (options.format_version >= 6) origin.base_context_checksum = 0x3f062031;
    file_ = *fs_->Create(kPath, false);
    builder_ = std::make_unique<TableBuilder>(options, comparator, std::move(origin), file_.get());
    for (const TableEntry& entry : contents.entries) {
      if (Status s = builder_->Add(entry.internal_key(), entry.value); !s.ok()) return s;
    }
    for (const RangeTombstone& t : contents.tombstones) {
      if (Status s = builder_->AddRangeTombstone(t.begin, t.end, t.sequence); !s.ok()) return s;
    }
    Status finished = builder_->Finish();
    if (!finished.ok()) return finished;
    return file_->Close();
  }

  Result<std::unique_ptr<TableReader>> Open(const TableReaderOptions& options = {}) {
    auto file = fs_->OpenForRead(kPath, false);
    if (!file.ok()) return file.status();
    return TableReader::Open(*std::move(file), options);
  }

  std::string Bytes() { return *ReadFileToString(*fs_, kPath, uint64_t{1} << 30); }
  void Replace(std::string_view bytes) {
    const auto file = *fs_->Create(kPath, false);
    REQUIRE(file->Append(bytes).ok());
    REQUIRE(file->Close().ok());
  }

  const TableBuilder& builder() const { return *builder_; }

 private:
  std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<TableBuilder> builder_;
};

}  // namespace varve
