// SPDX-License-Identifier: Apache-2.0
// Getters of handles that only refused functions would give, so that none gets here but one that
// the program made itself and that is empty: what they return is 0, or no text.
#pragma once

#include <cstddef>

#define VARVE_C_NOTHING(Result, name, ...) \
  Result name(__VA_ARGS__) { return {}; }

#define VARVE_C_NO_TEXT(name, ...)              \
  const char* name(__VA_ARGS__, size_t* size) { \
    *size = 0;                                  \
    return nullptr;                             \
  }
