// SPDX-License-Identifier: Apache-2.0
// Filters answer "not in this table" or "maybe" for the hash of a key. A filter block (full, or one
// partition) ends with 5 bytes that specify its kind; FilterProbe parses them once.
//
//   L-5  1..127: legacy Bloom, that many probes    0: always "maybe"
//        FF: FastLocalBloom    FE: Ribbon          other: reserved, "maybe"
//
// A filter can make a lookup slower but never wrong: every unknown form answers "maybe".
//
// Written by: table/filter_writer (through FilterBuilder).  Read by: table/filter/filter_reader.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/hash/hash.h"
#include "core/base/prefetch.h"
#include "core/format/table/bloom_filter.h"
#include "core/format/table/ribbon_filter.h"
#include "varve/options.h"

namespace varve {

// A small value over bytes it does not own. Thread-compatible.
class FilterProbe {
 public:
  enum class Kind : uint8_t { kAlways, kNever, kFastLocalBloom, kLegacyBloom, kRibbon };

  FilterProbe() = default;                            // Always "maybe".
  static FilterProbe Parse(std::string_view filter);  // `filter` must outlive the probe.

  Kind kind() const { return kind_; }
  uint32_t probes() const { return probes_; }
  uint32_t lines() const { return lines_; }  // Of the Bloom kinds.
  uint32_t line_bits() const { return line_bits_; }
  const RibbonFilter& ribbon() const { return ribbon_; }

  // The hash function of this filter: XXPH3 for all kinds except legacy Bloom.
  bool uses_xxph3() const { return kind_ != Kind::kLegacyBloom; }
  uint64_t Hash(std::string_view key_or_prefix) const {
    return uses_xxph3() ? Xxph3_64(key_or_prefix) : Hash32(key_or_prefix, kLegacyBloomSeed);
  }

  // Prefetches the memory that MayMatch(hash) reads.
  void Prefetch(uint64_t hash) const {
    if (kind_ == Kind::kFastLocalBloom) [[likely]] {
      const uint8_t* line = data_ + FastLocalBloomLine(hash, lines_) * kBloomLineSize;
      PrefetchLine(line);
      PrefetchLine(line + kBloomLineSize - 1);  // A block need not be aligned.
      return;
    }
    if (kind_ == Kind::kRibbon) ribbon_.Prefetch(hash);
    if (kind_ == Kind::kLegacyBloom) PrefetchLine(LegacyLine(hash));
  }

  // Bloom kinds only: one bit of the filter by its index.
  bool BitIsSet(uint64_t bit) const { return (data_[bit >> 3] & (1u << (bit & 7))) != 0; }

  bool MayMatch(uint64_t hash) const {
    if (kind_ == Kind::kFastLocalBloom) [[likely]] {
      return FastLocalBloomMayMatch(data_ + FastLocalBloomLine(hash, lines_) * kBloomLineSize, hash,
                                    probes_);
    }
    return MayMatchOther(hash);
  }

 private:
  const uint8_t* LegacyLine(uint64_t hash) const {
    return data_ + uint64_t{static_cast<uint32_t>(hash) % lines_} * (line_bits_ / 8);
  }
  bool MayMatchOther(uint64_t hash) const;
  static FilterProbe ParseBloom(std::string_view filter);
  static FilterProbe ParseLegacyBloom(std::string_view filter);

  Kind kind_ = Kind::kAlways;
  const uint8_t* data_ = nullptr;
  uint32_t lines_ = 0;
  uint32_t line_bits_ = 0;
  uint32_t probes_ = 0;
  RibbonFilter ribbon_;
};

struct FilterOptions {
  FilterKind kind = FilterKind::kBloom;
  double bits_per_key = 10;     // Below 0.5: no filter.
  uint32_t format_version = 5;  // Below 5: the legacy Bloom.
};

// FilterBuilder collects the hashes of a table's (or a partition's) keys and writes the filter.
// One thread. Memory: 8 bytes per key.
class FilterBuilder {
 public:
  explicit FilterBuilder(const FilterOptions& options);

  // True if no filter is wanted; then do not call Add*() and Finish().
  bool disabled() const { return millibits_ == 0; }

  // The hash function that AddHash() expects.
  bool uses_xxph3() const { return !legacy_; }
  uint64_t Hash(std::string_view key_or_prefix) const {
    return legacy_ ? Hash32(key_or_prefix, kLegacyBloomSeed) : Xxph3_64(key_or_prefix);
  }
  // Ignores a hash equal to the previous one: versions of one key are adjacent.
  void AddHash(uint64_t hash) {
    if (hashes_.empty() || hashes_.back() != hash) hashes_.push_back(hash);
  }
  void AddKey(std::string_view key_or_prefix) { AddHash(Hash(key_or_prefix)); }

  bool empty() const { return hashes_.empty(); }
  // Requires !empty().
  uint64_t last_hash() const { return hashes_.back(); }
  uint64_t entries() const { return hashes_.size(); }  // For the property num.filter_entries.
  uint64_t EstimatedSize() const;                      // Of Finish()'s result.
  uint64_t MemoryUsage() const { return hashes_.capacity() * sizeof(uint64_t); }

  // Returns and clears the added hashes, to be put back or appended elsewhere later.
  std::vector<uint64_t> TakeHashes() { return std::exchange(hashes_, {}); }
  void AddHashes(const std::vector<uint64_t>& hashes) {
    for (const uint64_t hash : hashes) AddHash(hash);
  }
  // Requires empty().
  void PutBackHashes(std::vector<uint64_t> hashes) {
    CHECK(hashes_.empty());
    hashes_ = std::move(hashes);
  }

  // Returns the filter block and clears all hashes. "" if none were added.
  std::string Finish();

  // How many keys fit into a filter of `bytes`: where to cut decoupled partitions.
  uint64_t ApproximateNumEntries(uint64_t bytes) const;

 private:
  const FilterOptions options_;
  const uint32_t millibits_;
  const bool legacy_;
  std::vector<uint64_t> hashes_;
};

}  // namespace varve
