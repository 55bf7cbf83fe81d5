// SPDX-License-Identifier: Apache-2.0
// How far a long report has come, for whoever waits for it.
#pragma once

#include <cstdint>
#include <functional>

namespace varve {

struct VerifyProgress {
  uint64_t bytes_done = 0, bytes_total = 0;
};

// Called now and then (null: never); returns false to stop.
using VerifyProgressFn = std::function<bool(const VerifyProgress&)>;

}  // namespace varve
