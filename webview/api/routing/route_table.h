// SPDX-License-Identifier: Apache-2.0
// All routes and all documents, collected from the resources (resources/resources.h), each of which
// has a table of its own.
#pragma once

#include <span>
#include <string_view>

#include "webview/api/routing/route.h"

namespace varve::api {

inline constexpr std::string_view kApiRoot = "/api/v1";

std::span<const Route> RouteTable();

// The documents of all routes, and that of problems.
std::span<const DocumentSchema* const> DocumentTable();
const DocumentSchema* FindDocument(std::string_view name);  // Null: there is none.
Json SchemaNamed(std::string_view name);                    // Null: there is none.

// The parameters that every list has in addition to its own.
std::span<const QueryParameter> ListParameters();

}  // namespace varve::api
