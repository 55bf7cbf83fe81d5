// SPDX-License-Identifier: Apache-2.0
// Advice for users about damage and about unknown merge operators.
#pragma once

#include <string>
#include <string_view>

namespace varve::cli {

// Advice on `target`, a database or a table, with the problem `message` ("000012.sst@4096: ...").
// One line; empty for other targets.
std::string AdviceOnDamage(const std::string& target, std::string_view message);

// Advice on a family without a merge operator, where `message` is about that; else empty.
std::string AdviceOnMergeOperator(std::string_view message);

}  // namespace varve::cli
