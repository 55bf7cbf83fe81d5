// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/shape.h"

#include <algorithm>

#include "core/base/text/literal.h"
#include "core/base/text/text.h"

namespace varve::api {
namespace {

Problem WrongType(const std::string& pointer, std::string_view what) {
  return BodyProblem("bad_request", pointer, "must be " + std::string(what));
}

template <typename Names>
std::string Listed(const Names& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

}  // namespace

Problem BodyProblem(std::string_view code, const std::string& pointer, std::string_view what) {
  const std::string place = pointer.empty() ? "the body" : EscapeForDisplay(pointer);
  return Problem(code, place + " " + std::string(what)).With("pointer", pointer);
}

std::string PointerTo(const std::string& pointer, std::string_view member) {
  std::string longer = pointer + "/";
  for (const char c : member) {
    if (c == '~') {
      longer += "~0";
    } else if (c == '/') {
      longer += "~1";
    } else {
      longer += c;
    }
  }
  return longer;
}

Shape<std::string> TextShape() {
  return {{Text()}, [](const Json& json, const std::string& pointer) -> Answer<std::string> {
            if (!json.is_string()) return WrongType(pointer, "a string");
            return json.get<std::string>();
          }};
}

Shape<std::string> NameShape() {
  return {{Text()}, [](const Json& json, const std::string& pointer) -> Answer<std::string> {
            if (!json.is_string()) return WrongType(pointer, "a string");
            Result<std::string> bytes = Unescape(json.get_ref<const std::string&>());
            if (bytes.ok()) return *std::move(bytes);
            return BodyProblem("bad_request", pointer,
                               "is no name: " + std::string(bytes.status().message()));
          }};
}

Shape<std::string> KeyShape() {
  return {{Text()}, [](const Json& json, const std::string& pointer) -> Answer<std::string> {
            if (!json.is_string()) {
              return BodyProblem("bad_key_literal", pointer,
                                 "must be a string, a literal of bytes");
            }
            Result<std::string> bytes =
                DecodeLiteral(json.get_ref<const std::string&>(), Encoding::kUtf8);
            if (bytes.ok()) return *std::move(bytes);
            return BodyProblem("bad_key_literal", pointer,
                               "is no literal: " + std::string(bytes.status().message()));
          }};
}

Shape<bool> FlagShape() {
  return {{Boolean()}, [](const Json& json, const std::string& pointer) -> Answer<bool> {
            if (!json.is_boolean()) return WrongType(pointer, "true or false");
            return json.get<bool>();
          }};
}

Shape<uint64_t> NumberShape(uint64_t max) {
  Json schema = {{"type", "integer"}, {"minimum", 0}};
  if (NumbersAreExact(max)) schema["maximum"] = max;
  return {{std::move(schema)},
          [max](const Json& json, const std::string& pointer) -> Answer<uint64_t> {
            if (json.is_number_unsigned() && json.get<uint64_t>() <= max) {
              return json.get<uint64_t>();
            }
            return WrongType(pointer, "a whole number from 0 to " + std::to_string(max));
          }};
}

Shape<std::string> ChoiceShape(std::initializer_list<std::string_view> values) {
  return {{OneOf(values)},
          [names = std::vector<std::string>(values.begin(), values.end())](
              const Json& json, const std::string& pointer) -> Answer<std::string> {
            if (std::any_of(names.begin(), names.end(),
                            [&](const auto& name) { return json == name; })) {
              return json.get<std::string>();
            }
            return WrongType(pointer, "one of " + Listed(names));
          }};
}

Answer<size_t> ReadTag(const Json& json, const std::string& pointer, const std::string& tag,
                       const std::vector<std::string>& names) {
  if (!json.is_object()) return WrongType(pointer, "an object");
  const auto given = json.find(tag);
  if (given == json.end()) {
    return BodyProblem("bad_request", PointerTo(pointer, tag),
                       "is missing; it is one of " + Listed(names));
  }
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const std::string& name) { return *given == name; });
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  return WrongType(PointerTo(pointer, tag), "one of " + Listed(names));
}

void MemberReader::Add(std::string_view name, Json type, std::string_view meaning,
                       Presence presence, Read read) {
  type["description"] = std::string(meaning);
  members_.push_back({std::string(name), std::move(type), presence, std::move(read)});
}

Answer<Done> MemberReader::ReadAll(const Json& json, const std::string& pointer,
                                   void* object) const {
  if (!json.is_object()) return WrongType(pointer, "an object");
  for (const auto& [name, value] : json.items()) {
    const bool known = std::any_of(members_.begin(), members_.end(),
                                   [&](const Member& member) { return member.name == name; });
    if (!known) return BodyProblem("bad_request", PointerTo(pointer, name), "is not known here");
  }
  for (const Member& member : members_) {
    const std::string place = PointerTo(pointer, member.name);
    const auto given = json.find(member.name);
    if (given != json.end()) {
      RETURN_IF_PROBLEM(member.read(*given, place, object));
    } else if (member.presence == kRequired) {
      return BodyProblem("bad_request", place, "is missing");
    }
  }
  return Done();
}

Json MemberReader::Schema(std::string_view type_name) const {
  SchemaMembers members;
  for (const Member& member : members_) {
    members.push_back({member.name, member.type, member.presence});
  }
  Json schema = type_name.empty() ? Object(members) : Object(type_name, members);
  schema["additionalProperties"] = false;
  return schema;
}

const Shape<Done>& EmptyShape() {
  static const auto shape = [] {
    Shape<Done> empty = ObjectShape<Done>().shape();
    empty.may_be_empty = true;
    return empty;
  }();
  return shape;
}

}  // namespace varve::api
