// SPDX-License-Identifier: Apache-2.0
// The secret that a client shows to a server, as both find it in a file.
#pragma once

#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve {

// The first line of the file at `path`, which only its owner may read: 32 to 256 characters that an
// Authorization header may have. InvalidArgument, IoError.
Result<std::string> ReadTokenFile(const std::string& path);

// Whether it may be one of these.
bool IsToken(std::string_view text);
inline constexpr std::string_view kTokenRule =
    "a token is 32 to 256 letters, digits or -._~+/=, for example from: openssl rand -hex 16";
// Whether only its owner may read the file at `path`. InvalidArgument, IoError.
Status CheckIsPrivate(const std::string& path);

}  // namespace varve
