// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/prefix_extractor.h"

#include <limits>

#include "core/base/text/quantity.h"

namespace varve {

namespace {

constexpr std::string_view kFixedName = "rocksdb.FixedPrefix.";
constexpr std::string_view kCappedName = "rocksdb.CappedPrefix.";
constexpr std::string_view kNoopName = "rocksdb.Noop";

// The number that follows `before` and ends `name`.
std::optional<uint64_t> NumberAfter(std::string_view name, std::string_view before) {
  if (!name.starts_with(before)) return std::nullopt;
  return ParseDecimal(name.substr(before.size()));
}

}  // namespace

std::optional<PrefixExtractor> PrefixExtractor::FromName(std::string_view name) {
  if (name == kNoopName) {
    return PrefixExtractor(Kind::kNoop, std::numeric_limits<uint64_t>::max());
  }
  if (const auto size = NumberAfter(name, kFixedName)) return PrefixExtractor(Kind::kFixed, *size);
  if (const auto size = NumberAfter(name, kCappedName)) {
    return PrefixExtractor(Kind::kCapped, *size);
  }
  return std::nullopt;
}

std::string PrefixExtractor::name() const {
  if (kind_ == Kind::kNoop) return std::string(kNoopName);
  return std::string(kind_ == Kind::kFixed ? kFixedName : kCappedName) + std::to_string(size_);
}

}  // namespace varve
