// SPDX-License-Identifier: Apache-2.0
// Values of c.h's options from the text that OPTIONS files and rocksdb_get_options_from_string()
// have for them: numbers, true|false, and RocksDB's words for the numbers of c.h.
#pragma once

#include <concepts>
#include <limits>
#include <string_view>

#include "core/base/options/option_value.h"
#include "core/base/try.h"
#include "varve/status.h"

namespace varve::c {

// Also takes RocksDB's words: "kLZ4Compression" is 4, "kCompactionStyleFIFO" 2.
Status ParseOption(std::string_view text, int* out);

inline Status ParseOption(std::string_view text, bool* out) {
  ASSIGN_OR_RETURN(*out, ParseBool(text));
  return Status::Ok();
}

inline Status ParseOption(std::string_view text, double* out) {
  constexpr double kMost = 1e18;
  ASSIGN_OR_RETURN(*out, ParseReal(text, -kMost, kMost));
  return Status::Ok();
}

inline Status ParseOption(std::string_view text, char* out) {
  int number = 0;
  RETURN_IF_ERROR(ParseOption(text, &number));
  *out = static_cast<char>(number);
  return Status::Ok();
}

template <std::unsigned_integral T>
Status ParseOption(std::string_view text, T* out) {
  ASSIGN_OR_RETURN(const uint64_t number, ParseUnsigned(text, 0, std::numeric_limits<T>::max()));
  *out = static_cast<T>(number);
  return Status::Ok();
}

template <std::signed_integral T>
Status ParseOption(std::string_view text, T* out) {
  ASSIGN_OR_RETURN(const int64_t number,
                   ParseSigned(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  *out = static_cast<T>(number);
  return Status::Ok();
}

}  // namespace varve::c
