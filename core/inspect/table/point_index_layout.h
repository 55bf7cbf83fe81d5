// SPDX-License-Identifier: Apache-2.0
// The layout of a table's point index (format/table/integer_index.h, hash_index.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/inspect/layout.h"

namespace varve {

// `payload`, uncompressed, begins at `offset`. Its nodes become children of *parent and tile it.
void LayOutIntegerIndex(std::string_view payload, uint64_t offset, LayoutNode* parent);
void LayOutHashIndex(std::string_view payload, uint64_t offset, LayoutNode* parent);

}  // namespace varve
