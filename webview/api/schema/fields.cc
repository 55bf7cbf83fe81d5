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
    case Unit::kMicroseconds:
      return "microseconds";
    case Unit::kUnixSeconds:
      return "unix_seconds";
    case Unit::kNone:
      break;
  }
  return {};
}

}  // namespace varve::api
