// SPDX-License-Identifier: Apache-2.0
// The merged inputs of a compaction, after a CompactionFilter: the newest version of a key that is
// a put may become a deletion or have another value. Forwards only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/iterator/internal_iterator.h"
#include "varve/compaction_filter.h"
#include "varve/comparator.h"

namespace varve {

class BlobReader;

// `filter` may be null: then it is `input` itself. Values in blob files are read with `blobs`; if
// that is null, the filter is not asked about them. It is not asked about user keys from `end` on:
// another part of the compaction has them. `comparator` must outlive the result.
std::unique_ptr<InternalIterator> NewFilteringIterator(std::unique_ptr<InternalIterator> input,
                                                       std::unique_ptr<CompactionFilter> filter,
                                                       const BlobReader* blobs,
                                                       const Comparator& comparator, int level,
                                                       std::optional<std::string> end);

}  // namespace varve
