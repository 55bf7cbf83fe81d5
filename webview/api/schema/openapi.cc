// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/openapi.h"

#include <cctype>
#include <map>
#include <string>

#include "core/base/check.h"
#include "varve/version.h"
#include "webview/api/routing/problem.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

constexpr std::string_view kReference = "#/$defs/";

// The schemas that have titles, each written once under its title.
class Components {
 public:
  // Adapts `document` for openapi.json: replaces schemas with titles by references.
  Json Add(const Json& document) {
    return Referred(document, document.value("$defs", Json::object()));
  }
  Json Take() {
    Json schemas = Json::object();
    for (auto& [title, schema] : schemas_) schemas[title] = std::move(schema);
    return schemas;
  }

 private:
  Json Referred(const Json& schema, const Json& definitions) {
    if (!schema.is_structured()) return schema;
    if (schema.is_object() && schema.contains("$ref")) {
      Json referred = Referred(
          definitions[schema["$ref"].get<std::string>().substr(kReference.size())], definitions);
      if (schema.contains("description")) referred["description"] = schema["description"];
      return referred;
    }
    Json body = schema.is_array() ? Json::array() : Json::object();
    std::string title;
    for (const auto& [name, member] : schema.items()) {
      if (schema.is_array()) {
        body.push_back(Referred(member, definitions));
      } else if (name == "title" && member.is_string()) {
        title = member;
      } else if (!name.starts_with('$')) {
        body[name] = Referred(member, definitions);
      }
    }
    if (title.empty()) return body;
    Json reference = {{"$ref", "#/components/schemas/" + title}};
    if (body.contains("description")) {  // The description is of this use, not of the type.
      reference["description"] = body["description"];
      body.erase("description");
    }
    const auto [at, added] = schemas_.emplace(title, body);
    CHECK(added || at->second == body);
    return reference;
  }

  std::map<std::string, Json> schemas_;
};

Json TypeOf(const QueryParameter& parameter) {
  switch (parameter.type) {
    case ParameterType::kNumber:
      return {{"type", "integer"}, {"format", "uint64"}, {"minimum", 0}};
    case ParameterType::kFlag:
      return {{"type", "boolean"}};
    case ParameterType::kChoice: {
      Json type = {{"type", "string"}, {"enum", Json::array()}};
      for (std::string_view choices = parameter.choices; !choices.empty();) {
        type["enum"].push_back(std::string(TakeChoice(&choices)));
      }
      return type;
    }
    case ParameterType::kText:
    case ParameterType::kName:
    case ParameterType::kKey:
      break;
  }
  return {{"type", "string"}};
}

std::string Description(const QueryParameter& parameter) {
  const std::string summary(parameter.summary);
  if (parameter.type == ParameterType::kName) return WithEscapes(summary);
  if (parameter.type != ParameterType::kKey) return summary;
  return summary + " (a literal: text, hex:…, b64:…, esc:…, u64be:…)";
}

Json ParameterJson(const QueryParameter& parameter) {
  return {{"name", std::string(parameter.name)},
          {"in", "query"},
          {"required", parameter.required},
          {"description", Description(parameter)},
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
  for (const QueryParameter& parameter : std::span<const QueryParameter>(route.parameters)) {
    list.push_back(ParameterJson(parameter));
  }
  if (route.max_rows == kNoRows) return list;
  for (const QueryParameter& parameter : ListParameters()) list.push_back(ParameterJson(parameter));
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

// "read:TARGET/FAMILY": what a user of the server needs; empty: nothing.
std::string RightText(const Route& route) {
  const std::string access = route.auth.value == Auth::kWrite ? "write:" : "read:";
  switch (route.part) {
    case Part::kServer:
      return "";
    case Part::kSome:
      return access + "TARGET, or of some of its families: the rest is left out or refused";
    case Part::kTarget:
      return access + "TARGET";
    case Part::kFamily:
      return access + "TARGET/FAMILY";
    case Part::kFile:
      break;
  }
  return access + "TARGET/FAMILY of the table, TARGET if it is of none";
}

Json ReplySchema(const Documents& documents, Components& components) {
  Json choices = Json::array();
  for (const DocumentSchema* document : documents.list()) {
    choices.push_back(components.Add(document->make(document->name)));
  }
  return choices.size() == 1 ? choices[0] : Json{{"oneOf", choices}};
}

Json OperationJson(const Route& route, Components& components) {
  Json content = Json::object();
  if (route.documents.list().empty()) {
    content["*/*"] = Json::object();
  } else {
    content["application/json"] = {{"schema", ReplySchema(route.documents, components)}};
  }
  if (route.max_rows != kNoRows) content["application/jsonl"] = Json::object();
  Json operation = {{"operationId", OperationId(route)},
                    {"summary", std::string(route.summary.value)},
                    {"parameters", ParametersJson(route)}};
  if (const std::string right = RightText(route); !right.empty()) {
    operation["x-varve-right"] = right;
  }
  if (route.body.given()) {
    const BodyShape& body = route.body.shape();
    operation["requestBody"] = {
        {"required", !body.may_be_empty},
        {"content", {{"application/json", {{"schema", components.Add(body.schema)}}}}}};
  }
  if (route.takes_bytes) {
    operation["requestBody"] = {
        {"required", true},
        {"content",
         {{std::string(kBytesType), {{"schema", {{"type", "string"}, {"format", "binary"}}}}}}}};
  }
  operation["responses"] = {
      {"200", {{"description", "the answer"}, {"content", std::move(content)}}},
      {"default",
       {{"description", "a problem"},
        {"content",
         {{std::string(kProblemType), {{"schema", components.Add(ProblemSchema())}}}}}}}};
  return operation;
}

}  // namespace

Json OpenApiJson() {
  Json paths = Json::object();
  Components components;
  for (const Route& route : RouteTable()) {
    std::string method(MethodName(route.method));
    for (char& c : method) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    paths[std::string(route.pattern.value)][method] = OperationJson(route, components);
  }
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", "Varve"},
            {"version", VARVE_VERSION},
            {"description", "An LSM database, looked into."}}},
          {"servers", {{{"url", std::string(kApiRoot)}}}},
          {"paths", std::move(paths)},
          {"components", {{"schemas", components.Take()}}}};
}

}  // namespace varve::api
