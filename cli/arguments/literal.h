// SPDX-License-Identifier: Apache-2.0
// Keys and values as users write them on a command line: core/base/text/literal.h, and
//
//   @file          the file's bytes       -           standard input
//
// The file must be regular, or a stream that this process was started with (/dev/stdin, or <(…) of
// a shell): opening a pipe blocks until its other end is opened, and a device may have no end.
// --key-in and --value-in set the meaning of bare text; a prefix of the literal takes precedence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text/literal.h"
#include "varve/result.h"

namespace varve::cli {

inline const std::vector<std::string> kEncodingNames = {"utf8", "hex", "b64", "esc", "u64be"};

// A literal of the command line, including prefixes, @file and "-". `parameter` is what `text` was
// given for, as errors name it: "key", "--from".
Result<std::string> ParseLiteral(std::string_view parameter, std::string_view text, Encoding bare);
// The same for a flag that may be absent.
Result<std::optional<std::string>> ParseOptionalLiteral(std::string_view parameter,
                                                        const std::optional<std::string>& text,
                                                        Encoding bare);

}  // namespace varve::cli
