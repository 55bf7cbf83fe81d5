// SPDX-License-Identifier: Apache-2.0
// What a person may do about damage.
#pragma once

#include <string>
#include <string_view>

namespace varve::cli {

// About `target`, a database or a table, of which `message` says what is wrong ("000012.sst@4096:
// ..."). One line; empty if `target` is neither.
std::string AdviceOnDamage(const std::string& target, std::string_view message);

}  // namespace varve::cli
