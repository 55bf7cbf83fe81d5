// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/bytes_json.h"

#include "core/base/text/text.h"

namespace varve::api {
namespace {

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view three = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < three.size() ? static_cast<uint8_t>(three[j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += j <= three.size() ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

}  // namespace

BytesStyle BytesStyleByName(std::string_view name) {
  if (name == "hex") return {.form = BytesStyle::Form::kHex};
  if (name == "b64") return {.form = BytesStyle::Form::kBase64};
  if (name == "text") return {.form = BytesStyle::Form::kText};
  if (name == "none") return {.form = BytesStyle::Form::kNone};
  if (name == "full") return {.length_max = SIZE_MAX};
  return {};
}

bool IsCut(std::string_view bytes, const BytesStyle& style) {
  return bytes.size() > style.length_max;
}

Json BytesJson(std::string_view bytes, const BytesStyle& style, const std::string& href) {
  const std::string_view shown = bytes.substr(0, style.length_max);
  Json json = Json::object();
  switch (style.form) {
    case BytesStyle::Form::kBoth:
      json = BytesJson(shown);
      break;
    case BytesStyle::Form::kHex:
      json["hex"] = HexBytes(shown);
      break;
    case BytesStyle::Form::kBase64:
      json["b64"] = Base64(shown);
      break;
    case BytesStyle::Form::kText:
      json["text"] = EscapeForDisplay(shown);
      break;
    case BytesStyle::Form::kNone:
      break;
  }
  json["len"] = bytes.size();
  if (IsCut(bytes, style)) {
    json["truncated"] = true;
    if (!href.empty()) json["href"] = href;
  }
  return json;
}

}  // namespace varve::api
