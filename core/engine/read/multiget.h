// SPDX-License-Identifier: Apache-2.0
// Many Gets at one sequence number: the batch is sorted once, so that memtables and tables are
// searched from left to right; results are returned in the caller's order. Duplicates are looked up
// once.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/engine/read/read_view.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve {

// results[i] equals GetFromView(view, options, keys[i], at), in every grade. `filter_counts`, if
// given, is increased by the filter results.
std::vector<Result<std::optional<Value>>> MultiGetFromView(const ReadView& view,
                                                           const ReadOptions& options,
                                                           std::span<const std::string_view> keys,
                                                           Sequence at, MultiGetGrade grade = {},
                                                           FilterCounts* filter_counts = nullptr);

}  // namespace varve
