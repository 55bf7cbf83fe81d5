// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/unique_id.h"

#include <charconv>

#include "cli/ldb/text.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"

namespace varve::cli::ldb {
namespace {

// Numbers of zeros stay zeros.
constexpr uint64_t kHighOffset = 17391078804906429400U, kLowOffset = 6417269962128484497U;
constexpr size_t kDigits = 16;

}  // namespace

std::string PublicUniqueId(const std::array<uint64_t, 2>& id) {
  // RocksDB's BijectiveHash2x64 is XXH3 of 16 bytes.
  std::string bytes;
  AppendFixed64(&bytes, id[0] + kLowOffset);
  AppendFixed64(&bytes, id[1] + kHighOffset);
  const Hash128 hash = Xxh3_128(bytes, 0);
  std::string shown;
  AppendFixed64(&shown, hash.low);
  AppendFixed64(&shown, hash.high);
  shown = Hex(shown);
  return shown.insert(kDigits, "-");
}

std::string PublicUniqueId(std::string_view digits) {
  std::array<uint64_t, 2> id{};
  if (digits.size() != 2 * kDigits) return "N/A";
  for (size_t i = 0; i < id.size(); ++i) {
    const char* const begin = digits.data() + i * kDigits;
    if (std::from_chars(begin, begin + kDigits, id.at(i), 16).ec != std::errc()) return "N/A";
  }
  return PublicUniqueId(id);
}

}  // namespace varve::cli::ldb
