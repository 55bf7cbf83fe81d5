// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/openapi.h"

#include <cctype>
#include <string>

#include "varve/version.h"
#include "webview/api/routing/problem.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

Json TypeOf(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::kNumber:
      return {{"type", "integer"}, {"minimum", 0}};
    case ParameterType::kFlag:
      return {{"type", "boolean"}};
    case ParameterType::kChoice: {
      Json type = {{"type", "string"}, {"enum", Json::array()}};
      std::string_view choices = parameter.choices;
      while (!choices.empty()) {
        const std::string_view choice = choices.substr(0, choices.find('|'));
        type["enum"].push_back(std::string(choice));
        choices.remove_prefix(std::min(choices.size(), choice.size() + 1));
      }
      return type;
    }
    case ParameterType::kText:
    case ParameterType::kKey:
      break;
  }
  return {{"type", "string"}};
}

Json ParameterJson(const Parameter& parameter) {
  return {{"name", std::string(parameter.name)},
          {"in", "query"},
          {"required", parameter.required},
          {"description", std::string(parameter.summary) +
                              (parameter.type == ParameterType::kKey
                                   ? " (a literal: text, hex:…, b64:…, esc:…, u64be:…)"
                                   : "")},
          {"schema", TypeOf(parameter)}};
}

Json ParametersJson(const Route& route) {
  Json list = Json::array();
  std::string_view pattern = route.pattern;
  for (size_t open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{')) {
    const size_t close = pattern.find('}');
    list.push_back({{"name", std::string(pattern.substr(open + 1, close - open - 1))},
                    {"in", "path"},
                    {"required", true},
                    {"schema", {{"type", "string"}}}});
    pattern.remove_prefix(close + 1);
  }
  for (const Parameter& parameter : std::span<const Parameter>(route.parameters)) {
    list.push_back(ParameterJson(parameter));
  }
  if (route.max_rows == kNoRows) return list;
  for (const Parameter& parameter : ListParameters()) list.push_back(ParameterJson(parameter));
  return list;
}

// "/targets/{t}/files" -> "get_targets_t_files"
std::string OperationId(const Route& route) {
  std::string id;
  for (const char c : std::string(MethodName(route.method)) + std::string(route.pattern.value)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!id.ends_with('_')) {
      id += '_';
    }
  }
  while (id.ends_with('_')) id.pop_back();
  return id;
}

Json OperationJson(const Route& route) {
  Json content = Json::object();
  const std::string schema(route.schema.value);
  if (schema.empty()) {
    content["*/*"] = Json::object();
  } else {
    content["application/json"] = {{"schema", {{"$ref", "/api/v1/schema/" + schema}}}};
  }
  if (route.max_rows != kNoRows) content["application/jsonl"] = Json::object();
  Json operation = {{"operationId", OperationId(route)},
                    {"summary", std::string(route.summary.value)},
                    {"parameters", ParametersJson(route)}};
  if (route.method.value == Method::kPost || route.method.value == Method::kPatch) {
    operation["requestBody"] = {
        {"content", {{"application/json", {{"schema", {{"type", "object"}}}}}}}};
  }
  operation["responses"] = {
      {"200", {{"description", "the answer"}, {"content", std::move(content)}}},
      {"default",
       {{"description", "a problem"},
        {"content",
         {{std::string(kProblemType),
           {{"schema", {{"$ref", "/api/v1/schema/varve.problem/1"}}}}}}}}}};
  return operation;
}

}  // namespace

Json OpenApiJson() {
  Json paths = Json::object();
  for (const Route& route : RouteTable()) {
    std::string method(MethodName(route.method));
    for (char& c : method) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    paths[std::string(route.pattern.value)][method] = OperationJson(route);
  }
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "Varve"},
            {"version", VARVE_VERSION},
            {"description", "An LSM database, looked into."}}},
          {"servers", {{{"url", std::string(kApiRoot)}}}},
          {"paths", std::move(paths)}};
}

}  // namespace varve::api
