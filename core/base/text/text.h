// SPDX-License-Identifier: Apache-2.0
// Bytes as text for people: every message that shows a key or a checksum uses this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varve {

// Printable UTF-8 is unchanged; tab, newline and backslash become \t, \n and \\; every other byte
// becomes \xNN. Different bytes give different text, on one line.
std::string EscapeForDisplay(std::string_view bytes);

// How many leading bytes are printable ASCII other than `"` and `\`, which JSON need not escape
// either.
size_t PlainAsciiLength(std::string_view bytes);

// Lower-case hex. Of a number: at least `digits`, so Hex(10) is "a" and Hex(10, 8) "0000000a".
std::string HexBytes(std::string_view bytes);
std::string Hex(uint64_t number, int digits = 1);

// "path@4096": the beginning of every message about bytes in a file.
std::string FileOffset(std::string_view path, uint64_t offset);

}  // namespace varve
