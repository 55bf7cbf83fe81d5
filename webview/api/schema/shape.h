// SPDX-License-Identifier: Apache-2.0
// The description of what the body of a request may be. It determines the JSON Schema (and so
// openapi.json and the types of the web app), and it reads bodies: what it does not describe is
// refused with a problem whose "pointer" (RFC 6901) names the place.
//
//   struct CompactBody {
//     std::string family = "default";
//     std::optional<std::string> from = {};
//   };
//   const Shape<CompactBody>& CompactShape() {
//     static const auto shape =
//         ObjectShape<CompactBody>()
//             .Name("cf", &CompactBody::family, "default if it is not given", kOptional)
//             .Key("from", &CompactBody::from, "first key; of all if it is not given")
//             .shape();
//     return shape;
//   }
//
// A handler gets it with `call.Body(CompactShape())`, and its route has `.body =
// BodyOf<CompactShape>`. A member that is a std::optional may be missing; others may if they are
// kOptional, and then keep their default.
//
// Immutable after construction; then thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/try.h"
#include "webview/api/routing/answer.h"
#include "webview/api/schema/schema.h"

namespace varve::api {

// The part of Shape<T> that routes and openapi.json need.
struct BodyShape {
  Json schema;
  bool may_be_empty = false;  // A request without a body has {}.
};

template <typename T>
struct Shape : BodyShape {
  // `pointer` is the place of `json` in the body.
  std::function<Answer<T>(const Json& json, const std::string& pointer)> read;
};

// "/ops/1/key must be a string", with its pointer.
Problem BodyProblem(std::string_view code, const std::string& pointer, std::string_view what);
std::string PointerTo(const std::string& pointer, std::string_view member);

Shape<std::string> TextShape();
Shape<std::string> NameShape();  // Of any bytes, with the escapes of EscapeForDisplay().
Shape<std::string> KeyShape();   // A literal of core/base/text/literal.h; bare text is UTF-8.
Shape<bool> FlagShape();
Shape<uint64_t> NumberShape(uint64_t max = std::numeric_limits<uint64_t>::max());
Shape<std::string> ChoiceShape(std::initializer_list<std::string_view> values);

template <typename T>
Shape<std::vector<T>> ListShape(Shape<T> element, size_t min = 0) {
  Json schema = ArrayOf(element.schema);
  if (min > 0) schema["minItems"] = min;
  return {{std::move(schema)},
          [element = std::move(element), min](
              const Json& json, const std::string& pointer) -> Answer<std::vector<T>> {
            if (!json.is_array() || json.size() < min) {
              return BodyProblem("bad_request", pointer,
                                 min == 0 ? "must be an array" : "must be an array with elements");
            }
            std::vector<T> list;
            for (size_t i = 0; i < json.size(); ++i) {
              ASSIGN_OR_RETURN(T value,
                               element.read(json[i], PointerTo(pointer, std::to_string(i))));
              list.push_back(std::move(value));
            }
            return list;
          }};
}

// An object whose member names are data.
template <typename T>
Shape<std::vector<std::pair<std::string, T>>> MapShape(Shape<T> element) {
  using Pairs = std::vector<std::pair<std::string, T>>;
  Json schema = MapOf(element.schema);
  return {{std::move(schema)},
          [element = std::move(element)](const Json& json,
                                         const std::string& pointer) -> Answer<Pairs> {
            if (!json.is_object()) return BodyProblem("bad_request", pointer, "must be an object");
            Pairs pairs;
            for (const auto& [name, member] : json.items()) {
              ASSIGN_OR_RETURN(T value, element.read(member, PointerTo(pointer, name)));
              pairs.emplace_back(name, std::move(value));
            }
            return pairs;
          }};
}

// What `make` makes of a value that was read.
template <typename T, typename Make>
auto MappedShape(const Shape<T>& shape, Make make) {
  using Made = std::invoke_result_t<Make, T>;
  return Shape<Made>{
      {shape.schema, shape.may_be_empty},
      [read = shape.read, make](const Json& json, const std::string& pointer) -> Answer<Made> {
        ASSIGN_OR_RETURN(T value, read(json, pointer));
        return make(std::move(value));
      }};
}

// The part of ObjectShape<T> that does not depend on T, compiled once.
class MemberReader {
 public:
  using Read =
      std::function<Answer<Done>(const Json& json, const std::string& pointer, void* object)>;

