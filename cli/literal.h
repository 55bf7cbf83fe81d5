// SPDX-License-Identifier: Apache-2.0
// Keys and values as people type them on a command line: the literals of core/base/literal.h and
//
//   @file          the file's bytes       -           standard input
//
// The file is a regular one, or a stream that this process was started with (/dev/stdin, or <(…) of
// a shell): a pipe waits for whoever opens its other end, and a device may have no end.
// --key-in and --value-in set what bare text means; a prefix on the literal wins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/literal.h"
#include "varve/result.h"

namespace varve::cli {

inline const std::vector<std::string> kEncodingNames = {"utf8", "hex", "b64", "esc", "u64be"};

// A literal from the command line: prefixes, @file and "-" included.
Result<std::string> ParseLiteral(std::string_view text, Encoding bare);

}  // namespace varve::cli
