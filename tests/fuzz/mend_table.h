// SPDX-License-Identifier: Apache-2.0
// Makes the checksums of a table right that was changed, so that its readers get past them.
#pragma once

#include <string>
#include <vector>

#include "core/format/table/block_handle.h"
#include "tests/fuzz/target.h"

namespace varve::fuzz {

// The blocks that can be found from the footer, with the trailer of each made right. Nothing is
// changed if there is no footer.
std::vector<BlockHandle> MendTable(std::string* table);

// Changes a block in its place, or anything, then mends. For Target::change.
void ChangeTable(std::string* table, size_t size_max, uint32_t seed, const AnyChange& any);

}  // namespace varve::fuzz
