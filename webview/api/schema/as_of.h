// SPDX-License-Identifier: Apache-2.0
// What a document tells of: "as_of", which every one begins with.
#pragma once

#include <cstdint>
#include <optional>

#include "webview/api/schema/fields.h"

namespace varve::api {

struct AsOf {
  std::optional<uint64_t> edit, sequence;  // Of a database.
  bool live = false;
};

const Fields<AsOf>& AsOfFields();

}  // namespace varve::api
