// SPDX-License-Identifier: Apache-2.0
// How the value of an entry is stored, by type of the entry. Gets, iterators and verification share
// these functions, so that all of them accept the same values.
//
//   type                   | stored
//   kValue, kMerge         | the user's bytes
//   kValuePreferredSeqno   | the user's bytes | Unix time of the write, LE u64 |
//   kWideColumnEntity      | columns (wide_columns.h); the value is that of the unnamed column
//   kBlobIndex             | where the value is (blob_record.h)
#pragma once

#include <string_view>

#include "core/format/internal_key.h"
#include "varve/result.h"

namespace varve {

// The user's value within `stored`. Corruption if it is malformed, and for types whose value is
// stored elsewhere (blob indexes, deletions, merge operands).
Result<std::string_view> InlineValue(ValueType type, std::string_view stored);

// Whether the entry can be read, judging by its own bytes.
Status CheckStoredValue(std::string_view user_key, ValueType type, std::string_view stored);

}  // namespace varve
