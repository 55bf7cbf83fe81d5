// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/json.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/text/text.h"

namespace varve::api {
namespace {

// The length of the UTF-8 sequence that `bytes` starts with; 0 if it is not one (overlong forms,
// surrogates and values past U+10FFFF included).
size_t Utf8Length(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t lead = at(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 0;
  }
  if ((lead == 0xE0 && at(1) < 0xA0) || (lead == 0xED && at(1) > 0x9F)) return 0;
  if ((lead == 0xF0 && at(1) < 0x90) || (lead == 0xF4 && at(1) > 0x8F)) return 0;
  return length;
}

bool IsPlainText(std::string_view bytes) {
  while (bytes.remove_prefix(PlainAsciiLength(bytes)), !bytes.empty()) {
    const auto lead = static_cast<uint8_t>(bytes[0]);
    const size_t length = Utf8Length(bytes);
    if (length == 0 || lead < 0x20 || lead == 0x7F) return false;
    // U+0080..U+009F are control characters too.
    if (lead == 0xC2 && static_cast<uint8_t>(bytes[1]) < 0xA0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string LibraryDump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Text that is not plain is left to the library, which examines each byte.
void AppendString(std::string_view bytes, std::string* text) {
  text->push_back('"');
  while (true) {
    const size_t plain = PlainAsciiLength(bytes);
    text->append(bytes, 0, plain);
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    if (bytes[0] != '"' && bytes[0] != '\\') {
      text->append(LibraryDump(std::string(bytes)), 1);
      return;
    }
    text->push_back('\\');
    text->push_back(bytes[0]);
    bytes.remove_prefix(1);
  }
  text->push_back('"');
}

void AppendJson(const Json& json, std::string* text) {
  if (json.is_string()) return AppendString(json.get_ref<const std::string&>(), text);
  if (!json.is_structured()) {
    text->append(LibraryDump(json));
    return;
  }
  text->push_back(json.is_object() ? '{' : '[');
  bool first = true;
  const auto separate = [&] {
    if (!first) text->push_back(',');
    first = false;
  };
  if (json.is_object()) {
    for (const auto& [name, member] : json.get_ref<const Json::object_t&>()) {
      separate();
      AppendString(name, text);
      text->push_back(':');
      AppendJson(member, text);
    }
  } else {
    for (const Json& element : json) {
      separate();
      AppendJson(element, text);
    }
  }
  text->push_back(json.is_object() ? '}' : ']');
}

}  // namespace

Json BytesJson(std::string_view bytes) {
  Json json = {{"hex", HexBytes(bytes)}};
  if (IsPlainText(bytes)) json["text"] = std::string(bytes);
  json["len"] = bytes.size();
  return json;
}

Json EndOfStreamJson(uint64_t count, bool complete) {
  return {{"end", true}, {"count", count}, {"complete", complete}};
}

Json ParseJson(std::string_view text, Members members) {
  constexpr int kDepthMax = 32;
  bool refused = false;
  std::vector<std::set<std::string>> open;  // The members so far of the objects around.
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    refused |= depth > kDepthMax;
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && members == Members::kOnce) {
      refused |= !open.back().insert(parsed.get<std::string>()).second;
    }
    return !refused;
  };
  Json json = Json::parse(text, watch, /*allow_exceptions=*/false);
  return refused ? Json(Json::value_t::discarded) : json;
}

bool NumbersAreExact(const Json& json) {
  if (json.is_structured()) {
    return std::all_of(json.begin(), json.end(),
                       [](const Json& part) { return NumbersAreExact(part); });
  }
  constexpr int64_t kExactMax = int64_t{1} << 53;
  if (json.is_number_unsigned()) return json.get<uint64_t>() <= uint64_t{1} << 53;
  if (!json.is_number_integer()) return true;
  return json.get<int64_t>() <= kExactMax && json.get<int64_t>() >= -kExactMax;
}

void QuoteLargeNumbers(Json* json) {
  if (json->is_structured()) {
    for (Json& part : *json) QuoteLargeNumbers(&part);
  } else if (!NumbersAreExact(*json)) {
    *json = json->dump();
  }
}

std::string Dump(const Json& json) {
  std::string text;
  AppendJson(json, &text);
  return text;
}

}  // namespace varve::api
