// SPDX-License-Identifier: Apache-2.0
// Guesses the format of an input, if it is not given, from its file name extension or its first
// bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varve::cli {

enum class InputFormat : uint8_t { kAuto, kTsv, kCsv, kJsonl, kDump, kNul, kTable, kArrow };
std::string_view InputFormatName(InputFormat format);  // "tsv", …, "sst" for kTable.
InputFormat InputFormatByName(std::string_view name);  // kAuto for any other word.

struct FormatGuess {
  InputFormat format = InputFormat::kTsv;
  std::string_view why;  // "by its name", "by its first line", "nothing says otherwise".
};

// How many bytes are used for guessing.
inline constexpr size_t kGuessBytes = 64 << 10;

// `name`: data.csv.gz is csv. `head`: the first bytes, decompressed. A first line with commas is a
// csv header only if it has the key and value columns.
FormatGuess GuessFormat(std::string_view name, std::string_view head, std::string_view key_column,
                        std::string_view value_column);

// If all lines were rejected: what the input looks like instead, and the flags for that; empty if
// unknown.
std::string FormatHint(InputFormat taken, std::string_view head);

}  // namespace varve::cli
