// SPDX-License-Identifier: Apache-2.0
// Option values as text, in the syntax of RocksDB's OPTIONS file. Parsers return InvalidArgument
// with what was expected; base/option_table.cc adds the option's name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "varve/options.h"
#include "varve/result.h"

namespace varve {

Result<bool> ParseBool(std::string_view text);
// Decimal, with an optional unit as in quantity.h: k, m, g and t are powers of 1024, as in RocksDB.
Result<uint64_t> ParseUnsigned(std::string_view text, uint64_t min, uint64_t max);
Result<int64_t> ParseSigned(std::string_view text, int64_t min, int64_t max);
// Digits with at most one point; no exponent, no locale.
Result<double> ParseReal(std::string_view text, double min, double max);
std::string FormatReal(double value);

template <typename Enum>
struct EnumName {
  std::string_view text;        // Written: RocksDB's name in OPTIONS files, if it has one.
  std::string_view short_text;  // Short form for users; only read.
  Enum value;
};

// The supported values; the argument only selects the enumeration.
std::span<const EnumName<ChecksumType>> NamesOf(ChecksumType);
std::span<const EnumName<CompactionStyle>> NamesOf(CompactionStyle);
std::span<const EnumName<CompressionType>> NamesOf(CompressionType);
std::span<const EnumName<IndexType>> NamesOf(IndexType);
std::span<const EnumName<PointIndexKind>> NamesOf(PointIndexKind);
std::span<const EnumName<ScanReadahead>> NamesOf(ScanReadahead);
std::span<const EnumName<UniversalStopStyle>> NamesOf(UniversalStopStyle);
std::span<const EnumName<WalRecoveryMode>> NamesOf(WalRecoveryMode);

template <typename Enum>
std::string EnumRange() {  // "binary|two_level"
  std::string range;
  for (const EnumName<Enum>& name : NamesOf(Enum{})) {
    if (!range.empty()) range += '|';
    range += name.short_text;
  }
  return range;
}

template <typename Enum>
Result<Enum> ParseEnum(std::string_view text) {
  for (const EnumName<Enum>& name : NamesOf(Enum{})) {
    if (name.text == text || name.short_text == text) return name.value;
  }
  return Status::InvalidArgument("expected " + EnumRange<Enum>() + ", not " + std::string(text));
}

// A value without a name cannot be parsed back, by which ValidateOptions() detects it.
template <typename Enum>
std::string FormatEnum(Enum value) {
  for (const EnumName<Enum>& name : NamesOf(value)) {
    if (name.value == value) return std::string(name.text);
  }
  return "unsupported(" + std::to_string(static_cast<int>(value)) + ")";
}

}  // namespace varve
