// SPDX-License-Identifier: Apache-2.0
// Drops the versions of keys with timestamps that nobody may ask for any more: reads are at the
// family's full_history_ts_low or later, so that of the versions with older timestamps only the
// newest counts, unless a snapshot sees an older one.
//
//   low 7    a@9  a@7  a@5  a@4  b@6(del) b@2    ->    a@9  a@7  a@5  b@6(del)
#pragma once

#include <memory>
#include <string>

#include "core/compaction/visibility.h"
#include "core/iterator/internal_iterator.h"
#include "varve/comparator.h"

namespace varve {

// Returns the input if `low` is empty. What is passed must outlive the iterator.
std::unique_ptr<InternalIterator> NewCollapsingIterator(std::unique_ptr<InternalIterator> input,
                                                        const Comparator& comparator,
                                                        const Visibility& visibility,
                                                        const std::string& low);

}  // namespace varve
