// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/history.h"

#include <algorithm>
#include <cstddef>

#include "core/base/hash/hash.h"

namespace varve::simulator {

Digest DigestOf(const mix::Moment& moment) {
  std::string all;
  const auto add = [&](std::string_view text) {
    all.append(std::to_string(text.size())).append(":").append(text);
  };
  for (const auto& [family, contents] : moment) {
    add(family);
    for (const auto& [key, value] : contents) {
      add(key);
      add(value);
    }
    all += ';';
  }
  return Xxh3_64(all);
}

bool History::IsLegal(Digest found) const {
  return std::find(states_.begin() + static_cast<std::ptrdiff_t>(durable_), states_.end(), found) !=
         states_.end();
}

std::string History::Describe(Digest found) const {
  const auto at = std::find(states_.rbegin(), states_.rend(), found);
  const std::string legal =
      "; legal are " + std::to_string(durable_) + " to " + std::to_string(states_.size() - 1);
  if (at == states_.rend()) return "the state after no commit" + legal;
  return "the state after commit " + std::to_string(states_.rend() - at - 1) + legal;
}

}  // namespace varve::simulator
