// SPDX-License-Identifier: Apache-2.0
// ContentDigest tells whether two databases have the same records, however they are stored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varve {

// A running XXH3 over (family, key, value) of every record in order; each step hashes the previous
// state together with the length-prefixed fields.
class ContentDigest {
 public:
  void Add(std::string_view family, std::string_view key, std::string_view value);
  uint64_t count() const { return count_; }
  std::string hex() const;  // 16 digits.

 private:
  uint64_t state_ = 0;
  uint64_t count_ = 0;
  std::string buffer_;
};

}  // namespace varve
