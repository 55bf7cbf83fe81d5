// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/table/block_report.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<BlockReport>& BlockFields();

}  // namespace varve::api
