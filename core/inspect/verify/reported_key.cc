// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/reported_key.h"

#include <cstdint>

namespace varve {

std::string ReportedFrom(std::string_view user_key) {
  return std::string(user_key.substr(0, kReportedKeySizeMax));
}

std::optional<std::string> ReportedTo(std::string_view user_key) {
  if (user_key.size() <= kReportedKeySizeMax) return std::string(user_key);
  std::string after(user_key.substr(0, kReportedKeySizeMax));
  while (!after.empty() && static_cast<uint8_t>(after.back()) == 0xFF) after.pop_back();
  if (after.empty()) return std::nullopt;
  after.back() = static_cast<char>(static_cast<uint8_t>(after.back()) + 1);
  return after;
}

}  // namespace varve
