// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/inspect/verify/verify.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// User keys affected by damage.
struct LostRange {
  const std::optional<std::string>& from;
  const std::optional<std::string>& to;
};
const Fields<LostRange>& LostRangeFields();
// Of a Finding or a SalvageLoss; nullopt if neither end is known.
template <typename Damage>
std::optional<LostRange> LostRangeOf(const Damage& damage) {
  if (!damage.key_from && !damage.key_to) return std::nullopt;
  return LostRange{damage.key_from, damage.key_to};
}

const Fields<Finding>& FindingFields();  // Elsewhere: FindingRef().

}  // namespace varve::api
