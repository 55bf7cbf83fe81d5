// SPDX-License-Identifier: Apache-2.0
// TableGets is TableReader::Get() alone, on tables in memory whose blocks are cached, so that what a
// table does can be measured separately from finding it. Keys are integers of 8 bytes in random
// steps, values have 20 bytes. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/grades.h"
#include "core/table/read/table_reader.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

class TableGets {
 public:
  struct Shape {
    uint64_t tables = 0;
    uint64_t records = 0;  // Of each table.
    uint64_t step = 1;     // Of the keys, on average; 1: they follow each other.
    TableOptions table = {};
    BlockForm block_form = BlockForm::kLookup;
  };
  // `targets` keys to search for, drawn from all tables alike; all of them exist.
  static Result<std::unique_ptr<TableGets>> Make(const Shape& shape, size_t targets, uint64_t seed);

  size_t targets() const { return targets_.size(); }
  // Bytes of the values found; 0 if one is missing.
  uint64_t Get(size_t target) const;
  // The same for `count` targets from `first` on, as one batch; at most kBatchWindow.
  uint64_t GetMany(size_t first, size_t count) const;

 private:
  struct Target {
    const TableReader* table;
    std::string key;
  };
  TableGets() = default;
  Status Fill(const Shape& shape, size_t targets, uint64_t seed);

  std::unique_ptr<FileSystem> fs_;
  std::vector<std::unique_ptr<TableReader>> tables_;
  std::vector<Target> targets_;
};

}  // namespace varve
