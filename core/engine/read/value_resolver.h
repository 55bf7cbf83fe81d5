// SPDX-License-Identifier: Apache-2.0
// Turns a stored version into a user's value: value types other than plain bytes
// (format/value/stored_value.h, db-format section 9), and merge operands folded onto their base.
//
// Pure except for reading blobs. Used by get.cc, multiget.cc and db_iterator.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/engine/read/read_view.h"
#include "core/format/internal_key.h"
#include "core/format/value/stored_value.h"
#include "core/iterator/lookup.h"
#include "varve/result.h"
#include "varve/value.h"

namespace varve {

// The blob that the stored bytes of a kBlobIndex entry refer to.
Result<Value> FetchBlob(const ReadView& view, std::string_view user_key, std::string_view index);

// `stored` as the user's value, for any type that is a value; keeps its pin if the bytes are not
// copied.
Result<Value> ResolveValue(const ReadView& view, std::string_view user_key, ValueType type,
                           Value stored);

// Applies the operands, oldest first, to `base` (nullopt: nothing), which is a user's value.
// NotSupported, naming the operator that the tables were written with, if the view has none.
Result<std::string> FoldOperands(const ReadView& view, std::string_view user_key,
                                 std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands);

// The result of a finished lookup.
Result<std::optional<Value>> FinishLookup(const ReadView& view, Lookup* lookup);

}  // namespace varve
