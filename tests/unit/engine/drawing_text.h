// SPDX-License-Identifier: Apache-2.0
// The words of drawings (tests/snapshot/drawings/README.md): entries, keys, values and ranges, from
// text and to text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format/internal_key.h"
#include "varve/types.h"
#include "varve/write_batch.h"

namespace varve {

// a=1  a@7=1  a@7-  a@7!  a@7+x  [a..f)@7  two:a=1
struct DrawnEntry {
  std::string family = "default";
  std::string key;  // kRangeDeletion: begin.
  std::optional<Sequence> sequence;
  ValueType type = ValueType::kValue;
  std::string value;  // kRangeDeletion: end.
};

// Each fails the test case if the text is none. "x*3" is "xxx", "\x00" a byte.
DrawnEntry ParseEntry(std::string_view text);
std::string ParseBytes(std::string_view text);
uint64_t ParseNumber(std::string_view text);
// "a..f", "..f", "a..": nullopt where nothing stands.
using DrawnRange = std::pair<std::optional<std::string>, std::optional<std::string>>;
DrawnRange ParseRange(std::string_view text);

std::string BytesText(std::string_view bytes);
std::string EntryText(const InternalKey& key, std::string_view value, bool with_sequence = true);

std::vector<std::string> WordsOf(std::string_view text);
std::string Joined(const std::vector<std::string>& words);
std::vector<std::string> LinesOf(std::string_view text);

void AddTo(WriteBatch* batch, ColumnFamilyId family, const DrawnEntry& entry);

}  // namespace varve
