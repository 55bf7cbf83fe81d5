// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/filter.h"

#include <algorithm>
#include <bit>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"

namespace varve {

namespace {

constexpr uint32_t kProbesMax = 30;

// The i-th byte of the trailer.
uint8_t TrailerByte(std::string_view filter, size_t i) {
  return static_cast<uint8_t>(filter[filter.size() - kFilterTrailerSize + i]);
}

}  // namespace

FilterProbe FilterProbe::Parse(std::string_view filter) {
  FilterProbe probe;
  if (filter.size() <= kFilterTrailerSize) {
    probe.kind_ = Kind::kNever;
    return probe;
  }
  constexpr uint8_t kNewBloom = 0xFF, kRibbonMarker = 0xFE, kLegacyProbesMax = 127;
  const uint8_t marker = TrailerByte(filter, 0);
  if (marker == kNewBloom) return ParseBloom(filter);
  if (marker >= 1 && marker <= kLegacyProbesMax) return ParseLegacyBloom(filter);
  if (marker != kRibbonMarker) return probe;
  const uint32_t blocks = TrailerByte(filter, 2) | uint32_t{TrailerByte(filter, 3)} << 8 |
                          uint32_t{TrailerByte(filter, 4)} << 16;
  const auto ribbon = RibbonFilter::Parse(filter.substr(0, filter.size() - kFilterTrailerSize),
                                          TrailerByte(filter, 1), blocks);
  if (!ribbon.has_value()) return probe;
  probe.kind_ = Kind::kRibbon;
  probe.ribbon_ = *ribbon;
  return probe;
}

FilterProbe FilterProbe::ParseBloom(std::string_view filter) {
  const uint64_t size = filter.size() - kFilterTrailerSize;
  const uint32_t probes = TrailerByte(filter, 2) & 0x1F;
  const bool understood = TrailerByte(filter, 1) == 0 && TrailerByte(filter, 2) >> 5 == 0 &&
                          TrailerByte(filter, 3) == 0 && TrailerByte(filter, 4) == 0 &&
                          probes >= 1 && probes <= kProbesMax && size >= kBloomLineSize &&
                          size % kBloomLineSize == 0 && size <= kBloomSizeMax;
  FilterProbe probe;
  if (!understood) return probe;
  probe.kind_ = Kind::kFastLocalBloom;
  probe.data_ = reinterpret_cast<const uint8_t*>(filter.data());
  probe.lines_ = static_cast<uint32_t>(size / kBloomLineSize);
  probe.line_bits_ = 8 * kBloomLineSize;
  probe.probes_ = probes;
  return probe;
}

FilterProbe FilterProbe::ParseLegacyBloom(std::string_view filter) {
  const uint64_t size = filter.size() - kFilterTrailerSize;
  const uint32_t lines = LoadFixed32(filter.data() + filter.size() - sizeof(uint32_t));
  FilterProbe probe;
  if (lines == 0 || size % lines != 0) return probe;
  const uint64_t line_size = size / lines;
  constexpr uint64_t kLineSizeMax = uint64_t{1} << 28;  // In bits it must fit 32 bits.
  if (!std::has_single_bit(line_size) || line_size > kLineSizeMax) return probe;
  probe.kind_ = Kind::kLegacyBloom;
  probe.data_ = reinterpret_cast<const uint8_t*>(filter.data());
  probe.lines_ = lines;
  probe.line_bits_ = static_cast<uint32_t>(8 * line_size);
  probe.probes_ = TrailerByte(filter, 0);
  return probe;
}

bool FilterProbe::MayMatchOther(uint64_t hash) const {
  switch (kind_) {
    case Kind::kNever:
      return false;
    case Kind::kLegacyBloom:
      return LegacyBloomMayMatch(LegacyLine(hash), line_bits_, static_cast<uint32_t>(hash),
                                 probes_);
    case Kind::kRibbon:
      return ribbon_.MayMatch(hash);
    case Kind::kAlways:
    case Kind::kFastLocalBloom:
      break;
  }
  return true;
}

FilterBuilder::FilterBuilder(const FilterOptions& options)
    : options_(options),
      millibits_(options.kind == FilterKind::kNone ? 0 : MillibitsPerKey(options.bits_per_key)),
      legacy_(options.format_version < 5 && options.kind == FilterKind::kBloom) {}

uint64_t FilterBuilder::EstimatedSize() const {
  if (hashes_.empty()) return 0;
  if (options_.kind == FilterKind::kRibbon) {
    return RibbonSize(hashes_.size(), options_.bits_per_key);
  }
  return FastLocalBloomSize(hashes_.size(), millibits_) + kFilterTrailerSize;
}

std::string FilterBuilder::Finish() {
  CHECK(!disabled());
  std::string filter;
  if (legacy_) {
    filter = BuildLegacyBloom(hashes_, millibits_);
  } else {
    std::optional<std::string> ribbon;
    if (options_.kind == FilterKind::kRibbon) ribbon = BuildRibbon(hashes_, options_.bits_per_key);
    filter = ribbon.has_value() ? *std::move(ribbon) : BuildFastLocalBloom(hashes_, millibits_);
  }
  hashes_.clear();
  return filter;
}

uint64_t FilterBuilder::ApproximateNumEntries(uint64_t bytes) const {
  CHECK(!disabled());
  if (bytes <= kFilterTrailerSize) return 0;
  bytes -= kFilterTrailerSize;
  if (options_.kind != FilterKind::kRibbon) {
    return bytes / kBloomLineSize * kBloomLineSize * 8000 / millibits_;
  }
  uint64_t fits = 0, too_many = 2;
  while (too_many <= kRibbonEntriesMax && RibbonSize(too_many, options_.bits_per_key) <= bytes) {
    fits = too_many;
    too_many *= 2;
  }
  while (too_many - fits > 1) {
    const uint64_t middle = fits + (too_many - fits) / 2;
    (RibbonSize(middle, options_.bits_per_key) <= bytes ? fits : too_many) = middle;
  }
  return fits;
}

}  // namespace varve
