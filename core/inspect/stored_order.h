// SPDX-License-Identifier: Apache-2.0
// StoredOrder lists a column family's entries in physical order: its logs in write order, then
// table by table, level by level, the range deletions of each behind its entries. It needs no
// comparator, so it works for unknown ones.
//
// Tables are opened one at a time, or all at once with a concurrent writer. One thread.
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
  const Status& status() const;  // Check it when Next() returns false.
  // From the MANIFEST, whether known or not.
  const std::string& comparator_name() const;

 private:
  struct Impl;
  explicit StoredOrder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
