// SPDX-License-Identifier: Apache-2.0
// Numbers as text for people. Programs read JSON or csv, where numbers are exact.
#pragma once

#include <cstdint>
#include <string>

namespace varve::cli {

// "1.5 GiB".
std::string HumanBytes(uint64_t bytes);
// "12,345,678".
std::string HumanCount(uint64_t count);
// "0.75".
std::string HumanRatio(double ratio);
// "12.3 %" of 0.123.
std::string HumanShare(double share);
// "3 s", "12 min", "5 h", "41 d", of seconds.
std::string HumanAge(uint64_t seconds);

}  // namespace varve::cli
