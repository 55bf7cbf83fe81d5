// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/schema.h"

#include <array>
#include <cctype>
#include <string>

#include "webview/api/json/finding_json.h"
#include "webview/api/json/recovery_json.h"
#include "webview/api/json/summaries.h"
#include "webview/api/routing/problem.h"
#include "webview/api/schema/as_of.h"

namespace varve::api {
namespace {

Json Reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

Json BytesObject() {
  return Object("Bytes", {{"hex", {{"type", "string"}, {"pattern", "^([0-9a-f]{2})*$"}}, kOptional},
                          {"b64", Text(), kOptional},
                          {"text", Text(), kOptional},
                          {"len", Number()},
                          {"truncated", {{"const", true}}, kOptional},
                          {"href", Text(), kOptional}});
}

struct Definition {
  std::string_view name;
  Json (*make)();
};
constexpr std::array kDefinitions = {
    Definition{"bytes", BytesObject},
    Definition{"bound", [] { return BoundFields().Schema(); }},
    Definition{"finding", [] { return FindingFields().Schema(); }},
    Definition{"problem", ProblemSchema},
    Definition{"recovery", [] { return RecoveryFields().Schema(); }},
};

// The definitions that `schema` refers to, and those that they refer to.
void AddDefinitions(const Json& schema, Json* definitions) {
  for (const auto& [name, member] : schema.items()) {
    if (member.is_structured()) AddDefinitions(member, definitions);
    if (name != "$ref" || !member.is_string()) continue;
    for (const Definition& definition : kDefinitions) {
      const std::string known(definition.name);
      if (member != Reference(known)["$ref"] || definitions->contains(known)) continue;
      const Json made = definition.make();
      (*definitions)[known] = made;
      AddDefinitions(made, definitions);
    }
  }
}

// "varve.scan_reads/1" -> "ScanReadsDocument"
std::string TitleOf(std::string_view name) {
  std::string title;
  bool begins = true;
  for (const char c : name.substr(name.find('.') + 1)) {
    if (c == '/') break;
    if (c != '_') title += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = c == '_';
  }
  return title + "Document";
}

// The beginning of Document(): the members that every reply has.
Json Opening(std::string_view name) {
  Json document = Object({});
  AddMember(&document, {"schema", {{"const", std::string(name)}}});
  AddMember(&document, {"as_of", AsOfFields().Schema()});
  AddMember(&document, {"exact", Boolean(), kOptional});
  AddMember(&document, {"sampled", Anything(), kOptional});
  AddMember(&document, {"recovery", Reference("recovery"), kOptional});
  return document;
}

Json Closed(std::string_view name, Json document) {
  Json closed = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "/api/v1/schema/" + std::string(name)},
                 {"title", TitleOf(name)}};
  closed.update(document);
  Json definitions = Json::object();
  AddDefinitions(document, &definitions);
  closed["$defs"] = std::move(definitions);
  return closed;
}

}  // namespace

void AddMember(Json* object, const SchemaMember& member) {
  const std::string name(member.name);
  (*object)["properties"][name] = member.type;
  if (member.presence == kRequired) (*object)["required"].push_back(name);
}

Json Object(const SchemaMembers& members) {
  Json object = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const SchemaMember& member : members) AddMember(&object, member);
  return object;
}

Json Object(std::string_view name, const SchemaMembers& members) {
  Json object = {{"title", std::string(name)}};
  object.update(Object(members));
  return object;
}

Json ArrayOf(Json element) { return {{"type", "array"}, {"items", std::move(element)}}; }
Json MapOf(Json value) { return {{"type", "object"}, {"additionalProperties", std::move(value)}}; }
Json Text() { return {{"type", "string"}}; }
std::string WithEscapes(std::string_view meaning) {
  return std::string(meaning) + " (with escapes: \\n, \\\\, \\xff)";
}
Json Number() { return {{"type", "integer"}, {"minimum", 0}}; }
Json Integer() { return {{"type", "integer"}}; }
Json Fraction() { return {{"type", "number"}}; }
Json Boolean() { return {{"type", "boolean"}}; }
Json U64() { return {{"type", "string"}, {"pattern", "^[0-9]{1,20}$"}}; }
Json HexText() { return {{"type", "string"}, {"pattern", "^(0x)?[0-9a-fA-F]+$"}}; }
Json OneOf(std::initializer_list<std::string_view> values) {
  return OneOf(std::span(values.begin(), values.size()));
}
Json OneOf(std::span<const std::string_view> values) {
  Json choice = {{"type", "string"}, {"enum", Json::array()}};
  for (const std::string_view value : values) choice["enum"].push_back(std::string(value));
  return choice;
}
Json Anything() { return Json::object(); }
Json BytesRef() { return Reference("bytes"); }
Json BoundRef() { return Reference("bound"); }
Json FindingRef() { return Reference("finding"); }
Json ProblemRef() { return Reference("problem"); }

Json Document(std::string_view name, const SchemaMembers& members) {
  Json document = Opening(name);
  for (const SchemaMember& member : members) AddMember(&document, member);
  return Closed(name, std::move(document));
}

Json ListDocument(std::string_view name, const SchemaMembers& head, std::string_view rows,
                  Json row) {
  Json document = Opening(name);
  for (const SchemaMember& member : head) AddMember(&document, member);
  AddMember(&document, {rows, ArrayOf(std::move(row))});
  AddMember(&document, {"count", Number()});
  AddMember(&document, {"complete", Boolean()});
  AddMember(&document, {"reason", OneOf({"page", "limit", "problem", "recovery"}), kOptional});
  AddMember(&document, {"next_page_token", Text(), kOptional});
  AddMember(&document, {"problem", ProblemRef(), kOptional});
  return Closed(name, std::move(document));
}

}  // namespace varve::api
