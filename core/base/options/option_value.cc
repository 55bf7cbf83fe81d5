// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/option_value.h"

#include <charconv>
#include <limits>
#include <optional>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"

namespace varve {
namespace {

std::string Quoted(std::string_view text) { return "\"" + EscapeForDisplay(text) + "\""; }

Status Unlike(const std::string& expected, std::string_view text) {
  return Status::InvalidArgument("expected " + expected + ", not " + Quoted(text));
}

}  // namespace

Result<bool> ParseBool(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return Unlike("true or false", text);
}

Result<uint64_t> ParseUnsigned(std::string_view text, uint64_t min, uint64_t max) {
  const std::optional<uint64_t> value = ParseByteSize(text);
  if (value && *value >= min && *value <= max) return *value;
  return Unlike(std::to_string(min) + ".." + std::to_string(max), text);
}

Result<int64_t> ParseSigned(std::string_view text, int64_t min, int64_t max) {
  const bool negative = text.starts_with('-');
  const std::optional<uint64_t> magnitude = ParseByteSize(negative ? text.substr(1) : text);
  constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();
  if (magnitude && *magnitude <= kLargest) {
    const auto value = static_cast<int64_t>(negative ? -*magnitude : *magnitude);
    if (value >= min && value <= max) return value;
  }
  return Unlike(std::to_string(min) + ".." + std::to_string(max), text);
}

Result<double> ParseReal(std::string_view text, double min, double max) {
  // Numbers of up to 15 digits and their power of ten are exact as doubles, so the quotient is
  // rounded only once.
  constexpr int kDigitsMax = 15;
  double digits = 0;
  double scale = 1;
  int seen = 0;
  bool fraction = false;
  bool well_formed = !text.empty() && text != ".";
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      if (fraction && seen >= kDigitsMax) continue;  // More digits than a double holds.
      digits = digits * 10 + (c - '0');
      if (fraction) scale *= 10;
      if (digits > 0) ++seen;  // Leading zeros do not count.
    } else {
      well_formed = false;
    }
  }
  const double value = digits / scale;
  if (well_formed && value >= min && value <= max) return value;
  return Unlike(FormatReal(min) + ".." + FormatReal(max), text);
}

std::string FormatReal(double value) {
  char text[512];  // The longest fixed form of a double has 309 digits before its point.
  const auto [end, error] =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed);
  return error == std::errc() ? std::string(text, end) : "unprintable";
}

std::span<const EnumName<ChecksumType>> NamesOf(ChecksumType) {
  static constexpr EnumName<ChecksumType> kNames[] = {
      {"kNoChecksum", "none", ChecksumType::kNone},
      {"kCRC32c", "crc32c", ChecksumType::kCrc32c},
      {"kxxHash", "xxhash", ChecksumType::kXxh32},
      {"kxxHash64", "xxhash64", ChecksumType::kXxh64},
      {"kXXH3", "xxh3", ChecksumType::kXxh3}};
  return kNames;
}

std::span<const EnumName<CompactionStyle>> NamesOf(CompactionStyle) {
  static constexpr EnumName<CompactionStyle> kNames[] = {
      {"kCompactionStyleLevel", "level", CompactionStyle::kLevel},
      {"kCompactionStyleFIFO", "fifo", CompactionStyle::kFifo},
      {"kCompactionStyleNone", "none", CompactionStyle::kNone},
      {"kCompactionStyleUniversal", "universal", CompactionStyle::kUniversal}};
  return kNames;
}

std::span<const EnumName<UniversalStopStyle>> NamesOf(UniversalStopStyle) {
  static constexpr EnumName<UniversalStopStyle> kNames[] = {
      {"kCompactionStopStyleSimilarSize", "similar_size", UniversalStopStyle::kSimilarSize},
      {"kCompactionStopStyleTotalSize", "total_size", UniversalStopStyle::kTotalSize}};
  return kNames;
}

std::span<const EnumName<CompressionType>> NamesOf(CompressionType) {
  static constexpr EnumName<CompressionType> kNames[] = {
      {"kNoCompression", "none", CompressionType::kNone},
      {"kSnappyCompression", "snappy", CompressionType::kSnappy},
      {"kZlibCompression", "zlib", CompressionType::kZlib},
      {"kBZip2Compression", "bzip2", CompressionType::kBzip2},
      {"kLZ4Compression", "lz4", CompressionType::kLz4},
      {"kLZ4HCCompression", "lz4hc", CompressionType::kLz4hc},
      {"kZSTD", "zstd", CompressionType::kZstd}};
  return kNames;
}

std::span<const EnumName<IndexType>> NamesOf(IndexType) {
  static constexpr EnumName<IndexType> kNames[] = {
      {"kBinarySearch", "binary", IndexType::kBinary},
      {"kTwoLevelIndexSearch", "two_level", IndexType::kTwoLevel}};
  return kNames;
}

std::span<const EnumName<WalRecoveryMode>> NamesOf(WalRecoveryMode) {
  static constexpr EnumName<WalRecoveryMode> kNames[] = {
      {"kTolerateCorruptedTailRecords", "tolerate_tail", WalRecoveryMode::kTolerateCorruptedTail},
      {"kAbsoluteConsistency", "absolute", WalRecoveryMode::kAbsoluteConsistency},
      {"kPointInTimeRecovery", "point_in_time", WalRecoveryMode::kPointInTime},
      {"kSkipAnyCorruptedRecords", "skip_any", WalRecoveryMode::kSkipAnyCorrupted}};
  return kNames;
}

std::span<const EnumName<PointIndexKind>> NamesOf(PointIndexKind) {
  static constexpr EnumName<PointIndexKind> kNames[] = {
      {"none", "none", PointIndexKind::kNone},
      {"integer", "integer", PointIndexKind::kInteger},
      {"any", "any", PointIndexKind::kAny}};
  return kNames;
}

std::span<const EnumName<ScanReadahead>> NamesOf(ScanReadahead) {
  static constexpr EnumName<ScanReadahead> kNames[] = {
      {"off", "off", ScanReadahead::kOff},
      {"doubling", "doubling", ScanReadahead::kDoubling},
      {"adaptive", "adaptive", ScanReadahead::kAdaptive}};
  return kNames;
}

}  // namespace varve
