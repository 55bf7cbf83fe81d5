// SPDX-License-Identifier: Apache-2.0
// Bytes in JSON: objects, never bare strings.
//
//   bytes=      {"hex":"6b31","text":"k1","len":2}  text only if UTF-8 without control characters
//   bytes=hex   {"hex":…,"len":2}                   b64, text likewise (text: escaped if not plain)
//   bytes=none  {"len":2}
//   bytes=full  as without, but never cut
//
// Otherwise long values are truncated: "truncated":true, the full "len", and an "href" to the
// whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "webview/api/json/json.h"

namespace varve::api {

struct BytesStyle {
  enum class Form : uint8_t { kBoth, kHex, kBase64, kText, kNone };
  Form form = Form::kBoth;
  size_t length_max = 256;
};
inline constexpr std::string_view kBytesChoices = "hex|b64|text|none|full";
// The style named by `bytes=`; "" gives the default.
BytesStyle BytesStyleByName(std::string_view name);

bool IsCut(std::string_view bytes, const BytesStyle& style);
// `href` is only used when bytes are truncated; empty: none.
Json BytesJson(std::string_view bytes, const BytesStyle& style, const std::string& href);

}  // namespace varve::api
