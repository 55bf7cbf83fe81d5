// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/inspect/explain/key_probe.h"
#include "webview/api/json/json.h"

namespace varve::api {

// The blocks that a read looked at, in order.
Json ReadsJson(const std::vector<BlockLook>& blocks);
Json ReadsSchema();

// What a filter said of a key.
Json FilterLookJson(const FilterLook& filter);
Json FilterLookSchema();

}  // namespace varve::api
