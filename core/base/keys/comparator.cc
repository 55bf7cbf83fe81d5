// SPDX-License-Identifier: Apache-2.0
#include "varve/comparator.h"

#include <algorithm>
#include <memory>

#include "core/base/keys/indexed_db_order.h"
#include "core/base/keys/timestamps.h"

namespace varve {
namespace {

constexpr uint8_t kMaxByte = 0xff;

uint8_t ByteAt(std::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

class Bytewise final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override { return a.compare(b); }
  std::string_view name() const override { return "leveldb.BytewiseComparator"; }
  Kind kind() const override { return Kind::kBytewise; }

  // RocksDB's rule, so that an index we write has the separators that RocksDB would have written.
  void FindShortestSeparator(std::string* start, std::string_view limit) const override {
    const size_t shorter = std::min(start->size(), limit.size());
    size_t i = 0;
    while (i < shorter && (*start)[i] == limit[i]) ++i;
    if (i == shorter) return;  // One is a prefix of the other.
    const uint8_t here = ByteAt(*start, i);
    if (here >= ByteAt(limit, i)) return;
    if (here + 1 < ByteAt(limit, i) || i + 1 < limit.size()) {
      IncrementAndCut(start, i);
      return;
    }
    // limit equals start[0..i] with its last byte increased by one: only a later byte can be
    // increased.
    for (++i; i < start->size(); ++i) {
      if (ByteAt(*start, i) == kMaxByte) continue;
      IncrementAndCut(start, i);
      return;
    }
  }

 private:
  static void IncrementAndCut(std::string* key, size_t i) {
    (*key)[i] = static_cast<char>(ByteAt(*key, i) + 1);
    key->resize(i + 1);
  }
};

class ReverseBytewise final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override { return b.compare(a); }
  std::string_view name() const override { return "rocksdb.ReverseBytewiseComparator"; }
  Kind kind() const override { return Kind::kReverseBytewise; }
};

// Like RocksDB's, it shortens no separators.
class BytewiseWithU64Ts final : public Comparator {
 public:
  static constexpr size_t kTimestampSize = 8;

  int Compare(std::string_view a, std::string_view b) const override {
    const int c = WithoutTimestamp(a, kTimestampSize).compare(WithoutTimestamp(b, kTimestampSize));
    if (c != 0) return c;
    return -CompareTimestamps(TimestampOf(a, kTimestampSize), TimestampOf(b, kTimestampSize));
  }
  std::string_view name() const override { return "leveldb.BytewiseComparator.u64ts"; }
  size_t timestamp_size() const override { return kTimestampSize; }
  int CompareTimestamps(std::string_view a, std::string_view b) const override {
    const uint64_t x = NumberOf(a), y = NumberOf(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  int CompareWithoutTimestamps(std::string_view a, std::string_view b) const override {
    return a.compare(b);
  }

 private:
  // Damaged keys may be shorter than a timestamp.
  static uint64_t NumberOf(std::string_view timestamp) {
    uint64_t number = 0;
    for (size_t i = 0; i < timestamp.size(); ++i) {
      number |= uint64_t{ByteAt(timestamp, i)} << (8 * i);
    }
    return number;
  }
};

}  // namespace

// Never destroyed: the destructor of a global may close a database.
const Comparator* BytewiseComparator() {
  static const Comparator* const comparator = std::make_unique<Bytewise>().release();
  return comparator;
}

const Comparator* ReverseBytewiseComparator() {
  static const Comparator* const comparator = std::make_unique<ReverseBytewise>().release();
  return comparator;
}

const Comparator* BytewiseComparatorWithU64Ts() {
  static const Comparator* const comparator = std::make_unique<BytewiseWithU64Ts>().release();
  return comparator;
}

const Comparator* ComparatorByName(std::string_view name) {
  for (const Comparator* built_in :
       {BytewiseComparator(), ReverseBytewiseComparator(), IndexedDbComparator()}) {
    if (built_in->name() == name) return built_in;
  }
  return nullptr;
}

}  // namespace varve
