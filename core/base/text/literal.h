// SPDX-License-Identifier: Apache-2.0
// Keys and values as users write them, on a command line or in the query of a URL.
//
//   bare text      its UTF-8 bytes        hex:6b31    b64:azE=      u64be:42
//   esc:k\x00\n    escapes
//   utf8:…         as bare text, even if it begins like one of these
//
// External sources (@file, "-") are handled by the command line only: cli/arguments/literal.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve {

enum class Encoding : uint8_t { kUtf8, kHex, kB64, kEsc, kU64be };

// "utf8", "hex", "b64", "esc", "u64be"; anything else is kUtf8.
Encoding EncodingByName(std::string_view name);

// Decodes `text` from that encoding; InvalidArgument names the error.
Result<std::string> Decode(Encoding encoding, std::string_view text);
// As Decode(), but a prefix of `text` specifies the encoding; `bare` applies to text without one.
Result<std::string> DecodeLiteral(std::string_view text, Encoding bare);

// Reverses EscapeForDisplay() of text.h.
Result<std::string> Unescape(std::string_view text);

}  // namespace varve
