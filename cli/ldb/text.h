// SPDX-License-Identifier: Apache-2.0
// Texts as RocksDB's `ldb` prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/result.h"
#include "varve/types.h"

namespace varve::cli::ldb {

// The bytes before the first NUL: ldb prints most keys and values as C strings.
std::string_view AsCString(std::string_view bytes);

std::string Hex(std::string_view bytes);      // "00FF"
std::string HexWord(std::string_view bytes);  // "0x00FF"
// Bytes of "0x00ff".
Result<std::string> FromHexWord(const std::string& word);

// "'key' seq:5, type:1"; `type` is one of ValueTypeName().
std::string KeyText(std::string_view key, Sequence sequence, std::string_view type, bool hex);
// The number that RocksDB stores for a type; -1 if there is none of that name.
int TypeNumber(std::string_view type);

// "Thu Nov 26 11:12:44 2026", of Unix seconds in the local time zone.
std::string TimeText(int seconds);

// "a//b/" -> "a/b/"
std::string WithSingleSlashes(std::string_view path);

// The final word of a verb that fails: what ldb prints behind "Failed: ".
Status Failed(std::string text);
// With the words of RocksDB before the first colon: "IO error", "Corruption", ...
Status Failed(std::string_view before, const Status& status);
std::string InRocksDbWords(const Status& status);
Status NotImplemented(std::string_view what);

}  // namespace varve::cli::ldb
