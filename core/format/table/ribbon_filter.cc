// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/ribbon_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/prefetch.h"
#include "core/format/table/bloom_filter.h"

namespace varve {

namespace {

__extension__ using Uint128 = unsigned __int128;

constexpr uint64_t kSlotsPerBlock = 128;
constexpr uint64_t kSegmentSize = sizeof(Uint128);
constexpr uint32_t kColumnsMax = 32;
constexpr int kSeeds = 256;
constexpr size_t kPrefetchDistance = 8;

Uint128 LoadSegment(const uint8_t* at) {
  const auto* bytes = reinterpret_cast<const char*>(at);
  return Uint128{LoadFixed64(bytes + 8)} << 64 | LoadFixed64(bytes);
}

uint32_t Parity(Uint128 v) {
  return static_cast<uint32_t>(
      std::popcount(static_cast<uint64_t>(v) ^ static_cast<uint64_t>(v >> 64)) & 1);
}

uint64_t SeedMask(uint8_t seed) {
  uint64_t t = seed * 0xC78219A23EEADD03u;
  t ^= (t & 0xF0F0F0F0F0F0F0F0u) >> 4;
  return static_cast<uint32_t>(t);
}

// A key's equation: `coefficients` from slot `start` on, and the result bits of all columns.
struct Equation {
  uint64_t start;
  Uint128 coefficients;
  uint32_t results;
};

uint64_t Rehash(uint64_t hash, uint64_t seed_mask) {
  return (hash ^ seed_mask) * 0x6193D459236A3A0Du;
}

uint64_t StartOf(uint64_t rehashed, uint64_t starts) {
  return static_cast<uint64_t>((Uint128{rehashed} * starts) >> 64);
}

Equation EquationOf(uint64_t hash, uint64_t seed_mask, uint64_t starts) {
  const uint64_t h = Rehash(hash, seed_mask);
  const uint64_t a = h * 0xC28F82822B650BEDu;
  return {StartOf(h, starts), Uint128{a} << 64 | (a ^ 0xC367844A6E52731Du) | 1,
          static_cast<uint32_t>(__builtin_bswap64(a))};
}

uint64_t StartsOf(uint64_t blocks) { return kSlotsPerBlock * blocks - (kSlotsPerBlock - 1); }

// How many keys 2^k slots hold with high probability: measured values, then extrapolated.
double Capacity(uint32_t log2_slots) {
  constexpr uint32_t kFirst = 8, kLast = 17;
  constexpr double kMeasured[] = {248.851, 499.532, 1001.26, 2003.97, 4005.59,
                                  8000.39, 15966.6, 31828.1, 63447.3, 126506};
  static_assert(std::size(kMeasured) == kLast - kFirst + 1);
  CHECK_OP(log2_slots, >=, kFirst);
  if (log2_slots <= kLast) return kMeasured[log2_slots - kFirst];
  return std::ldexp(1.0, static_cast<int>(log2_slots)) /
         (131072.0 / 126506 + 0.0038 * (log2_slots - kLast));
}

uint64_t BlocksFor(uint64_t entries) {
  const auto n = static_cast<double>(entries);
  uint32_t k = 8;
  if (n < Capacity(k)) return 2;
  while (n >= Capacity(k + 1)) ++k;
  const double share = (n - Capacity(k)) / (Capacity(k + 1) - Capacity(k));
  const auto slots =
      static_cast<uint64_t>(std::ldexp(1.0, static_cast<int>(k)) * (1.0 + share) + 0.999999999);
  return (slots + kSlotsPerBlock - 1) / kSlotsPerBlock;
}

struct Shape {
  uint64_t blocks = 0;
  uint64_t segments = 0;
  uint32_t upper_columns = 0;
  uint64_t first_upper = 0;
};

// Blocks and columns for the false positive rate of the Bloom filter with the same bits per key. A
// fractional column is added to some of the blocks only; `dither` rounds their number.
Shape ShapeFor(uint64_t entries, double bits_per_key, uint32_t dither) {
  Shape shape;
  shape.blocks = BlocksFor(entries);
  const double limited = std::clamp(bits_per_key, 1.0, 100.0);
  const double wanted =
      FastLocalBloomFalsePositives(limited, FastLocalBloomProbes(MillibitsPerKey(limited)));
  const double one_in = std::floor(1.0 / wanted);
  if (one_in >= std::ldexp(1.0, kColumnsMax)) {
    shape.upper_columns = kColumnsMax;
    shape.segments = shape.blocks * kColumnsMax;
    return shape;
  }
  const int columns = std::ilogb(one_in);
  const double more = std::ldexp(1.0, -(columns + 1)), fewer = std::ldexp(1.0, -columns);
  const double share_of_fewer = (wanted - more) / (fewer - more);
  const double rounding = (dither + 0.5) / 4294967296.0;
  shape.upper_columns = static_cast<uint32_t>(columns) + 1;
  shape.first_upper = static_cast<uint64_t>(
      (share_of_fewer * static_cast<double>(StartsOf(shape.blocks)) + rounding) / kSlotsPerBlock);
  shape.segments = shape.blocks * shape.upper_columns - shape.first_upper;
  return shape;
}

// As other implementations, prefer a Bloom filter if a small Ribbon would be larger.
bool BloomIsSmaller(const Shape& shape, uint64_t entries, double bits_per_key) {
  constexpr uint64_t kSmallSlots = 1024;
  return shape.blocks * kSlotsPerBlock < kSmallSlots &&
         FastLocalBloomSize(entries, MillibitsPerKey(bits_per_key)) < shape.segments * kSegmentSize;
}

// The linear system in echelon form: row i has its first coefficient at slot i.
class Band {
 public:
  explicit Band(uint64_t blocks) : rows_(blocks * kSlotsPerBlock), starts_(StartsOf(blocks)) {}

