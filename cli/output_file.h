// SPDX-License-Identifier: Apache-2.0
// OutputFile is where a result goes that replaces the file of its name only when it is complete: it
// is written beside it and renamed. What is no regular file (a device, a pipe) is written to as it
// is; a pipe, if somebody reads from it. One thread.
#pragma once

#include <memory>
#include <string>

#include "cli/leftovers.h"
#include "varve/result.h"

namespace varve::cli {

class OutputFile {
 public:
  // A symbolic link stays: what it leads to is replaced.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // Without Commit(): the file of that name is as it was before.

  int descriptor() const { return fd_; }
  Status Commit();

 private:
  OutputFile() = default;

  std::string path_;
  int fd_ = -1;
  std::unique_ptr<TemporaryPath> beside_;  // Null: written in place.
};

// Would writing to `path` change what is at `input`, or what will be: the same file, or one in that
// directory?
bool IsSameOrWithin(const std::string& path, const std::string& input);
// Is it the file that standard input comes from?
bool IsStandardInput(const std::string& path);

}  // namespace varve::cli
