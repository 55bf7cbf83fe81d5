// SPDX-License-Identifier: Apache-2.0
// What every DbIterator reads: the entries of a view's memtables and tables, merged.
#pragma once

#include <atomic>
#include <memory>

#include "core/engine/read/read_view.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/range_tombstones.h"
#include "varve/options.h"
#include "varve/types.h"

namespace varve {

// Where Refresh() gets the current view and sequence number.
struct ViewOrigin {
  const ReadViewHolder* views = nullptr;  // Null: refresh to `fixed` and `at`.
  const std::atomic<Sequence>* visible = nullptr;
  std::shared_ptr<const ReadView> fixed;
  Sequence at = 0;
};

TableIteratorOptions TableOptionsOf(const ReadView& view, const ReadOptions& options);

// All entries of the view within `bounds`. Range tombstones are added to `tombstones`, those of
// tables as they are opened. The view must outlive the iterator.
std::unique_ptr<InternalIterator> MergeSources(const ReadView& view,
                                               const TableIteratorOptions& options,
                                               const KeyBounds& bounds,
                                               TombstoneCollector* tombstones);

}  // namespace varve
