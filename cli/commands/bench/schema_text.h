// SPDX-License-Identifier: Apache-2.0
// bench.schema.json, which CMake makes into a string (schema_text.cc.in).
#pragma once

#include <string_view>

namespace varve::cli::bench {

extern const std::string_view kSchemaText;

}  // namespace varve::cli::bench
