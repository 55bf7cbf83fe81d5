// SPDX-License-Identifier: Apache-2.0
// Tree lays the operations of a History out as a database would: the oldest at level 2, then level
// 1, then level-0 tables, then memtables. The tables are real ones in a memory file system. Nothing
// is dropped, so that a reader at any sequence number finds what it must see; unless the tables are
// to be as RocksDB leaves them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/format/file_name.h"
#include "core/fs/memory_fs.h"
#include "core/table/block/clock_cache.h"
#include "core/table/cache/table_cache.h"
#include "core/table/write/table_builder.h"
#include "tests/unit/engine/history.h"

namespace varve {

class Tree {
 public:
  struct Setup {
    TableOptions tables = {.block_size = 64};
    uint64_t cache_bytes = 1 << 20;
    int max_open_files = -1;
    bool direct_reads = false;
    TableGrades grades = {};
    FileSystem* fs = nullptr;  // Null: one in memory.
    std::string directory = "db";
    // The tables of a level hold range deletions whole, so that these reach past the tables'
    // bounds, and of those at level 2 some were compacted again on their own, with no snapshot
    // left: the newest versions took sequence 0. Readers before oldest_readable() do not find what
    // they should.
    bool as_rocksdb = false;
  };

  explicit Tree(const History& history) : Tree(history, Setup()) {}
  Tree(const History& history, const Setup& setup)
      : history_(history),
        options_(setup.tables),
        as_rocksdb_(setup.as_rocksdb),
        own_fs_(NewMemoryFileSystem()),
        fs_(setup.fs == nullptr ? own_fs_.get() : setup.fs),
        directory_(setup.directory),
        tables_(*fs_, directory_, std::make_shared<ClockCache>(setup.cache_bytes),
                setup.max_open_files, setup.direct_reads, setup.grades) {
    CHECK(fs_->CreateDirectory(directory_).ok());
  }

  // Cuts the operations at random into what lies where.
  std::shared_ptr<const ReadView> View(std::mt19937& random) {
    const auto& operations = history_.operations();
    std::vector<size_t> cuts = {0, operations.size()};
    for (int i = 0; i < 5; ++i) cuts.push_back(random() % (operations.size() + 1));
    std::sort(cuts.begin(), cuts.end());
    const auto part = [&](size_t i) {
      return std::vector<Operation>(operations.begin() + static_cast<ptrdiff_t>(cuts[i]),
                                    operations.begin() + static_cast<ptrdiff_t>(cuts[i + 1]));
    };
    std::vector<std::vector<FilePtr>> levels(7);
    levels[2] = WriteLevel(part(0), random, as_rocksdb_);
    levels[1] = WriteLevel(part(1), random, false);
    if (as_rocksdb_ && cuts[1] > 0) oldest_readable_ = operations[cuts[1] - 1].sequence;
    for (size_t i = 2; i < 4; ++i) {
      if (FilePtr file = WriteTable(part(i))) levels[0].insert(levels[0].begin(), std::move(file));
    }
    auto view = std::make_shared<ReadView>(*history_.View());
    view->immutables = {Fill(part(4))};
    view->memtable = Fill(part(5));
    view->version = std::make_shared<Version>(history_.comparator(), &tables_, std::move(levels),
                                              std::vector<BlobFileMetadata>());
    return view;
  }
  Sequence oldest_readable() const { return oldest_readable_; }

 private:
  using Operation = History::Operation;

  int Compare(const std::string& a, const std::string& b) const {
    return history_.comparator().Compare(a, b);
  }

  std::shared_ptr<MemTable> Fill(const std::vector<Operation>& operations) const {
    auto memtable = MemTable::Create(history_.comparator(), 1);
    for (const Operation& op : operations) {
      memtable->Add(op.sequence, op.type, op.key, op.value);
    }
    return memtable;
  }

  // Up to three disjoint tables; range deletions are cut where the tables are, or only the tables'
  // bounds are.
  std::vector<FilePtr> WriteLevel(const std::vector<Operation>& operations, std::mt19937& random,
                                  bool settle) {
    std::vector<std::string> borders;
    for (int i = 0; i < 2; ++i) borders.push_back(History::RandomKey(random, 60));
    std::sort(borders.begin(), borders.end(),
              [this](const auto& a, const auto& b) { return Compare(a, b) < 0; });
    std::vector<FilePtr> files;
    for (size_t i = 0; i <= borders.size(); ++i) {
      const std::string* from = i == 0 ? nullptr : &borders[i - 1];
      const std::string* to = i == borders.size() ? nullptr : &borders[i];
      std::vector<Operation> within = Clip(operations, from, to);
      if (settle && random() % 2 == 0) within = Settle(within);
      if (FilePtr file = WriteTable(within, from, to)) files.push_back(std::move(file));
    }
    return files;
  }

