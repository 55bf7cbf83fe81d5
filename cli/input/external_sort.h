// SPDX-License-Identifier: Apache-2.0
// ExternalSort sorts more records than fit in memory: full buffers are sorted and written as runs
// to temporary files, which are merged when read back. Of several records with the same key the
// last one added counts. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varve/comparator.h"
#include "varve/file_system.h"
#include "varve/status.h"

namespace varve::cli {

class ExternalSort {
 public:
  // Runs go to "<directory>/run-N"; the directory must exist. About `memory` bytes are used.
  ExternalSort(FileSystem& fs, std::string directory, const Comparator& order, uint64_t memory);
  ~ExternalSort();  // Removes the runs.

  Status Add(std::string_view key, std::string_view value);
  // Calls use(key, value) in order, each key once; stops at the first failure. Call once.
  Status Drain(const std::function<Status(std::string_view, std::string_view)>& use);

  uint64_t added() const { return added_; }

 private:
  struct Slot {
    uint64_t head;    // The first eight bytes of the key, big-endian: decides most comparisons.
    uint64_t offset;  // Of the record in records_: key size, value size, key, value.
  };
  class RunReader;

  std::string_view KeyAt(uint64_t offset) const;
  std::string_view ValueAt(uint64_t offset) const;
  void SortBuffer();
  Status WriteRun();

  FileSystem& fs_;
  const std::string directory_;
  const Comparator& order_;
  const uint64_t memory_;
  std::string records_;
  std::vector<Slot> slots_;
  std::vector<std::string> runs_;
  uint64_t added_ = 0;
};

}  // namespace varve::cli
