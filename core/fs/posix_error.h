// SPDX-License-Identifier: Apache-2.0
// What the operating system said, as a Status.
#pragma once

#include <string>
#include <string_view>

#include "varve/status.h"

namespace varve {

// "path: open: No such file or directory", with the code that tells what the caller can do.
Status PosixError(std::string_view path, std::string_view call, int error_number);

}  // namespace varve
