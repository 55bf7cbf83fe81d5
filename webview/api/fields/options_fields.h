// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/options/options_report.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<OptionReport>& OptionValueFields();  // Without the option's family and source.

}  // namespace varve::api
