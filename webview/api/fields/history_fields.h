// SPDX-License-Identifier: Apache-2.0
// Jobs and lineages of tables, for documents and tables on a terminal; defined in
// webview/api/resources/history.cc.
#pragma once

#include "core/inspect/history/history.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<JobReport>& JobFields();
const Fields<LineageStep>& LineageTableFields();  // Without the jobs.

}  // namespace varve::api
