// SPDX-License-Identifier: Apache-2.0
// What a stored version means to a user: the value types that are not simply bytes
// (format/stored_value.h, db-format section 9), and merge operands folded onto their base.
//
// Pure but for reading blobs. Used by get.cc, multiget.cc and db_iterator.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/engine/read/read_view.h"
#include "core/format/internal_key.h"
#include "core/format/stored_value.h"
#include "core/iterator/lookup.h"
#include "varve/result.h"
#include "varve/value.h"

namespace varve {

// The blob that the stored bytes of a kBlobIndex entry stand for.
Result<Value> FetchBlob(const ReadView& view, std::string_view user_key, std::string_view index);

// `stored` as the user's value, for any type that is a value; keeps its pin where the bytes stay.
Result<Value> ResolveValue(const ReadView& view, std::string_view user_key, ValueType type,
                           Value stored);

// Operands, oldest first, applied to `base` (nullopt: nothing), which is a user's value.
// NotSupported, naming the operator that the tables were written with, if the view knows none.
Result<std::string> FoldOperands(const ReadView& view, std::string_view user_key,
                                 std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands);

// The answer of a finished lookup.
Result<std::optional<Value>> FinishLookup(const ReadView& view, Lookup* lookup);

}  // namespace varve
