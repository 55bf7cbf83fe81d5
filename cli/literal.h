// SPDX-License-Identifier: Apache-2.0
// Keys and values as people type them.
//
//   bare text      its UTF-8 bytes        hex:6b31    b64:azE=      u64be:42
//   esc:k\x00\n    escapes                @file       the file's bytes
//   -              standard input
//
// --key-in and --value-in set what bare text means; a prefix on the literal wins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

enum class Encoding { kUtf8, kHex, kB64, kEsc, kU64be };

inline const std::vector<std::string> kEncodingNames = {"utf8", "hex", "b64", "esc", "u64be"};
Encoding EncodingByName(std::string_view name);  // Requires one of kEncodingNames.

// The bytes that `text`, in that encoding, stands for; InvalidArgument says what is wrong with it.
Result<std::string> Decode(Encoding encoding, std::string_view text);
// A literal from the command line: prefixes, @file and "-" included.
Result<std::string> ParseLiteral(std::string_view text, Encoding bare);

// Reverses EscapeForDisplay() of core/base/text.h.
Result<std::string> Unescape(std::string_view text);

}  // namespace varve::cli
