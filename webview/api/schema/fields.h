// SPDX-License-Identifier: Apache-2.0
// The description of a report type: its members in order, each with name, unit, meaning and source.
// It determines the member's JSON, its JSON Schema (and so openapi.json and the types of the web
// app), and its columns in csv and in tables on a terminal.
//
//   const Fields<WalSegment>& WalSegmentFields() {
//     static const auto fields =
//         Fields<WalSegment>("WalSegment")
//             .Id("id", &WalSegment::number, "number of the log")
//             .Number("size", Unit::kBytes, &WalSegment::size, "of the file")
//             .Id("first_seq", &WalSegment::first_sequence, "lowest sequence number in it");
//     return fields;
//   }
//
// A getter is anything that std::invoke accepts with a `const T&`: a pointer to a member, or a
// function. A getter that returns a std::optional or a pointer makes the member optional: it is
// omitted if there is no value, or null after OrNull(). IfSet() and When() make such getters. A
// type composed of two structs is a struct of references to them; Include() adds the members of
// each.
//
// Immutable after construction; then thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "webview/api/json/bytes_json.h"
#include "webview/api/schema/schema.h"

namespace varve::api {

// What a number counts: "x-unit" in the schema.
enum class Unit : uint8_t {
  kNone,
  kCount,
  kBytes,
  kOffset,  // In a file, in bytes.
  kNanoseconds,
  kMicroseconds,
  kSeconds,
  kPerSecond,
  kUnixSeconds,
  kUnixMicroseconds,
};
std::string_view UnitName(Unit unit);  // Empty for kNone.

// How bytes are shown in the rows of an answer.
struct RowContext {
  BytesStyle style = {};
  // A link to the whole value; called only if bytes are truncated. Null: there is none.
  std::function<std::string()> href = nullptr;
};
Json BytesJson(std::string_view bytes, const RowContext& context);

// The kind of a member, for programs that show it.
enum class FieldKind : uint8_t {
  kNumber,
  kId,
  kFraction,
  kFlag,
  kText,
  kName,  // Text with escapes.
  kBytes,
  kWholeBytes,  // Never truncated, and in one form only.
  kStructure,
};

namespace field {

template <typename Value>
struct IsMaybe : std::is_pointer<Value> {};
template <typename Value>
struct IsMaybe<std::optional<Value>> : std::true_type {};

template <typename Get, typename T>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<const Get&, const T&>>;

// JSON values of members of each kind.
Json NumberJson(uint64_t value);
Json IntegerJson(int64_t value);
Json IdJson(uint64_t value);
Json FractionJson(double value);
Json FlagJson(bool value);
Json TextJson(std::string_view value);
Json NameJson(std::string_view value);
Json Hex32Json(uint32_t value);
void Append(Json value, Json* list);

}  // namespace field

class FieldList;

// A member, with the report type erased.
struct Field {
  std::string name;
  FieldKind kind = FieldKind::kText;
  Unit unit = Unit::kNone;
  Json type;  // Its schema.
  Presence presence = kRequired;
  // Writes the member of a report of that type; false: it has none.
  std::function<bool(const void* report, const RowContext& context, Json* json)> put;
  const FieldList* members = nullptr;  // Of an object.
};

// The part of Fields<T> that does not depend on T, compiled once.
class FieldList {
 public:
  const std::vector<Field>& fields() const { return fields_; }
  const Field& Named(std::string_view name) const;  // Requires that there is one.
  Json Schema() const;
  // The schema, as used in other types.
  Json Type() const;
  // For Document() and ListDocument(). Views of the names here.
  SchemaMembers Members() const;

 protected:
  FieldList(std::string_view type_name, Json reference);
  void Add(Field field) { fields_.push_back(std::move(field)); }
  void Add(std::string_view name, FieldKind kind, Unit unit, Json type, std::string_view meaning,
           Presence presence, decltype(Field::put) put);
  void SetMembersOfLast(const FieldList& members) { fields_.back().members = &members; }
  void MakeLastNullable();
  void AddReport(const void* report, const RowContext& context, Json* json) const;

 private:
  std::string type_name_;
  Json reference_;  // Null: none.
  std::vector<Field> fields_;
};

// Absent if the value is 0, false or empty.
template <typename Get>
auto IfSet(Get get) {
  return [get]<typename T>(const T& report) {
    using Value = field::ValueOf<Get, T>;
    const Value& value = std::invoke(get, report);
    return value == Value() ? std::nullopt : std::optional<Value>(value);
  };
}

// Absent if the condition, which is a getter too, is 0 or false.
template <typename Condition, typename Get>
auto When(Condition condition, Get get) {
  return [condition, get]<typename T>(const T& report) {
    using Value = field::ValueOf<Get, T>;
    return std::invoke(condition, report) ? std::optional<Value>(std::invoke(get, report))
                                          : std::nullopt;
  };
}

template <typename T>
class Fields : public FieldList {
 public:
  // Without a name: a document's own members, or a type that is used in one place only. With
  // `type_name` the type is a component of openapi.json, so the name must be unique. `reference`:
  // the schema to use in other types, for types that documents define (schema.h).
  explicit Fields(std::string_view type_name = {}, Json reference = nullptr)
      : FieldList(type_name, std::move(reference)) {}

