// SPDX-License-Identifier: Apache-2.0
// "recovery": says that an answer is based on a partial recovery of the logs, and what was left
// out.
#pragma once

#include "varve/db.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<RecoveryLoss>& RecoveryLossFields();
// {"losses":[{"file":"000012.log","offset":4096,"size":1234,"what":"…"}]}, of damage only.
const Fields<RecoveryReport>& RecoveryFields();
// The report in that JSON.
RecoveryReport RecoveryOf(const Json& recovery);

// Marks a document as partial: sets "exact" and "complete", if present, to false, and adds or
// extends "recovery".
void MarkPartial(const RecoveryReport& report, Json* document);

}  // namespace varve::api
