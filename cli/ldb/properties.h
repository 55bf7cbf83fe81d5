// SPDX-License-Identifier: Apache-2.0
// The properties that `get_property` knows.
#pragma once

#include <string>
#include <string_view>

#include "cli/ldb/call.h"

namespace varve::cli::ldb {

// Lines with the property of the open family; empty: there is none of that name.
Result<std::string> PropertyText(Call& call, std::string_view name);

}  // namespace varve::cli::ldb