  // What is left when nobody reads the past and nothing lies below.
  std::vector<Operation> Settle(const std::vector<Operation>& operations) const {
    std::vector<Operation> left;
    for (size_t i = 0; i < operations.size(); ++i) {
      Operation op = operations[i];
      bool hidden = op.type == ValueType::kRangeDeletion || op.type == ValueType::kDeletion;
      bool alone = op.type == ValueType::kValue;  // No operand needs its place in the order.
      for (const Operation& other : operations) {
        if (other.type == ValueType::kRangeDeletion) {
          hidden |= other.sequence > op.sequence && Compare(other.key, op.key) <= 0 &&
                    Compare(op.key, other.value) < 0;
        } else if (Compare(other.key, op.key) == 0 && other.sequence != op.sequence) {
          hidden |= other.sequence > op.sequence && other.type != ValueType::kMerge;
          alone &= other.sequence < op.sequence;
        }
      }
      // A deletion under operands is not missed, for nothing lies below.
      if (hidden) continue;
      if (alone) op.sequence = 0;
      left.push_back(std::move(op));
    }
    return left;
  }

  // What lies in [from, to); null is unbounded.
  std::vector<Operation> Clip(const std::vector<Operation>& operations, const std::string* from,
                              const std::string* to) const {
    std::vector<Operation> within;
    for (Operation op : operations) {
      if (op.type == ValueType::kRangeDeletion) {
        Operation cut = op;
        if (from != nullptr && Compare(op.key, *from) < 0) cut.key = *from;
        if (to != nullptr && Compare(op.value, *to) > 0) cut.value = *to;
        if (Compare(cut.key, cut.value) < 0) within.push_back(as_rocksdb_ ? op : cut);
      } else if ((from == nullptr || Compare(op.key, *from) >= 0) &&
                 (to == nullptr || Compare(op.key, *to) < 0)) {
        within.push_back(op);
      }
    }
    return within;
  }

  // The bounds are cut to [from, to).
  FilePtr WriteTable(std::vector<Operation> operations, const std::string* from = nullptr,
                     const std::string* to = nullptr) {
    std::sort(operations.begin(), operations.end(), [this](const auto& a, const auto& b) {
      const int c = Compare(a.key, b.key);
      return c != 0 ? c < 0 : a.sequence > b.sequence;
    });
    FileDescription description;
    description.number = ++last_number_;
    auto file = fs_->Create(JoinPath(directory_, TableFileName(last_number_)), false);
    CHECK(file.ok());
    TableOrigin origin;
    origin.file_number = last_number_;
    TableBuilder builder(options_, history_.comparator(), std::move(origin), file->get());
    for (const Operation& op : operations) {
      if (op.type == ValueType::kRangeDeletion) {
        if (Compare(op.key, op.value) >= 0) continue;
        CHECK(builder.AddRangeTombstone(op.key, op.value, op.sequence).ok());
      } else {
        CHECK(builder.Add({op.key, op.sequence, op.type}, op.value).ok());
      }
    }
    if (builder.empty()) return nullptr;
    CHECK(builder.Finish().ok());
    CHECK((*file)->Close().ok());
    description.size = builder.file_size();
    description.smallest = builder.smallest();
    description.largest = builder.largest();
    if (from != nullptr && Compare(UserKeyOf(description.smallest), *from) < 0) {
      description.smallest =
          EncodeInternalKey({*from, builder.largest_sequence(), ValueType::kRangeDeletion});
    }
    if (to != nullptr && Compare(UserKeyOf(description.largest), *to) > 0) {
      description.largest = EncodeInternalKey({*to, kMaxSequence, ValueType::kRangeDeletion});
    }
    description.smallest_sequence = builder.smallest_sequence();
    description.largest_sequence = builder.largest_sequence();
    description.epoch = last_number_;
    return std::make_shared<FileMetadata>(std::move(description));
  }

  const History& history_;
  static std::string UserKeyOf(const std::string& encoded) {
    return std::string(DecodeInternalKey(encoded)->user_key);
  }

  const TableOptions options_;
  const bool as_rocksdb_;
  const std::unique_ptr<FileSystem> own_fs_;
  FileSystem* const fs_;
  const std::string directory_;
  TableCache tables_;
  FileNumber last_number_ = 0;
  Sequence oldest_readable_ = 0;
};

}  // namespace varve
