// SPDX-License-Identifier: Apache-2.0
// The one description of a report's type: its members in order, each with its name, unit and meaning,
// and where it comes from. It gives the member's JSON, its JSON Schema (and so openapi.json and the
// types of the web app), its columns as csv and as a table on a terminal.
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
// A getter is whatever std::invoke takes with a `const T&`: a pointer to a member, or a function. One
// that returns a std::optional or a pointer makes the member optional: it is left out when there is
// none.
//
// Immutable once made; thread-safe then.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "webview/api/json/bytes_json.h"
#include "webview/api/schema/schema.h"

namespace varve::api {

// What a number counts: "x-unit" in the schema.
enum class Unit : uint8_t {
  kNone,
  kCount,
  kBytes,
  kOffset,  // In a file, in bytes.
  kMicroseconds,
  kUnixSeconds,
};
std::string_view UnitName(Unit unit);  // Empty for kNone.

// How bytes are shown in the rows of an answer.
struct RowContext {
  BytesStyle style = {};
  std::string href = {};  // Where bytes that are cut can be had in full.
};

// What a member is to whoever shows it.
enum class FieldKind : uint8_t { kNumber, kId, kFraction, kFlag, kText, kBytes, kStructure };

namespace field {

template <typename Value>
struct IsMaybe : std::is_pointer<Value> {};
template <typename Value>
struct IsMaybe<std::optional<Value>> : std::true_type {};

}  // namespace field

template <typename T>
class Fields {
 public:
  struct Field {
    std::string name;
    FieldKind kind = FieldKind::kText;
    Unit unit = Unit::kNone;
    Json type;  // Its schema.
    Presence presence = kRequired;
    // Null: the report has none.
    std::function<std::optional<Json>(const T& report, const RowContext& context)> json;
  };

  // Under `type_name` the type is a component of openapi.json: one name, one type.
  explicit Fields(std::string_view type_name) : type_name_(type_name) {}

  // 0 .. 2^53.
  template <typename Get>
  Fields& Number(std::string_view name, Unit unit, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kNumber, unit, api::Number(), meaning, get,
               [](const auto& value, const RowContext&) { return Json(value); });
  }
  // Any of 64 bits: decimal digits in a string.
  template <typename Get>
  Fields& Id(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kId, Unit::kNone, U64(), meaning, get,
               [](uint64_t value, const RowContext&) { return Json(std::to_string(value)); });
  }
  template <typename Get>
  Fields& Fraction(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kFraction, Unit::kNone, api::Fraction(), meaning, get,
               [](double value, const RowContext&) { return Json(value); });
  }
  template <typename Get>
  Fields& Flag(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kFlag, Unit::kNone, Boolean(), meaning, get,
               [](bool value, const RowContext&) { return Json(value); });
  }
  template <typename Get>
  Fields& Text(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, api::Text(), meaning, get,
               [](std::string_view value, const RowContext&) { return Json(std::string(value)); });
  }
  template <typename Get>
  Fields& Choice(std::string_view name, std::initializer_list<std::string_view> values, Get get,
                 std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, OneOf(values), meaning, get,
               [](std::string_view value, const RowContext&) { return Json(std::string(value)); });
  }
  // "0x" and 8 digits.
  template <typename Get>
  Fields& Hex32(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kText, Unit::kNone, HexText(), meaning, get,
               [](uint32_t value, const RowContext&) { return Json("0x" + Hex(value, 8)); });
  }
  // Of a key, a value, a name that may be any bytes.
  template <typename Get>
  Fields& Bytes(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kBytes, Unit::kNone, BytesRef(), meaning, get,
               [](std::string_view value, const RowContext& context) {
                 return BytesJson(value, context.style, context.href);
               });
  }
  template <typename Get>
  Fields& Texts(std::string_view name, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kStructure, Unit::kNone, ArrayOf(api::Text()), meaning, get,
               [](const auto& values, const RowContext&) {
                 Json list = Json::array();
                 for (const auto& value : values) list.push_back(std::string(value));
                 return list;
               });
  }
  // A member that has members. `fields` outlives this.
  template <typename Get, typename U>
  Fields& Object(std::string_view name, Get get, const Fields<U>& fields,
                 std::string_view meaning) {
    return Add(name, FieldKind::kStructure, Unit::kNone, fields.Schema(), meaning, get,
               [&fields](const U& value, const RowContext& context) {
                 return fields.ToJson(value, context);
               });
  }
  template <typename Get, typename U>
  Fields& List(std::string_view name, Get get, const Fields<U>& fields, std::string_view meaning) {
    return Add(name, FieldKind::kStructure, Unit::kNone, ArrayOf(fields.Schema()), meaning, get,
               [&fields](const auto& values, const RowContext& context) {
                 Json list = Json::array();
                 for (const auto& value : values) list.push_back(fields.ToJson(value, context));
                 return list;
               });
  }
  // What is described elsewhere: its schema, and a getter that returns its Json.
  template <typename Get>
  Fields& Other(std::string_view name, Json type, Get get, std::string_view meaning) {
    return Add(name, FieldKind::kStructure, Unit::kNone, std::move(type), meaning, get,
               [](const Json& value, const RowContext&) { return value; });
  }

  Json ToJson(const T& report, const RowContext& context = {}) const {
    Json json = Json::object();
    AddTo(&json, report, context);
    return json;
  }
  // For a document whose members are not within another one.
  void AddTo(Json* json, const T& report, const RowContext& context = {}) const {
    for (const Field& field : fields_) {
      std::optional<Json> value = field.json(report, context);
      if (value) (*json)[field.name] = std::move(*value);
    }
  }
  Json Schema() const {
    Json object = api::Object(type_name_, {});
    for (const Field& field : fields_) AddMember(&object, {field.name, field.type, field.presence});
    return object;
  }
  const std::vector<Field>& fields() const { return fields_; }

 private:
  template <typename Get, typename Make>
  Fields& Add(std::string_view name, FieldKind kind, Unit unit, Json type, std::string_view meaning,
              Get get, Make make) {
    using Value = std::remove_cvref_t<std::invoke_result_t<const Get&, const T&>>;
    if (!meaning.empty()) type["description"] = std::string(meaning);
    if (unit != Unit::kNone) type["x-unit"] = std::string(UnitName(unit));
    const auto json = [get, make](const T& report, const RowContext& context) {
      decltype(auto) value = std::invoke(get, report);
      if constexpr (field::IsMaybe<Value>::value) {
        return value ? std::optional<Json>(make(*value, context)) : std::nullopt;
      } else {
        return std::optional<Json>(make(value, context));
      }
    };
    fields_.push_back({std::string(name), kind, unit, std::move(type),
                       field::IsMaybe<Value>::value ? kOptional : kRequired, json});
    return *this;
  }

  std::string type_name_;
  std::vector<Field> fields_;
};

}  // namespace varve::api
