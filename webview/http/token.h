// SPDX-License-Identifier: Apache-2.0
// The secret that authenticates the user who started the server.
#pragma once

#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve::http {

// 128 random bits from the system, in hex.
Result<std::string> MakeToken();

// Takes the same time for wrong and right tokens (no timing side channel).
bool TokensEqual(std::string_view expected, std::string_view given);

}  // namespace varve::http
