// SPDX-License-Identifier: Apache-2.0
#include "cli/report_columns.h"

#include "cli/database.h"
#include "core/base/text.h"

namespace varve::cli {

bool MemberText::is_number() const {
  return kind == api::FieldKind::kNumber || kind == api::FieldKind::kId ||
         kind == api::FieldKind::kFraction;
}

std::string MemberText::Of(const api::Json& value) const {
  if (kind == api::FieldKind::kFlag) return value.get<bool>() ? name : "";
  if (kind == api::FieldKind::kNumber && unit == api::Unit::kBytes) {
    return HumanBytes(value.get<uint64_t>());
  }
  if (kind == api::FieldKind::kNumber && unit == api::Unit::kCount) {
    return HumanCount(value.get<uint64_t>());
  }
  return value.is_string() ? EscapeForDisplay(value.get<std::string>()) : value.dump();
}

}  // namespace varve::cli
