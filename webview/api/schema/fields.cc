// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/fields.h"

namespace varve::api {

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::kCount:
      return "count";
    case Unit::kBytes:
      return "bytes";
    case Unit::kOffset:
      return "offset";
    case Unit::kNanoseconds:
      return "nanoseconds";
    case Unit::kMicroseconds:
      return "microseconds";
    case Unit::kUnixSeconds:
      return "unix_seconds";
    case Unit::kUnixMicroseconds:
      return "unix_microseconds";
    case Unit::kNone:
      break;
  }
  return {};
}

Json BytesJson(std::string_view bytes, const RowContext& context) {
  const bool has_place = context.href != nullptr && IsCut(bytes, context.style);
  return BytesJson(bytes, context.style, has_place ? context.href() : std::string());
}

}  // namespace varve::api
