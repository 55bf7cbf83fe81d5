// SPDX-License-Identifier: Apache-2.0
// PrefixExtractor determines the prefix of a key that prefix filters use, as far as it is known
// from the extractor's name in a table's properties:
//
//   rocksdb.FixedPrefix.N   keys of at least N bytes have a prefix: their first N bytes
//   rocksdb.CappedPrefix.N  every key has one: its first min(N, size) bytes
//   rocksdb.Noop            every key is its own prefix
//
// A small value. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace varve {

class PrefixExtractor {
 public:
  // nullopt for "nullptr", "" and custom extractors.
  static std::optional<PrefixExtractor> FromName(std::string_view name);

  // The prefix of `user_key` (a view into it), nullopt if it has none.
  std::optional<std::string_view> Prefix(std::string_view user_key) const {
    if (kind_ == Kind::kFixed && user_key.size() < size_) return std::nullopt;
    return user_key.substr(0, size_);  // Capped by itself; Noop has the largest size.
  }
  std::string name() const;

 private:
  enum class Kind : uint8_t { kFixed, kCapped, kNoop };
  PrefixExtractor(Kind kind, uint64_t size) : kind_(kind), size_(size) {}

  Kind kind_;
  uint64_t size_;
};

}  // namespace varve
