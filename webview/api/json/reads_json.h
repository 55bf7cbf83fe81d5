// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/explain/key_probe.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// One of the blocks that a read looked at.
const Fields<BlockLook>& BlockLookFields();
// What a filter said of a key.
const Fields<FilterLook>& FilterLookFields();

}  // namespace varve::api
