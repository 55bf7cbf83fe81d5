// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/fields.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text/text.h"

namespace varve::api {

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::kCount:
      return "count";
    case Unit::kBytes:
      return "bytes";
    case Unit::kOffset:
      return "offset";
    case Unit::kNanoseconds:
      return "nanoseconds";
    case Unit::kMicroseconds:
      return "microseconds";
    case Unit::kSeconds:
      return "seconds";
    case Unit::kPerSecond:
      return "per_second";
    case Unit::kUnixSeconds:
      return "unix_seconds";
    case Unit::kUnixMicroseconds:
      return "unix_microseconds";
    case Unit::kNone:
      break;
  }
  return {};
}

Json BytesJson(std::string_view bytes, const RowContext& context) {
  const bool has_place = context.href != nullptr && IsCut(bytes, context.style);
  return BytesJson(bytes, context.style, has_place ? context.href() : std::string());
}

namespace field {

Json NumberJson(uint64_t value) { return value; }
Json IntegerJson(int64_t value) { return value; }
Json IdJson(uint64_t value) { return std::to_string(value); }
Json FractionJson(double value) { return value; }
Json FlagJson(bool value) { return value; }
Json TextJson(std::string_view value) { return std::string(value); }
Json NameJson(std::string_view value) { return EscapeForDisplay(value); }
Json Hex32Json(uint32_t value) { return "0x" + Hex(value, 8); }
void Append(Json value, Json* list) { list->push_back(std::move(value)); }

}  // namespace field

FieldList::FieldList(std::string_view type_name, Json reference)
    : type_name_(type_name), reference_(std::move(reference)) {}

const Field& FieldList::Named(std::string_view name) const {
  const auto field =
      std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.name == name; });
  CHECK(field != fields_.end());
  return *field;
}

void FieldList::Add(std::string_view name, FieldKind kind, Unit unit, Json type,
                    std::string_view meaning, Presence presence, decltype(Field::put) put) {
  if (!meaning.empty()) type["description"] = std::string(meaning);
  if (unit != Unit::kNone) type["x-unit"] = std::string(UnitName(unit));
  fields_.push_back({std::string(name), kind, unit, std::move(type), presence, std::move(put)});
}

void FieldList::MakeLastNullable() {
  CHECK(!fields_.empty());
  Field& field = fields_.back();
  CHECK(field.presence == kOptional);
  field.presence = kRequired;
  Json type = {{"anyOf", Json::array()}};
  for (const char* about : {"description", "x-unit"}) {
    if (!field.type.contains(about)) continue;
    type[about] = field.type[about];
    field.type.erase(about);
  }
  type["anyOf"].push_back(std::move(field.type));
  type["anyOf"].push_back({{"type", "null"}});
  field.type = std::move(type);
  field.put = [put = std::move(field.put)](const void* report, const RowContext& context,
                                           Json* json) {
    if (!put(report, context, json)) *json = nullptr;
    return true;
  };
}

void FieldList::AddReport(const void* report, const RowContext& context, Json* json) const {
  for (const Field& field : fields_) {
    Json value;
    if (field.put(report, context, &value)) (*json)[field.name] = std::move(value);
  }
}

Json FieldList::Schema() const {
  return type_name_.empty() ? Object(Members()) : Object(type_name_, Members());
}

Json FieldList::Type() const { return reference_.is_null() ? Schema() : reference_; }

SchemaMembers FieldList::Members() const {
  SchemaMembers members;
  for (const Field& field : fields_) members.push_back({field.name, field.type, field.presence});
  return members;
}

}  // namespace varve::api