  void Add(std::string_view name, Json type, std::string_view meaning, Presence presence,
           Read read);
  Answer<Done> ReadAll(const Json& json, const std::string& pointer, void* object) const;
  Json Schema(std::string_view type_name) const;

 private:
  struct Member {
    std::string name;
    Json type;
    Presence presence;
    Read read;
  };
  std::vector<Member> members_;
};

template <typename T>
class ObjectShape {
 public:
  // With `type_name` the type is a component of openapi.json, so the name must be unique. `initial`
  // is what members are read into.
  explicit ObjectShape(std::string_view type_name = {}, T initial = {})
      : type_name_(type_name), initial_(std::move(initial)) {}

  // `member`: of T or of a base of it.
  template <typename V, typename Place, typename Of>
  ObjectShape& Member(std::string_view name, Shape<V> shape, Place Of::* member,
                      std::string_view meaning, Presence presence = kRequired) {
    if (std::is_same_v<Place, std::optional<V>>) presence = kOptional;
    members_.Add(name, std::move(shape.schema), meaning, presence,
                 [read = std::move(shape.read), member](
                     const Json& json, const std::string& pointer, void* object) -> Answer<Done> {
                   ASSIGN_OR_RETURN(V value, read(json, pointer));
                   static_cast<T*>(object)->*member = std::move(value);
                   return Done();
                 });
    return *this;
  }
  template <typename Member>
  ObjectShape& Text(std::string_view name, Member member, std::string_view meaning,
                    Presence presence = kRequired) {
    return this->Member(name, TextShape(), member, meaning, presence);
  }
  template <typename Member>
  ObjectShape& Name(std::string_view name, Member member, std::string_view meaning,
                    Presence presence = kRequired) {
    return this->Member(name, NameShape(), member, WithEscapes(meaning), presence);
  }
  template <typename Member>
  ObjectShape& Key(std::string_view name, Member member, std::string_view meaning,
                   Presence presence = kRequired) {
    return this->Member(name, KeyShape(), member, meaning, presence);
  }
  template <typename Member>
  ObjectShape& Flag(std::string_view name, Member member, std::string_view meaning,
                    Presence presence = kRequired) {
    return this->Member(name, FlagShape(), member, meaning, presence);
  }

  Shape<T> shape() const {
    return {{members_.Schema(type_name_)},
            [members = members_, initial = initial_](const Json& json,
                                                     const std::string& pointer) -> Answer<T> {
              T object = initial;
              RETURN_IF_PROBLEM(members.ReadAll(json, pointer, &object));
              return object;
            }};
  }

 private:
  std::string type_name_;
  T initial_;
  MemberReader members_;
};

// The index in `names` of the member `tag` of `json`.
Answer<size_t> ReadTag(const Json& json, const std::string& pointer, const std::string& tag,
                       const std::vector<std::string>& names);

// One of several objects, told apart by a member: {"op":"put",…}, {"op":"delete",…}.
template <typename T>
class TaggedShape {
 public:
  explicit TaggedShape(std::string_view tag) : tag_(tag) {}

  // `alternative`: its other members.
  TaggedShape& Add(std::string_view name, Shape<T> alternative) {
    AddMember(&alternative.schema, {tag_, {{"const", std::string(name)}}});
    names_.emplace_back(name);
    alternatives_.push_back(std::move(alternative));
    return *this;
  }

  Shape<T> shape() const {
    Json schema = {{"oneOf", Json::array()}};
    for (const Shape<T>& alternative : alternatives_) {
      schema["oneOf"].push_back(alternative.schema);
    }
    return {{std::move(schema)},
            [*this](const Json& json, const std::string& pointer) -> Answer<T> {
              ASSIGN_OR_RETURN(const size_t which, ReadTag(json, pointer, tag_, names_));
              Json others = json;
              others.erase(tag_);
              return alternatives_[which].read(others, pointer);
            }};
  }

 private:
  std::string tag_;
  std::vector<std::string> names_;
  std::vector<Shape<T>> alternatives_;
};

// {}, or no body at all.
const Shape<Done>& EmptyShape();

}  // namespace varve::api
