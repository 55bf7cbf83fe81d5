// SPDX-License-Identifier: Apache-2.0
// Stands in for Emscripten's header, so that wasm/ compiles natively: what JavaScript implements
// there, ../wasm_calls.cc does here.
#pragma once

#include <algorithm>
#include <cstdint>

#define EMSCRIPTEN_KEEPALIVE
#define EM_JS(result, name, parameters, ...) extern "C" result name parameters;
