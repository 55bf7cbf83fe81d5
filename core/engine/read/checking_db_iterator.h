// SPDX-License-Identifier: Apache-2.0
// CheckingDbIterator passes a DbIterator through and CHECKs how it is used: key(), value() and
// steps while it stands on a record only, nothing once the database is gone. It shows copies, which
// are poisoned (base/poison.h) at the next move, for key() and value() live no longer.
#pragma once

#include <memory>

#include "core/engine/read/db_iterator.h"
#include "core/engine/read/read_view.h"

namespace varve {

// `inner` under a CheckingDbIterator where DCHECK is on, else `inner` itself. `views`: those of the
// family that it reads.
std::unique_ptr<DbIterator> CheckedInDebug(std::unique_ptr<DbIterator> inner,
                                           const ReadViewHolder& views);

}  // namespace varve
