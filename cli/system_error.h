// SPDX-License-Identifier: Apache-2.0
// What the operating system said, as a Status.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "varve/status.h"

namespace varve::cli {

// "path: No such file or directory", of errno, with the code that tells what the caller can do.
inline Status SystemError(const std::string& path) {
  const int number = errno;
  const Code code = number == ENOENT || number == ENOTDIR  ? Code::kNotFound
                    : number == ENOSPC || number == EDQUOT ? Code::kNoSpace
                                                           : Code::kIoError;
  return Status(code, path + ": " + std::generic_category().message(number));
}

}  // namespace varve::cli
