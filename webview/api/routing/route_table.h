// SPDX-License-Identifier: Apache-2.0
// All routes and all schemas. Adding a resource: README.md.
#pragma once

#include <span>
#include <string_view>

#include "webview/api/routing/route.h"

namespace varve::api {

inline constexpr std::string_view kApiRoot = "/api/v1";

std::span<const Route> RouteTable();

struct SchemaRow {
  std::string_view name;  // "varve.file/1"
  Json (*make)();
};
std::span<const SchemaRow> SchemaTable();

// The parameters that every list has in addition to its own.
std::span<const QueryParameter> ListParameters();

}  // namespace varve::api
