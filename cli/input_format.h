// SPDX-License-Identifier: Apache-2.0
// Which format an input is in, where nobody says: from the end of its name, or from how it begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varve::cli {

enum class InputFormat : uint8_t { kAuto, kTsv, kCsv, kJsonl, kDump, kNul, kTable };
std::string_view InputFormatName(InputFormat format);  // "tsv", …, "sst" for kTable.
InputFormat InputFormatByName(std::string_view name);  // kAuto for any other word.

struct FormatGuess {
  InputFormat format = InputFormat::kTsv;
  std::string_view why;  // "by its name", "by its first line", "nothing says otherwise".
};

// How much of an input decides.
inline constexpr size_t kGuessBytes = 64 << 10;

// `name`: data.csv.gz is csv. `head`: the first bytes, unpacked. The columns are where a csv header
// must have the key and the value for a first line with commas to be one.
FormatGuess GuessFormat(std::string_view name, std::string_view head, std::string_view key_column,
                        std::string_view value_column);

// After nothing but rejected lines: what the input looks like instead, and the flags that say so;
// empty if that is not known.
std::string FormatHint(InputFormat taken, std::string_view head);

}  // namespace varve::cli
