// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/page_tokens.h"

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"
#include "core/base/text/literal.h"

namespace varve::api {
namespace {

// Whether the token has the position itself or its number.
constexpr uint8_t kInline = 1, kKept = 2;

// URL-safe Base64 without padding.
std::string ToToken(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    for (count += 8; count >= 6; count -= 6) text += kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0) text += kDigits[bits << (6 - count) & 63];
  return text;
}

Result<std::string> FromToken(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) {
    if (c == '-') {
      c = '+';
    } else if (c == '_') {
      c = '/';
    }
  }
  return Decode(Encoding::kB64, plain);
}

// The token's bytes, including the hash.
std::string Sealed(uint8_t form, std::string_view binding, std::string_view rest) {
  std::string bytes(1, static_cast<char>(form));
  AppendFixed64(&bytes, Xxh3_64(std::string(binding).append(1, '\n').append(rest)));
  return bytes.append(rest);
}

std::string Sealed(uint8_t form, std::string_view binding, uint64_t edit, std::string_view place) {
  std::string rest;
  AppendVarint64(&rest, edit);
  return Sealed(form, binding, rest.append(place));
}

}  // namespace

std::string PageTokens::Make(std::string_view binding, uint64_t edit, std::string_view position) {
  if (position.size() <= kInlineBytesMax) {
    return ToToken(Sealed(kInline, binding, edit, position));
  }
  MutexLock lock(mu_);
  kept_.push_back({++last_kept_, std::string(binding), std::string(position)});
  kept_bytes_ += kept_.back().bytes();
  while (kept_.size() > kKeptMax || (kept_bytes_ > kKeptBytesMax && kept_.size() > 1)) {
    kept_bytes_ -= kept_.front().bytes();
    kept_.pop_front();
  }
  std::string place;
  AppendVarint64(&place, last_kept_);
  return ToToken(Sealed(kKept, binding, edit, place));
}

Answer<PageTokens::Place> PageTokens::Open(std::string_view token, std::string_view binding) {
  const Problem mismatch("page_token_mismatch",
                         "page_token is not one that this request was answered with");
  const Result<std::string> bytes = FromToken(token);
  if (!bytes.ok()) return mismatch;
  ByteReader in(*bytes);
  uint8_t form = 0;
  uint64_t hash = 0, edit = 0, kept = 0;
  if (!in.ReadByte(&form) || !in.ReadFixed64(&hash) || Sealed(form, binding, in.rest()) != *bytes ||
      !in.ReadVarint64(&edit)) {
    return mismatch;
  }
  if (form == kInline) return Place{edit, std::string(in.rest())};
  if (form != kKept || !in.ReadVarint64(&kept)) return mismatch;
  MutexLock lock(mu_);
  for (const Kept& one : kept_) {
    if (one.number == kept && one.binding == binding) return Place{edit, one.position};
  }
  return Problem("page_token_expired", "the position of page_token is no longer stored");
}

}  // namespace varve::api
