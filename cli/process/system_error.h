// SPDX-License-Identifier: Apache-2.0
// Converts errors of the operating system to a Status.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "varve/status.h"

namespace varve::cli {

// "path: No such file or directory" from errno, with the Code that fits the error.
inline Status SystemError(const std::string& path) {
  const int number = errno;
  const Code code = number == ENOENT || number == ENOTDIR  ? Code::kNotFound
                    : number == ENOSPC || number == EDQUOT ? Code::kNoSpace
                                                           : Code::kIoError;
  return Status(code, path + ": " + std::generic_category().message(number));
}

}  // namespace varve::cli
