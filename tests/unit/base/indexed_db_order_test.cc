// SPDX-License-Identifier: Apache-2.0
#include "core/base/keys/indexed_db_order.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

namespace varve {
namespace {

using namespace std::string_literals;

// The ids in one byte each, then the rest.
std::string Idb(int database, int object_store, int index, const std::string& rest) {
  return std::string{'\0', static_cast<char>(database), static_cast<char>(object_store),
                     static_cast<char>(index)} +
         rest;
}

std::string IdbNumber(double value, char type = 3) {
  std::string key(1, type);
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
  return key;
}

std::string IdbString(std::string_view ascii) {
  std::string key = {'\x01', static_cast<char>(ascii.size())};
  for (const char c : ascii) key += std::string{'\0', c};
  return key;
}

// In ascending order; what shares a line is equal.
std::vector<std::vector<std::string>> IdbKeys() {
  const auto record = [](const std::string& key) { return Idb(1, 2, 1, key); };
  const auto index = [](const std::string& rest) { return Idb(1, 2, 30, rest); };
  return {
      {Idb(0, 0, 0, "\0"s), Idb(0, 0, 0, "\0more"s)},  // Schema version: nothing else counts.
      {Idb(0, 0, 0, "\x02"s)},
      {Idb(0, 0, 0,
           "\x32"
           "a")},
      {Idb(0, 0, 0,
           "\x32"
           "b")},
      {Idb(0, 0, 0, "\x64\x7f"s)},
      {Idb(0, 0, 0, "\x64\x80\x01"s)},  // A varint: 128.
      {Idb(0, 0, 0, "\xc9\x01\0a\x01\0z"s)},
      {Idb(0, 0, 0, "\xc9\x02\0a\0a\x01\0a"s)},  // The origin first, as a string.
      {Idb(1, 0, 0, "\0"s)},
      {Idb(1, 0, 0, "\x32\x01\0"s)},
      {Idb(1, 0, 0, "\x32\x01\x07"s)},
      {Idb(1, 0, 0, "\x64\x01\x1e\0"s)},
      {Idb(1, 0, 0, "\xc8\x01\0s"s)},
      {Idb(1, 0, 0, "\xc9\x01\x01\0i"s)},
      {record("")},
      {record("\x05")},  // Below all keys.
      {record(IdbNumber(-1e300))},
      {record(IdbNumber(-1))},
      {record(IdbNumber(0)), record(IdbNumber(-0.0)), record(IdbNumber(0) + "more")},
      {record(IdbNumber(1))},
      {record(IdbNumber(256))},
      {record(IdbNumber(-5, 2))},  // Dates.
      {record(IdbNumber(0, 2))},
      {record(IdbString(""))},
      {record(IdbString("a")), record("\x01\x81\x80\0\0a"s)},  // A longer varint of 1.
      {record(IdbString("aa"))},
      {record(IdbString("b"))},
      {record("\x06\0"s)},
      {record("\x06\x02\0\xff"s)},
      {record("\x06\x01\xff")},
      {record("\x04\0"s)},
      {record("\x04\x01" + IdbNumber(1))},
      {record("\x04\x02" + IdbNumber(1) + IdbNumber(2))},
      {record("\x04\x01" + IdbString("a"))},
      {record("\x04\x01\x04\0"s)},
      {record("\0"s)},           // Above all keys.
      {record("\x01\x05\0a"s)},  // No key: says five, has one.
      {record("\x07")},
      {Idb(1, 2, 2, IdbNumber(1))},
      {Idb(1, 2, 3, IdbNumber(1))},
      {index(IdbString("a")), index(IdbString("a") + "\x07")},  // Without a primary key.
      {index(IdbString("a") + "\x09" + IdbNumber(1))},
      {index(IdbString("a") + "\x07" + IdbNumber(2))},
      {index(IdbString("a") + "\x08" + IdbNumber(2))},
      {index(IdbString("b") + "\x01" + IdbNumber(1))},
      {Idb(1, 3, 1, IdbNumber(-1)), "\x05\x01\x03\0\x01\0"s + IdbNumber(-1)},  // Longer ids.
      {Idb(2, 0, 0, "\0"s)},
      {"\x20\0\x01\0\0\0"s},  // Database 256.
      {""},                   // No key at all.
      {"\0"s},
      {"\xff"},
  };
}

TEST_CASE("IndexedDbComparator: the order that Chromium and the IndexedDB specification define") {
  const Comparator* const order = IndexedDbComparator();
  const auto keys = IdbKeys();
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t j = 0; j < keys.size(); ++j) {
      for (const std::string& a : keys[i]) {
        for (const std::string& b : keys[j]) {
          const int expected = i < j ? -1 : i > j ? 1 : 0;
          const int got = order->Compare(a, b);
          CHECK_MESSAGE((got > 0) - (got < 0) == expected, i << " against " << j);
        }
      }
    }
  }
}

// Keys are bytes of files: whatever they are, sorting them must have one outcome.
TEST_CASE("IndexedDbComparator: any bytes have a place, and deep arrays end") {
  const Comparator* const order = IndexedDbComparator();
  std::vector<std::string> keys;
  for (const auto& equal : IdbKeys()) keys.insert(keys.end(), equal.begin(), equal.end());
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::string key = keys[random() % keys.size()];
    if (!key.empty()) key[random() % key.size()] = static_cast<char>(random());
    if (random() % 2 == 0) key.resize(random() % (key.size() + 2));
    keys.push_back(key);
  }
  std::string deep = Idb(1, 2, 1, "");
  for (int i = 0; i < 100'000; ++i) deep += "\x04\x01";
  keys.push_back(deep);
  for (const std::string& a : keys) {
    for (const std::string& b : keys) {
      const int ab = order->Compare(a, b);
      REQUIRE((ab < 0) == (order->Compare(b, a) > 0));
      for (int i = 0; i < 3; ++i) {
        const std::string& c = keys[random() % keys.size()];
        if (ab <= 0 && order->Compare(b, c) <= 0) REQUIRE(order->Compare(a, c) <= 0);
      }
    }
  }
}

// Chromium's keys are not ordered by bytes: a separator must be one of them, or the key itself.
TEST_CASE("IndexedDbComparator: separators and successors are keys of their order") {
  const Comparator* const order = IndexedDbComparator();
  CHECK_EQ(order->name(), "idb_cmp1");
  const auto keys = IdbKeys();
  for (size_t i = 0; i + 1 < keys.size(); ++i) {
    std::string separator = keys[i][0];
    order->FindShortestSeparator(&separator, keys[i + 1][0]);
    CHECK_LE(order->Compare(keys[i][0], separator), 0);
    CHECK_LT(order->Compare(separator, keys[i + 1][0]), 0);
  }
}

}  // namespace
}  // namespace varve