  // False if the equations of the keys have no solution with this seed.
  bool AddAll(std::span<const uint64_t> hashes, uint64_t seed_mask) {
    std::fill(rows_.begin(), rows_.end(), Row{});
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (i + kPrefetchDistance < hashes.size()) {
        const uint64_t ahead = Rehash(hashes[i + kPrefetchDistance], seed_mask);
        __builtin_prefetch(&rows_[StartOf(ahead, starts_)], 1);
      }
      if (!Add(EquationOf(hashes[i], seed_mask, starts_))) return false;
    }
    return true;
  }

  // Back-substitution, last slot first; appends whole blocks as segments.
  void Solve(const Shape& shape, char* segments) const {
    CHECK_OP(shape.upper_columns, <=, kColumnsMax);
    Uint128 state[kColumnsMax] = {};
    char* out = segments + shape.segments * kSegmentSize;
    for (uint64_t i = rows_.size(); i-- > 0;) {
      const Row& row = rows_[i];
      for (uint32_t column = 0; column < shape.upper_columns; ++column) {
        const Uint128 shifted = state[column] << 1;
        const uint32_t bit = Parity(shifted & row.coefficients) ^ (row.results >> column & 1);
        state[column] = shifted | bit;
      }
      if (i % kSlotsPerBlock != 0) continue;
      const bool fewer = i / kSlotsPerBlock < shape.first_upper;
      for (uint32_t column = shape.upper_columns - (fewer ? 1 : 0); column-- > 0;) {
        out -= kSegmentSize;
        StoreFixed64(out, static_cast<uint64_t>(state[column]));
        StoreFixed64(out + 8, static_cast<uint64_t>(state[column] >> 64));
      }
    }
    CHECK(out == segments);
  }

 private:
  struct Row {
    Uint128 coefficients = 0;
    uint32_t results = 0;
  };

  bool Add(Equation key) {
    while (true) {
      DCHECK_OP(key.start, <, rows_.size());
      Row& row = rows_[key.start];
      if (row.coefficients == 0) {
        row = {key.coefficients, key.results};
        return true;
      }
      key.coefficients ^= row.coefficients;
      key.results ^= row.results;
      if (key.coefficients == 0) return key.results == 0;  // A duplicate key is no conflict.
      const auto low = static_cast<uint64_t>(key.coefficients);
      const int zeros = low != 0
                            ? std::countr_zero(low)
                            : 64 + std::countr_zero(static_cast<uint64_t>(key.coefficients >> 64));
      key.start += static_cast<uint64_t>(zeros);
      key.coefficients >>= zeros;
    }
  }

  std::vector<Row> rows_;
  const uint64_t starts_;
};

}  // namespace

