// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_error.h"

#include <cerrno>
#include <system_error>

namespace varve {

Status PosixError(std::string_view path, std::string_view call, int error_number) {
  std::string message(path);
  message.append(": ").append(call).append(": ");
  message += std::generic_category().message(error_number);  // Thread-safe, unlike strerror().
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return Status::NotFound(std::move(message));
    case ENOSPC:
    case EDQUOT:
      return Status::NoSpace(std::move(message));
    default:
      return Status::IoError(std::move(message));
  }
}

}  // namespace varve
