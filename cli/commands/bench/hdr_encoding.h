// SPDX-License-Identifier: Apache-2.0
// A histogram as the tools of hdrhistogram.org exchange it: the "V2 compressed" form in base64.
//
//   compressed   cookie | length | zlib( payload )
//   payload      cookie | length of counts | 0 | digits | least | greatest value | 1.0 | counts
//   counts       zigzag LEB128: a count, or minus the length of a run of zeros
#pragma once

#include <string>

#include "cli/commands/bench/histogram.h"

namespace varve::cli::bench {

std::string HdrPayload(const Histogram& histogram);
std::string HdrEncoded(const Histogram& histogram);

}  // namespace varve::cli::bench
