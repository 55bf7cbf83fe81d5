// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/explain/table_look.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// A block that a read accessed.
const Fields<BlockLook>& BlockLookFields();
// The result of a filter check for a key.
const Fields<FilterLook>& FilterLookFields();

}  // namespace varve::api
