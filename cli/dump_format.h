// SPDX-License-Identifier: Apache-2.0
// The lossless dump: text, one record a line, any bytes.
//
//   #varve-dump 1
//   #cf<TAB>default<TAB>leveldb.BytewiseComparator
//   key<TAB>value                 escaped as everywhere; a key's leading '#' is \x23
//   #cf<TAB>users<TAB>leveldb.BytewiseComparator
//   …
//   #end count=3 xxh3=0123456789abcdef
//
// The digest is over the records, not over the text, so `varve db info --digest` gives the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace varve::cli {

inline constexpr std::string_view kDumpMagic = "#varve-dump 1";

// A running XXH3 over (family, key, value) of every record in order; each step hashes the state so
// far together with the length-prefixed fields.
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

std::string DumpRecord(std::string_view key, std::string_view value);  // With its newline.
std::string DumpFamily(std::string_view name, std::string_view comparator);
std::string DumpTrailer(const ContentDigest& digest);

}  // namespace varve::cli
