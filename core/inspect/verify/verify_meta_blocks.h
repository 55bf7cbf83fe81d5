// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/verify/verified_table.h"

namespace varve {

// Verifies all blocks of a table except its data blocks: that each can be read, that the partitions
// of index and filter are in order and within their separators, and that no two blocks overlap.
// `comparator`: the table's own, or any if that is unknown.
void VerifyMetaBlocks(const VerifiedTable& table, const Comparator& comparator);

}  // namespace varve
