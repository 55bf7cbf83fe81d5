// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/bloom_filter.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

namespace varve {

namespace {

constexpr uint64_t kBitsPerLine = 8 * kBloomLineSize;

// Writes to random lines of a filter larger than the cache always miss, so the line of the key this
// far ahead is prefetched.
constexpr size_t kPrefetchDistance = 8;

uint8_t* Bytes(std::string* out) { return reinterpret_cast<uint8_t*>(out->data()); }

}  // namespace

uint32_t MillibitsPerKey(double bits_per_key) {
  if (!(bits_per_key >= 0.5)) return 0;  // Also rejects NaN.
  const double limited = std::clamp(bits_per_key, 1.0, 100.0);
  return static_cast<uint32_t>(limited * 1000.0 + 0.500001);
}

uint64_t FastLocalBloomSize(uint64_t entries, uint32_t millibits) {
  constexpr uint64_t kEntriesMax = uint64_t{1} << 40;  // Far above kBloomSizeMax; avoids overflow.
  const uint64_t bits = std::min(entries, kEntriesMax) * millibits;
  const uint64_t bytes = (bits + 7999) / 8000;
  return std::min((bytes + kBloomLineSize - 1) / kBloomLineSize * kBloomLineSize, kBloomSizeMax);
}

uint32_t FastLocalBloomProbes(uint32_t millibits) {
  struct Row {
    uint32_t millibits_max;
    uint32_t probes;
  };
  constexpr Row kRows[] = {{2080, 1},  {3580, 2},   {5100, 3},   {6640, 4},
                           {8300, 5},  {10070, 6},  {11720, 7},  {14001, 8},
                           {16050, 9}, {18300, 10}, {22001, 11}, {25501, 12}};
  for (const Row& row : kRows) {
    if (millibits <= row.millibits_max) return row.probes;
  }
  return millibits <= 50000 ? (millibits - 1) / 2000 - 1 : 24;
}

double FastLocalBloomFalsePositives(double bits_per_key, uint32_t probes) {
  // The number of keys per line varies by about its square root: take the mean of a crowded and a
  // sparse line.
  CHECK(bits_per_key > 0);
  const double keys = kBitsPerLine / bits_per_key;
  const double spread = std::sqrt(keys);
  const auto rate = [&](double bits) { return std::pow(1.0 - std::exp(-(probes / bits)), probes); };
  return (rate(kBitsPerLine / (keys + spread)) + rate(kBitsPerLine / (keys - spread))) / 2;
}

std::string BuildFastLocalBloom(std::span<const uint64_t> hashes, uint32_t millibits) {
  CHECK(millibits > 0);
  if (hashes.empty()) return "";
  const uint64_t size = FastLocalBloomSize(hashes.size(), millibits);
  // If the size limit reduced the number of lines, use the remaining bits per key.
  const uint64_t granted = 8000 * size / hashes.size();
  const uint32_t probes = FastLocalBloomProbes(
      static_cast<uint32_t>(std::min<uint64_t>(millibits, std::max<uint64_t>(granted, 1))));
  CHECK(1 <= probes && probes <= 30, "readers take no other numbers of probes");
  const auto lines = static_cast<uint32_t>(size / kBloomLineSize);
  std::string out(size, '\0');
  uint8_t* const data = Bytes(&out);
  const auto line_of = [&](uint64_t hash) {
    return data + FastLocalBloomLine(hash, lines) * kBloomLineSize;
  };
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (i + kPrefetchDistance < hashes.size()) {
      __builtin_prefetch(line_of(hashes[i + kPrefetchDistance]), 1);
    }
    uint8_t* const line = line_of(hashes[i]);
    auto h = static_cast<uint32_t>(hashes[i] >> 32);
    for (uint32_t probe = 0; probe < probes; ++probe, h *= 0x9E3779B9u) {
      const uint32_t bit = h >> 23;
      line[bit >> 3] = static_cast<uint8_t>(line[bit >> 3] | 1u << (bit & 7));
    }
  }
  const char trailer[kFilterTrailerSize] = {'\xFF', 0, static_cast<char>(probes), 0, 0};
  return out.append(trailer, sizeof(trailer));
}

std::string BuildLegacyBloom(std::span<const uint64_t> hashes, uint32_t millibits) {
  CHECK(millibits > 0);
  if (hashes.empty()) return "";
  const uint64_t bits_per_key = (millibits + 500) / 1000;
  const uint64_t wanted = (hashes.size() * bits_per_key + kBitsPerLine - 1) / kBitsPerLine;
  // An odd number, so that more bits of the hash select the line.
  const uint64_t lines = std::min<uint64_t>(wanted, kBloomSizeMax / kBloomLineSize - 1) | 1;
  const auto probes = static_cast<uint32_t>(
      std::clamp(static_cast<int>(static_cast<double>(bits_per_key) * 0.69), 1, 30));
  std::string out(lines * kBloomLineSize, '\0');
  for (const uint64_t hash : hashes) {
    auto h = static_cast<uint32_t>(hash);
    const uint32_t delta = h >> 17 | h << 15;
    uint8_t* const line = Bytes(&out) + h % lines * kBloomLineSize;
    for (uint32_t probe = 0; probe < probes; ++probe, h += delta) {
      const uint32_t bit = h & (kBitsPerLine - 1);
      line[bit >> 3] = static_cast<uint8_t>(line[bit >> 3] | 1u << (bit & 7));
    }
  }
  out.push_back(static_cast<char>(probes));
  AppendFixed32(&out, static_cast<uint32_t>(lines));
  return out;
}

}  // namespace varve
