// SPDX-License-Identifier: Apache-2.0
// One Get: memtables newest first, then the tables, then whatever the found version needs to become
// a value (merge operands folded, blob fetched, entity opened). Allocates nothing when the key is
// found as a plain value; the bytes stay where they are, pinned.
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/read/read_view.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve {

// The value of `key` as a reader at sequence `at` sees it. `options.snapshot` was looked at by the
// caller: it is where `at` comes from.
// `filter_counts`, if given, becomes what filters said of the key.
Result<std::optional<Value>> GetFromView(const ReadView& view, const ReadOptions& options,
                                         std::string_view key, Sequence at,
                                         FilterCounts* filter_counts = nullptr);

}  // namespace varve
