// SPDX-License-Identifier: Apache-2.0
// The iterators behind items(), keys() and values().
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/python/open_db.h"

namespace varve::python {

// What an iterator gives of a record.
enum class Part : uint8_t { kItem, kKey, kValue };

// An iterator of the engine, and the engine, which is destroyed after it.
struct Cursor {
  std::shared_ptr<DB> db;
  Iterator it;
};

// Walks over records as the engine's iterator gives them, each once. It reads a few records ahead,
// so that the GIL is not released for each of them: one at first, more as it is used longer. That
// changes nothing of what it sees, which is one state of the database.
class Records {
 public:
  Records(const std::shared_ptr<OpenDb>& open, Cursor cursor, Part part, bool reverse);

  // The next one. Raises StopIteration behind the last, and an error where the engine had one: the
  // records before it have been given. Raises RuntimeError if another thread is in it.
  nanobind::object Next();

 private:
  // Records that were read, one behind the other in `bytes`.
  struct Chunk {
    struct Sizes {
      size_t key, value;
    };
    std::string bytes;
    std::vector<Sizes> sizes;
    std::optional<Status> end;  // Nothing follows, and why.
  };

  Chunk Read(Cursor& cursor) const;
  void Refill();
  [[noreturn]] void Finish();
  nanobind::object Take();

  std::shared_ptr<OpenDb> open_;
  std::unique_ptr<Held<Cursor>> cursor_;
  Part part_;
  bool reverse_;
  bool positioned_ = false;
  bool reading_ = false;  // Now, with the GIL released.
  size_t records_ahead_ = 1;
  Chunk chunk_;
  size_t next_ = 0, offset_ = 0;  // In the chunk.
};

void BindRecords(nanobind::module_& module);

}  // namespace varve::python
