// SPDX-License-Identifier: Apache-2.0
// OutputFile writes a result to a temporary file and renames it into place when it is complete.
// Devices and pipes are written directly; a pipe only if it has a reader. One thread.
#pragma once

#include <memory>
#include <string>

#include "cli/process/leftovers.h"
#include "varve/result.h"

namespace varve::cli {

class OutputFile {
 public:
  // Symbolic links are followed: their target is replaced.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // Without Commit(), an existing file stays unchanged.

  int descriptor() const { return fd_; }
  Status Commit();

 private:
  OutputFile() = default;

  std::string path_;
  int fd_ = -1;
  std::unique_ptr<TemporaryPath> beside_;  // Null: written in place.
};

// Whether writing to `path` would change `input`, existing or not: it is the same file, or in that
// directory.
bool IsSameOrWithin(const std::string& path, const std::string& input);
// Whether standard input is read from this file.
bool IsStandardInput(const std::string& path);

}  // namespace varve::cli
