// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/schema.h"

#include <string>

#include "webview/api/json/recovery_json.h"

namespace varve::api {
namespace {

constexpr uint64_t kExactMax = uint64_t{1} << 53;

Json Reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

Json BytesObject() {
  return Object({{"hex", {{"type", "string"}, {"pattern", "^([0-9a-f]{2})*$"}}, kOptional},
                 {"b64", Text(), kOptional},
                 {"text", Text(), kOptional},
                 {"len", Number()},
                 {"truncated", {{"const", true}}, kOptional},
                 {"href", Text(), kOptional}});
}

Json AsOfObject() {
  return Object({{"edit", U64(), kOptional}, {"seq", U64(), kOptional}, {"live", Boolean()}});
}

Json FindingObject() {
  return Object(
      {{"severity", OneOf({"error", "not_checked", "unreadable", "warning"})},
       {"layer", Text()},
       {"file", Text()},
       {"what", Text()},
       {"offset", Number(), kOptional},
       {"lost_range", Object({{"from", BytesRef(), kOptional}, {"to", BytesRef(), kOptional}}),
        kOptional}});
}

void AddMember(Json* object, const SchemaMember& member) {
  const std::string name(member.name);
  (*object)["properties"][name] = member.type;
  if (member.presence == kRequired) (*object)["required"].push_back(name);
}

// What Document() begins with: the members that every reply has.
Json Opening(std::string_view name) {
  Json document = Object({});
  AddMember(&document, {"schema", {{"const", std::string(name)}}});
  AddMember(&document, {"as_of", AsOfObject()});
  AddMember(&document, {"exact", Boolean(), kOptional});
  AddMember(&document, {"sampled", Anything(), kOptional});
  AddMember(&document, {"recovery", Reference("recovery"), kOptional});
  return document;
}

Json Closed(std::string_view name, Json document) {
  Json closed = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "/api/v1/schema/" + std::string(name)}};
  closed.update(document);
  closed["$defs"] = {{"bytes", BytesObject()},
                     {"bound", Object({{"key", BytesRef()}, {"seq", U64()}, {"type", Text()}})},
                     {"finding", FindingObject()},
                     {"recovery", RecoverySchema()}};
  return closed;
}

}  // namespace

Json Object(SchemaMembers members) {
  Json object = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const SchemaMember& member : members) AddMember(&object, member);
  return object;
}

Json ArrayOf(Json element) { return {{"type", "array"}, {"items", std::move(element)}}; }
Json MapOf(Json value) { return {{"type", "object"}, {"additionalProperties", std::move(value)}}; }
Json Text() { return {{"type", "string"}}; }
Json Number() { return {{"type", "integer"}, {"minimum", 0}, {"maximum", kExactMax}}; }
Json Integer() {
  return {
      {"type", "integer"}, {"minimum", -static_cast<int64_t>(kExactMax)}, {"maximum", kExactMax}};
}
Json Fraction() { return {{"type", "number"}}; }
Json Boolean() { return {{"type", "boolean"}}; }
Json U64() { return {{"type", "string"}, {"pattern", "^[0-9]{1,20}$"}}; }
Json HexText() { return {{"type", "string"}, {"pattern", "^(0x)?[0-9a-fA-F]+$"}}; }
Json OneOf(std::initializer_list<std::string_view> values) {
  Json choice = {{"type", "string"}, {"enum", Json::array()}};
  for (const std::string_view value : values) choice["enum"].push_back(std::string(value));
  return choice;
}
Json Anything() { return Json::object(); }
Json BytesRef() { return Reference("bytes"); }
Json BoundRef() { return Reference("bound"); }
Json FindingRef() { return Reference("finding"); }

Json Document(std::string_view name, SchemaMembers members) {
  Json document = Opening(name);
  for (const SchemaMember& member : members) AddMember(&document, member);
  return Closed(name, std::move(document));
}

Json ListDocument(std::string_view name, SchemaMembers head, std::string_view rows, Json row) {
  Json document = Opening(name);
  for (const SchemaMember& member : head) AddMember(&document, member);
  AddMember(&document, {rows, ArrayOf(std::move(row))});
  AddMember(&document, {"count", Number()});
  AddMember(&document, {"complete", Boolean()});
  AddMember(&document, {"reason", OneOf({"page", "limit", "problem", "recovery"}), kOptional});
  AddMember(&document, {"next_page_token", Text(), kOptional});
  AddMember(&document, {"problem", Anything(), kOptional});
  return Closed(name, std::move(document));
}

}  // namespace varve::api
