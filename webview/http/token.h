// SPDX-License-Identifier: Apache-2.0
// The secret that tells the user who started the server from everybody else on the machine.
#pragma once

#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve::http {

// 128 bits from the system, in hex.
Result<std::string> MakeToken();

// Takes as long for a wrong token as for the right one, so that its time tells nothing.
bool TokensEqual(std::string_view expected, std::string_view given);

// At least 32 characters that an Authorization header can hold: the first line of `text`.
Result<std::string> TokenFromFile(const std::string& path);

}  // namespace varve::http
