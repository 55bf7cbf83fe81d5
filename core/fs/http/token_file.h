// SPDX-License-Identifier: Apache-2.0
// The secret that a client shows to a server, as both find it in a file.
#pragma once

#include <string>

#include "varve/result.h"

namespace varve {

// The first line of the file at `path`, which only its owner may read: 32 to 256 characters that an
// Authorization header may have. InvalidArgument, IoError.
Result<std::string> ReadTokenFile(const std::string& path);

}  // namespace varve
