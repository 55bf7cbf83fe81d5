// SPDX-License-Identifier: Apache-2.0
// Get of one key: memtables newest first, then the tables, then whatever the found version needs to
// become a value (fold merge operands, fetch the blob, decode the entity). Allocates nothing if the
// key has a plain value; the bytes are pinned, not copied.
#pragma once

#include <optional>
#include <string_view>

#include "core/engine/read/read_view.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve {

// The value of `key` as a reader at sequence number `at` sees it. `options.snapshot` is ignored:
// the caller has derived `at` from it. `filter_counts`, if given, is set to the filter results for
// the key.
Result<std::optional<Value>> GetFromView(const ReadView& view, const ReadOptions& options,
                                         std::string_view key, Sequence at,
                                         FilterCounts* filter_counts = nullptr);
// The sequence number of the newest change of `key`, a range deletion included; 0 if there is none,
// or none that a reader could tell from the oldest state.
Result<Sequence> NewestSequence(const ReadView& view, std::string_view key, Sequence at);

}  // namespace varve
