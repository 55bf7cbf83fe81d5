// SPDX-License-Identifier: Apache-2.0
// Iterator walks the visible records of one column family in key order, both ways, over the
// snapshot taken when it was made (or last refreshed).
//
//   for (it->Seek("user:"); it->Valid(); it->Next()) use(it->key(), it->value());
//   if (!it->status().ok()) ...            // Valid() is false at the end *and* on an error.
//
// key() and value() stay valid until the next non-const call. One thread.
#pragma once

#include <memory>
#include <string_view>

#include "varve/export.h"
#include "varve/status.h"

namespace varve {

class DbIterator;

class VARVE_EXPORT Iterator {
 public:
  explicit Iterator(std::unique_ptr<DbIterator> impl);
  ~Iterator();
  Iterator(Iterator&&) noexcept;
  Iterator& operator=(Iterator&&) noexcept;

  void SeekToFirst();
  void SeekToLast();
  void Seek(std::string_view target);         // First record >= target.
  void SeekForPrev(std::string_view target);  // Last record <= target.
  void Next();                                // Requires Valid().
  void Prev();                                // Requires Valid().

  bool Valid() const;
  std::string_view key() const;    // Requires Valid().
  std::string_view value() const;  // Requires Valid().
  const Status& status() const;

  // Moves to the database's present moment; the iterator is then unpositioned.
  Status Refresh();

 private:
  std::unique_ptr<DbIterator> impl_;
};

}  // namespace varve
