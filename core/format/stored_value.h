// SPDX-License-Identifier: Apache-2.0
// What the value of an entry looks like as it is stored, by the entry's type. Gets, iterators and
// verification ask the same functions, so that none of them takes what another refuses.
//
//   type                   | stored
//   kValue, kMerge         | the user's bytes
//   kValuePreferredSeqno   | the user's bytes | Unix time of the write, LE u64 |
//   kWideColumnEntity      | columns (wide_columns.h); the value is that of the unnamed one
//   kBlobIndex             | where the value is (blob_record.h)
#pragma once

#include <string_view>

#include "core/format/internal_key.h"
#include "varve/result.h"

namespace varve {

// The user's value within `stored`. Corruption if it is broken, also for types whose value is not
// there (blob indexes, deletions, merge operands).
Result<std::string_view> InlineValue(ValueType type, std::string_view stored);

// Will the entry be readable, as far as its own bytes say?
Status CheckStoredValue(std::string_view user_key, ValueType type, std::string_view stored);

}  // namespace varve
