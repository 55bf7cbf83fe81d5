// SPDX-License-Identifier: Apache-2.0
// StoredOrder walks what a column family has stored, where it lies: its logs in the order of
// writing, then table by table, level by level, the range deletions of each behind its entries.
// It needs no key order, and so works where the comparator is a foreign one.
//
// Tables are opened one at a time, but all at once beside a writer. One thread.
#pragma once

#include <memory>
#include <string>

#include "core/inspect/table/table_report.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

class StoredOrder {
 public:
  static Result<StoredOrder> Open(FileSystem& fs, const std::string& path,
                                  const std::string& family);
  StoredOrder(StoredOrder&&) noexcept;
  StoredOrder& operator=(StoredOrder&&) noexcept;
  ~StoredOrder();

  bool Next(StoredEntry* entry);
  const Status& status() const;  // Read it when Next() turned false.
  // As the MANIFEST names it, known here or not.
  const std::string& comparator_name() const;

 private:
  struct Impl;
  explicit StoredOrder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