  // Any that is not negative: of sound files at most 2^53, which JavaScript reads exactly.
  template <typename Get>
  Fields& Number(std::string_view name, Unit unit, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kNumber, unit, api::Number, meaning, get,
               [](const auto& value, const RowContext&) { return PlainNumber(value); });
  }
  // The same below 0.
  template <typename Get>
  Fields& Integer(std::string_view name, Unit unit, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kNumber, unit, api::Integer, meaning, get,
               [](int64_t value, const RowContext&) { return field::IntegerJson(value); });
  }
  // Any 64-bit number: decimal digits in a string.
  template <typename Get>
  Fields& Id(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kId, Unit::kNone, U64, meaning, get,
               [](uint64_t value, const RowContext&) { return field::IdJson(value); });
  }
  template <typename Get>
  Fields& Fraction(std::string_view name, Get get, std::string_view meaning) {
    return Fraction(name, Unit::kNone, get, meaning);
  }
  // A measured amount, such as seconds.
  template <typename Get>
  Fields& Fraction(std::string_view name, Unit unit, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kFraction, unit, api::Fraction, meaning, get,
               [](double value, const RowContext&) { return field::FractionJson(value); });
  }
  template <typename Get>
  Fields& Flag(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kFlag, Unit::kNone, Boolean, meaning, get,
               [](bool value, const RowContext&) { return field::FlagJson(value); });
  }
  template <typename Get>
  Fields& Text(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, api::Text, meaning, get,
               [](std::string_view value, const RowContext&) { return field::TextJson(value); });
  }
  // A name of any bytes, as column families have: text with the escapes of EscapeForDisplay(),
  // which is reversible. Requests and --cf take names in the same form.
  template <typename Get>
  Fields& Name(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kName, Unit::kNone, api::Text, WithEscapes(meaning), get,
               [](std::string_view value, const RowContext&) { return field::NameJson(value); });
  }
  template <typename Get>
  Fields& Choice(std::string_view name, std::initializer_list<std::string_view> values, Get get,
                 std::string_view meaning) {
    return Choice(name, std::span(values.begin(), values.size()), get, meaning);
  }
  template <typename Get>
  Fields& Choice(std::string_view name, std::span<const std::string_view> values, Get get,
                 std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, OneOf(values), meaning, get,
               [](std::string_view value, const RowContext&) { return field::TextJson(value); });
  }
  // Hexadecimal digits.
  template <typename Get>
  Fields& Hex(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, HexText, meaning, get,
               [](std::string_view value, const RowContext&) { return field::TextJson(value); });
  }
  // "0x" and 8 digits.
  template <typename Get>
  Fields& Hex32(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, HexText, meaning, get,
               [](uint32_t value, const RowContext&) { return field::Hex32Json(value); });
  }
  // For a key, a value, or a name of arbitrary bytes.
  template <typename Get>
  Fields& Bytes(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kBytes, Unit::kNone, BytesRef, meaning, get,
               [](std::string_view value, const RowContext& context) {
                 return BytesJson(value, context);
               });
  }
  // The same, never truncated, and always in the same form, whatever the request says about bytes.
  template <typename Get>
  Fields& WholeBytes(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kWholeBytes, Unit::kNone, BytesRef, meaning, get,
               [](std::string_view value, const RowContext&) { return BytesJson(value); });
  }
  template <typename Get>
  Fields& Texts(std::string_view name, Get get, std::string_view meaning) {
    return AddList(
        name, Unit::kNone, api::Text(), meaning, get,
        [](std::string_view value, const RowContext&) { return field::TextJson(value); });
  }
  template <typename Get>
  Fields& Names(std::string_view name, Get get, std::string_view meaning) {
    return AddList(
        name, Unit::kNone, api::Text(), WithEscapes(meaning), get,
        [](std::string_view value, const RowContext&) { return field::NameJson(value); });
  }
  template <typename Get>
  Fields& Numbers(std::string_view name, Unit unit, Get get, std::string_view meaning) {
    return AddList(name, unit, api::Number(), meaning, get,
                   [](const auto& value, const RowContext&) { return PlainNumber(value); });
  }
  template <typename Get>
  Fields& Ids(std::string_view name, Get get, std::string_view meaning) {
    return AddList(name, Unit::kNone, U64(), meaning, get,
                   [](uint64_t value, const RowContext&) { return field::IdJson(value); });
  }
  template <typename Get>
  Fields& Fractions(std::string_view name, Get get, std::string_view meaning) {
    return AddList(name, Unit::kNone, api::Fraction(), meaning, get,
                   [](double value, const RowContext&) { return field::FractionJson(value); });
  }
  // A member that has members. `fields` must outlive this.
  template <typename Get, typename U>
  Fields& Object(std::string_view name, Get get, const Fields<U>& fields,
                 std::string_view meaning) {
    Add(name, FieldKind::kStructure, Unit::kNone, fields.Type(), meaning, get,
        [&fields](const U& value, const RowContext& context) {
          return fields.ToJson(value, context);
        });
    SetMembersOfLast(fields);
    return *this;
  }
  // An array of these, from a range of values or of pointers.
  template <typename Get, typename U>
  Fields& List(std::string_view name, Get get, const Fields<U>& fields, std::string_view meaning) {
    return AddList(name, Unit::kNone, fields.Type(), meaning, get,
                   [&fields](const auto& value, const RowContext& context) {
                     if constexpr (std::is_convertible_v<decltype(value), const U&>) {
                       return fields.ToJson(value, context);
                     } else {
                       return fields.ToJson(*value, context);
                     }
                   });
  }
  // Adds the members of `fields`, applied to a part of the report, to this. If the getter's result
  // is optional, so are they.
  template <typename Get, typename U>
  Fields& Include(Get get, const Fields<U>& fields) {
    constexpr bool maybe = field::IsMaybe<field::ValueOf<Get, T>>::value;
    for (Field of_part : fields.fields()) {
      if (maybe) of_part.presence = kOptional;
      of_part.put = [get, put = of_part.put](const void* report, const RowContext& context,
                                             Json* json) {
        const auto& part = std::invoke(get, *static_cast<const T*>(report));
        if constexpr (maybe) {
          if (!part) return false;
          const U& exact = *part;
          return put(&exact, context, json);
        } else {
          const U& exact = part;
          return put(&exact, context, json);
        }
      };
      FieldList::Add(std::move(of_part));
    }
    return *this;
  }
  // A member described elsewhere: its schema, and a getter that returns its Json.
  template <typename Get>
  Fields& Other(std::string_view name, Json type, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kStructure, Unit::kNone, std::move(type), meaning, get,
               [](const Json& value, const RowContext&) { return value; });
  }
  // The last member, whose getter returns a std::optional or a pointer, is always there: null if
  // there is no value.
  Fields& OrNull() {
    MakeLastNullable();
    return *this;
  }

  Json ToJson(const T& report, const RowContext& context = {}) const {
    Json json = Json::object();
    AddReport(&report, context, &json);
    return json;
  }
  // For a document whose members are not nested.
  void AddTo(Json* json, const T& report, const RowContext& context = {}) const {
    AddReport(&report, context, json);
  }

 private:
  template <typename Value>
  static Json PlainNumber(Value value) {
    if constexpr (std::is_signed_v<Value>) {
      return field::IntegerJson(value);
    } else {
      return field::NumberJson(value);
    }
  }

  template <typename Get, typename Make>
  Fields& Add(std::string_view name, FieldKind kind, Unit unit, Json (*type)(),
              std::string_view meaning, Get get, Make make) {
    return Add(name, kind, unit, type(), meaning, get, make);
  }

  template <typename Get, typename Make>
  Fields& Add(std::string_view name, FieldKind kind, Unit unit, Json type, std::string_view meaning,
              Get get, Make make) {
    constexpr bool maybe = field::IsMaybe<field::ValueOf<Get, T>>::value;
    FieldList::Add(name, kind, unit, std::move(type), meaning, maybe ? kOptional : kRequired,
                   [get, make](const void* report, const RowContext& context, Json* json) {
                     decltype(auto) value = std::invoke(get, *static_cast<const T*>(report));
                     if constexpr (maybe) {
                       if (!value) return false;
                       *json = make(*value, context);
                     } else {
                       *json = make(value, context);
                     }
                     return true;
                   });
    return *this;
  }

  template <typename Get, typename Make>
  Fields& AddList(std::string_view name, Unit unit, Json element, std::string_view meaning, Get get,
                  Make make) {
    return Add(name, FieldKind::kStructure, unit, ArrayOf(std::move(element)), meaning, get,
               [make](const auto& values, const RowContext& context) {
                 Json list = Json::array();
                 for (const auto& value : values) field::Append(make(value, context), &list);
                 return list;
               });
  }
};

}  // namespace varve::api
