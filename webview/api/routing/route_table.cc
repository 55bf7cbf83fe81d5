// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/route_table.h"

#include <algorithm>
#include <vector>

#include "core/base/check.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/query.h"

namespace varve::api {
namespace {

constexpr ParameterList kListParameters = {
    {"page_size", ParameterType::kNumber, "rows of a page; 100 if not given"},
    {"page_token", ParameterType::kText, "next_page_token of the page before"},
    {"limit", ParameterType::kNumber, "at most so many rows of a page or stream"},
    query::kBytes,
};

constexpr DocumentSchema kProblemDocument = {
    .name = "varve.problem/1", .make = [](std::string_view) { return ProblemSchema(); }};

// Each resource has checked its own routes when it was compiled; here they meet.
std::vector<Route> AllRoutes() {
  std::vector<Route> all;
  for (const auto routes_of : kResources) {
    for (const Route& route : routes_of()) {
      CHECK(std::none_of(all.begin(), all.end(), [&](const Route& other) {
        return other.method.value == route.method.value &&
               other.pattern.value == route.pattern.value;
      }));
      all.push_back(route);
    }
  }
  return all;
}

std::vector<const DocumentSchema*> AllDocuments() {
  std::vector<const DocumentSchema*> all;
  const auto add = [&](const DocumentSchema* document) {
    const auto same_name = std::find_if(all.begin(), all.end(), [&](const DocumentSchema* other) {
      return other->name == document->name;
    });
    if (same_name == all.end()) return all.push_back(document);
    CHECK(*same_name == document);
  };
  for (const Route& route : RouteTable()) {
    for (const DocumentSchema* document : route.documents.list()) add(document);
  }
  add(&kProblemDocument);
  return all;
}

}  // namespace

std::span<const Route> RouteTable() {
  static const std::vector<Route> routes = AllRoutes();
  return routes;
}

std::span<const DocumentSchema* const> DocumentTable() {
  static const std::vector<const DocumentSchema*> documents = AllDocuments();
  return documents;
}

const DocumentSchema* FindDocument(std::string_view name) {
  const auto all = DocumentTable();
  const auto found = std::find_if(all.begin(), all.end(), [&](const DocumentSchema* document) {
    return document->name == name;
  });
  return found == all.end() ? nullptr : *found;
}

Json SchemaNamed(std::string_view name) {
  const DocumentSchema* document = FindDocument(name);
  return document == nullptr ? Json(nullptr) : document->make(document->name);
}

std::span<const QueryParameter> ListParameters() { return kListParameters; }

}  // namespace varve::api
