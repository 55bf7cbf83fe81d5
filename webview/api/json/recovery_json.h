// SPDX-License-Identifier: Apache-2.0
// "recovery": that an answer stands on a partial recovery of the logs, and what was left out.
#pragma once

#include "varve/db.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// {"losses":[{"file":"000012.log","offset":4096,"size":1234,"what":"…"}]}, of damage only.
const Fields<RecoveryReport>& RecoveryFields();
// What that says.
RecoveryReport RecoveryOf(const Json& recovery);

// Marks a document as partial: "exact" and "complete", where it has them, become false, and
// "recovery" is added, or added to.
void MarkPartial(const RecoveryReport& report, Json* document);

}  // namespace varve::api
