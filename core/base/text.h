// SPDX-License-Identifier: Apache-2.0
// Bytes as people read them: every message that shows a key or a checksum goes through here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varve {

// Printable UTF-8 stays as it is; tab, newline and backslash become \t, \n and \\; every other byte
// becomes \xNN. Different bytes give different text, on one line.
std::string EscapeForDisplay(std::string_view bytes);

// How many bytes at the beginning are printable ASCII other than `"` and `\`: what JSON, too, shows
// as it is.
size_t PlainAsciiLength(std::string_view bytes);

// Lower-case hex. Of a number: at least `digits`, so Hex(10) is "a" and Hex(10, 8) "0000000a".
std::string HexBytes(std::string_view bytes);
std::string Hex(uint64_t number, int digits = 1);

// "path@4096": how every message about bytes in a file begins.
std::string FileOffset(std::string_view path, uint64_t offset);

}  // namespace varve
