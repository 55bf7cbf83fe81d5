// SPDX-License-Identifier: Apache-2.0
// A file system with a certain number of bytes: what is over fails with kNoSpace, after as much of
// it as there is room for was written, as a real disk does it. What is removed gives its bytes
// back. Files are in memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "core/fs/memory_fs.h"
#include "tests/forwarding_file.h"
#include "tests/forwarding_fs.h"

namespace varve::resources {

class BudgetFs final : public ForwardingFs {
 public:
  static constexpr uint64_t kUnlimited = uint64_t{1} << 60;
  static constexpr uint64_t kName = 2048;  // What a file takes beside its bytes.

  BudgetFs() : ForwardingFs(NewMemoryFileSystem()) {}

  // `bytes` more than what is there now fit.
  void Leave(uint64_t bytes);
  // Kinds of files that did not fit: "log", "sst", "MANIFEST", "OPTIONS", "dbtmp" (CURRENT).
  std::set<std::string> refused() const;
  uint64_t used() const;

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override;
  Status Remove(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;

  // For the files: takes as much of `bytes` for `path` as there is room for.
  uint64_t Take(const std::string& path, uint64_t bytes);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> sizes_;  // By path.
  uint64_t used_ = 0;
  uint64_t limit_ = kUnlimited;
  std::set<std::string> refused_;
};

// The kind of a file of a database by its name.
std::string KindOf(const std::string& path);

}  // namespace varve::resources
