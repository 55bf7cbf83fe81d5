// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/uri.h"

#include "core/base/text/literal.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::api {
namespace {

Answer<std::string> PercentDecode(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes.push_back(text[i]);
      continue;
    }
    const Result<std::string> byte = Decode(Encoding::kHex, text.substr(i + 1, 2));
    if (!byte.ok() || byte->size() != 1) {
      return Problem("bad_request", "'%' without two hex digits after it");
    }
    bytes += *byte;
    i += 2;
  }
  return bytes;
}

Status CheckCharacters(std::string_view target) {
  for (const char c : target) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7F || c == '#' || c == '\\') {
      return Status::InvalidArgument("the target has byte 0x" + Hex(byte, 2) +
                                     ", which must be percent-encoded");
    }
  }
  return Status::Ok();
}

}  // namespace

Answer<Uri> ParseTarget(std::string_view target) {
  if (target.size() > kTargetBytesMax) {
    return Problem("payload_too_large", "the target is longer than a MiB");
  }
  if (!target.starts_with('/')) return Problem("bad_request", "the target does not begin with '/'");
  RETURN_IF_ERROR(CheckCharacters(target));
  Uri uri;
  const size_t mark = target.find('?');
  std::string_view path = target.substr(0, mark);
  // A trailing slash is ignored; any other empty segment is an error.
  if (path.ends_with('/')) path.remove_suffix(1);
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    ASSIGN_OR_RETURN(std::string decoded, PercentDecode(segment));
    if (decoded.empty() || decoded == "." || decoded == "..") {
      return Problem("bad_request", "a path segment is empty, '.' or '..'");
    }
    uri.path.push_back(std::move(decoded));
  }
  std::string_view query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const size_t equals = pair.find('=');
    ASSIGN_OR_RETURN(std::string name, PercentDecode(pair.substr(0, equals)));
    ASSIGN_OR_RETURN(
        std::string value,
        PercentDecode(equals == std::string_view::npos ? "" : pair.substr(equals + 1)));
    uri.query.emplace_back(std::move(name), std::move(value));
  }
  return uri;
}

std::string PercentEncode(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~' || c == ':';
    if (plain) {
      text += c;
    } else {
      text += "%" + Hex(static_cast<unsigned char>(c), 2);
    }
  }
  return text;
}

}  // namespace varve::api
