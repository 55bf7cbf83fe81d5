// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/unique_id.h"

#include "core/base/check.h"
#include "core/base/hash/hash.h"

namespace varve {
namespace {

constexpr size_t kLowDigits = 12;  // Of 62 bits: 36^12 > 2^62.
constexpr size_t kHighDigits = 8;
constexpr size_t kSessionIdDigitsMax = 2 * kLowDigits;
constexpr uint64_t kLow62Bits = (uint64_t{1} << 62) - 1;
constexpr uint64_t kHighDigitsRange = uint64_t{36} * 36 * 36 * 36 * 36 * 36 * 36 * 36;

// Modulo 2^64. False if there is any character other than a base-36 digit.
bool ParseBase36(std::string_view digits, uint64_t* value) {
  *value = 0;
  for (const char c : digits) {
    uint64_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint64_t>(c - '0');
    } else if (c >= 'A' && c <= 'Z') {
      digit = static_cast<uint64_t>(c - 'A') + 10;
    } else if (c >= 'a' && c <= 'z') {
      digit = static_cast<uint64_t>(c - 'a') + 10;
    } else {
      return false;
    }
    *value = *value * 36 + digit;
  }
  return true;
}

void AppendBase36(std::string* out, uint64_t value, size_t digits) {
  const size_t begin = out->size();
  out->append(digits, '0');
  for (size_t i = begin + digits; i > begin; --i) {
    (*out)[i - 1] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36];
    value /= 36;
  }
  CHECK_OP(value, ==, 0, "there are enough digits for the number");
}

struct Session {
  uint64_t upper = 0;
  uint64_t lower = 0;
};

Session ParseSession(std::string_view id) {
  uint64_t high = 0, low = 0;
  if (id.size() > kLowDigits && id.size() <= kSessionIdDigitsMax &&
      ParseBase36(id.substr(0, id.size() - kLowDigits), &high) &&
      ParseBase36(id.substr(id.size() - kLowDigits), &low)) {
    return {high >> 2, (low & kLow62Bits) | (high << 62)};
  }
  // Not made by RocksDB. `lower` must not be 0, which would mean "no id".
  const Hash128 hash = Xxh3_128(id, 0);
  return {hash.high, hash.low != 0 ? hash.low : hash.high | 1};
}

}  // namespace

std::array<uint64_t, 2> TableUniqueId(std::string_view db_id, std::string_view session_id,
                                      FileNumber original_file_number) {
  const Session session = ParseSession(session_id);
  const Hash128 hash = Xxh3_128(db_id, session.upper);
  return {session.lower, hash.high ^ original_file_number};
}

std::string MakeSessionId(uint64_t upper, uint64_t lower) {
  CHECK(lower != 0);
  std::string id;
  AppendBase36(&id, ((upper << 2) | (lower >> 62)) % kHighDigitsRange, kHighDigits);
  AppendBase36(&id, lower & kLow62Bits, kLowDigits);
  return id;
}

}  // namespace varve
