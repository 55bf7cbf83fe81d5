// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <iostream>

#include "varve/status.h"

namespace varve::cli {

// IoError if std::cin ended with a read error, which is recorded by C's stdin.
inline Status CheckStandardInput() {
  const bool failed = std::cin.bad() || std::ferror(stdin) != 0;
  return failed ? Status::IoError("reading standard input") : Status::Ok();
}

}  // namespace varve::cli
