// SPDX-License-Identifier: Apache-2.0
// That an access to poisoned memory ends a process of AddressSanitizer is a case of tests/death.
#include "core/base/poison.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define VARVE_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define VARVE_TEST_ASAN 1
#endif
#endif

namespace varve {
namespace {

std::string Poisoned(std::string bytes, size_t begin, size_t size) {
  Poison(bytes.data() + begin, size);
  Unpoison(bytes.data() + begin, size);  // So that this test may look at it.
  return bytes;
}

#ifdef VARVE_DEBUG_CHECKS

TEST_CASE("Poison: every byte of the range is overwritten, and none beside it") {
  const std::string before(64, 'v');
  for (const size_t begin : {0u, 8u, 24u}) {
    for (const size_t size : {0u, 1u, 7u, 8u, 40u}) {
      std::string expected = before;
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(begin), size, kPoison);
      CHECK_EQ(Poisoned(before, begin, size), expected);
    }
  }
}

TEST_CASE("Poison: memory that is poisoned already, in part or whole, can be poisoned again") {
  std::vector<char> bytes(64, 'v');
  Poison(bytes.data(), 32);
  Poison(bytes.data(), 64);
  Poison(bytes.data() + 8, 8);
#ifdef VARVE_TEST_ASAN
  CHECK_EQ(__asan_region_is_poisoned(bytes.data(), 64), bytes.data());
  CHECK(__asan_address_is_poisoned(bytes.data() + 63));
#endif
  Unpoison(bytes.data(), bytes.size());
  CHECK(std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == kPoison; }));
}

TEST_CASE("Unpoison: memory can be used again") {
  std::vector<char> bytes(64, 'v');
  Poison(bytes.data(), bytes.size());
  Unpoison(bytes.data(), 32);
  std::fill_n(bytes.begin(), 32, 'w');
  CHECK_EQ(std::string(bytes.data(), 32), std::string(32, 'w'));
#ifdef VARVE_TEST_ASAN
  CHECK_EQ(__asan_region_is_poisoned(bytes.data(), 64), bytes.data() + 32);
#endif
  Unpoison(bytes.data(), bytes.size());
}

#else

TEST_CASE("Poison: a release build leaves the bytes as they are") {
  CHECK_EQ(Poisoned("0123456789", 2, 5), "0123456789");
}

#endif

}  // namespace
}  // namespace varve
