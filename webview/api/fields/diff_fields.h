// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "webview/api/schema/fields.h"

namespace varve::api {

// `value` is B's if both have the key.
struct RecordDifference {
  std::string_view family, kind, key, value;
};
const Fields<RecordDifference>& RecordDifferenceFields();

}  // namespace varve::api
