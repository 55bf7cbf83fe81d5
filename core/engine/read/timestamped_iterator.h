// SPDX-License-Identifier: Apache-2.0
// Reads of families whose keys have timestamps (Comparator::timestamp_size()): point lookups too,
// which are scans of the versions of one key (decisions/0027).
//
//   entries of "a"       a@9 #31   a@7 #35 (del)   a@4 #12        timestamp and sequence
//   read at 8            shown: nothing, since a@7 deletes the key
//   read at 5            shown: a@4
//   read at 9 from 5     shown: a@9, a@7 (a deletion)
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/engine/read/db_iterator.h"
#include "core/engine/read/iterator_sources.h"
#include "core/engine/read/read_view.h"
#include "varve/db.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

// InvalidArgument unless the options have what the keys of the view need: a timestamp of their
// size, or none. `wanted`: those of values are wanted, so that none are an error.
Status CheckReadTimestamp(const ReadView& view, const ReadOptions& options, bool wanted);

// Both require a view with timestamps, and options that CheckReadTimestamp() accepts.
std::unique_ptr<DbIterator> NewTimestampedIterator(ViewOrigin origin,
                                                   std::shared_ptr<const ReadView> view,
                                                   Sequence at, const ReadOptions& options);
// The value as of options.timestamp, and the timestamp that it was written with.
Result<std::optional<TimestampedValue>> GetTimestamped(std::shared_ptr<const ReadView> view,
                                                       const ReadOptions& options,
                                                       std::string_view key, Sequence at);

}  // namespace varve
