// SPDX-License-Identifier: Apache-2.0
// Fills in what an Environment leaves to the native one.
#pragma once

#include "varve/environment.h"

namespace varve {

// Null members are those of NativeEnvironment().
inline Environment Complete(Environment env) {
  const Environment& native = NativeEnvironment();
  if (env.file_system == nullptr) env.file_system = native.file_system;
  if (env.clock == nullptr) env.clock = native.clock;
  if (env.random == nullptr) env.random = native.random;
  if (env.executor == nullptr) env.executor = native.executor;
  return env;
}

}  // namespace varve