std::optional<RibbonFilter> RibbonFilter::Parse(std::string_view segments, uint8_t seed,
                                                uint32_t num_blocks) {
  if (num_blocks < 2) return std::nullopt;
  RibbonFilter filter;
  filter.segments = reinterpret_cast<const uint8_t*>(segments.data());
  filter.num_segments = segments.size() / kSegmentSize;
  filter.num_blocks = num_blocks;
  filter.seed_mask = SeedMask(seed);
  const uint64_t upper = (filter.num_segments + num_blocks - 1) / num_blocks;
  if (upper > kColumnsMax) {  // More columns than result bits: the rest is unused.
    filter.upper_columns = kColumnsMax;
    return filter;
  }
  filter.upper_columns = static_cast<uint32_t>(upper);
  filter.first_upper = static_cast<uint32_t>(upper * num_blocks - filter.num_segments);
  return filter;
}

bool RibbonFilter::MayMatch(uint64_t hash) const {
  const Equation key = EquationOf(hash, seed_mask, StartsOf(num_blocks));
  const uint64_t block = key.start / kSlotsPerBlock;
  const auto shift = static_cast<uint32_t>(key.start % kSlotsPerBlock);
  const uint32_t columns = upper_columns - (block < first_upper ? 1 : 0);
  const uint64_t first = block * upper_columns - std::min<uint64_t>(block, first_upper);
  const uint8_t* at = segments + first * kSegmentSize;
  const Uint128 here = key.coefficients << shift;
  if (shift == 0) {  // Required for the last block, which has none after it.
    for (uint32_t i = 0; i < columns; ++i, at += kSegmentSize) {
      if (Parity(LoadSegment(at) & here) != (key.results >> i & 1)) return false;
    }
    return true;
  }
  const Uint128 there = key.coefficients >> (kSlotsPerBlock - shift);
  const uint64_t next_block = columns * kSegmentSize;
  for (uint32_t i = 0; i < columns; ++i, at += kSegmentSize) {
    const Uint128 v = (LoadSegment(at) & here) ^ (LoadSegment(at + next_block) & there);
    if (Parity(v) != (key.results >> i & 1)) return false;
  }
  return true;
}

void RibbonFilter::Prefetch(uint64_t hash) const {
  const uint64_t start = StartOf(Rehash(hash, seed_mask), StartsOf(num_blocks));
  const uint64_t block = start / kSlotsPerBlock;
  const uint64_t first = block * upper_columns - std::min<uint64_t>(block, first_upper);
  const uint8_t* at = segments + first * kSegmentSize;
  // Most absent keys are detected by the first columns; prefetch those of both blocks.
  PrefetchLine(at);
  PrefetchLine(at + upper_columns * kSegmentSize);
}

std::optional<std::string> BuildRibbon(std::span<const uint64_t> hashes, double bits_per_key) {
  if (hashes.empty() || hashes.size() > kRibbonEntriesMax) return std::nullopt;
  const Shape shape = ShapeFor(hashes.size(), bits_per_key, static_cast<uint32_t>(hashes[0] >> 32));
  if (BloomIsSmaller(shape, hashes.size(), bits_per_key)) return std::nullopt;
  CHECK(2 <= shape.blocks && shape.blocks < 1 << 24);
  Band band(shape.blocks);
  for (int attempt = 0; attempt < kSeeds; ++attempt) {
    const auto seed = static_cast<uint8_t>(hashes[0] + static_cast<uint64_t>(attempt));
    if (!band.AddAll(hashes, SeedMask(seed))) continue;
    std::string out(shape.segments * kSegmentSize, '\0');
    band.Solve(shape, out.data());
    const auto blocks = static_cast<uint32_t>(shape.blocks);
    const char trailer[kFilterTrailerSize] = {
        '\xFE', static_cast<char>(seed), static_cast<char>(blocks), static_cast<char>(blocks >> 8),
        static_cast<char>(blocks >> 16)};
    return out.append(trailer, sizeof(trailer));
  }
  return std::nullopt;
}

uint64_t RibbonSize(uint64_t entries, double bits_per_key) {
  if (entries == 0) return 0;
  const Shape shape = ShapeFor(std::min(entries, kRibbonEntriesMax), bits_per_key, 0);
  if (entries > kRibbonEntriesMax || BloomIsSmaller(shape, entries, bits_per_key)) {
    return FastLocalBloomSize(entries, MillibitsPerKey(bits_per_key)) + kFilterTrailerSize;
  }
  return shape.segments * kSegmentSize + kFilterTrailerSize;
}

}  // namespace varve
