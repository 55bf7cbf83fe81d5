// SPDX-License-Identifier: Apache-2.0
// A file system of which some files cannot be opened to be read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/fs/memory_fs.h"
#include "tests/forwarding_fs.h"

namespace varve {

class UnreadableFs final : public ForwardingFs {
 public:
  UnreadableFs() : ForwardingFs(NewMemoryFileSystem()) {}
  explicit UnreadableFs(FileSystem& base) : ForwardingFs(base) {}

  // From now on, files whose path contains `part` cannot be opened. The failure is `why`, or
  // else that one may not read them.
  void Refuse(std::string part, std::optional<Status> why = std::nullopt) {
    part_ = std::move(part);
    why_ = std::move(why);
  }
  int refused() const { return refused_; }  // How often.

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (!part_ || path.find(*part_) == std::string::npos) {
      return ForwardingFs::OpenForRead(path, direct);
    }
    ++refused_;
    return why_.value_or(Status::IoError(path + ": open: Permission denied"));
  }

 private:
  std::optional<std::string> part_;
  std::optional<Status> why_;
  int refused_ = 0;
};

}  // namespace varve
