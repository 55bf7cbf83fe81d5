// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/salvage/salvage.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<SalvageLoss>& SalvageLossFields();
const Fields<SalvageReport>& SalvageFields();   // varve.salvage/1
Json SalvageJson(const SalvageReport& report);  // What follows its head.

}  // namespace varve::api
