// SPDX-License-Identifier: Apache-2.0
// CheckingDbIterator wraps a DbIterator and CHECKs how it is used: key(), value() and steps only on
// a record, nothing after the database is gone. It returns copies, which are poisoned
// (base/poison.h) at the next move, because key() and value() are only valid until then.
#pragma once

#include <memory>

#include "core/engine/read/db_iterator.h"
#include "core/engine/read/read_view.h"

namespace varve {

// `inner` in a CheckingDbIterator if DCHECK is on, otherwise `inner` itself. `views`: those of the
// family that it reads.
std::unique_ptr<DbIterator> CheckedInDebug(std::unique_ptr<DbIterator> inner,
                                           const ReadViewHolder& views);

}  // namespace varve
