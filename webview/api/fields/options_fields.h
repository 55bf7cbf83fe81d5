// SPDX-License-Identifier: Apache-2.0
// Options and where their values come from, for documents and tables on a terminal; defined in
// webview/api/resources/options.cc.
#pragma once

#include "core/inspect/options/options_report.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<OptionReport>& OptionValueFields();  // Without the option's family and source.

}  // namespace varve::api
