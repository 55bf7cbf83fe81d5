// SPDX-License-Identifier: Apache-2.0
// Converts errors of the operating system to a Status.
#pragma once

#include <string>
#include <string_view>

#include "varve/status.h"

namespace varve {

// "path: open: No such file or directory", with the Code that fits the error.
Status PosixError(std::string_view path, std::string_view call, int error_number);

}  // namespace varve
