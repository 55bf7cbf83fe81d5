// SPDX-License-Identifier: Apache-2.0
// Makes a row of the option table from a name and a field. The makers are templates over both,
// because OptionRow has plain function pointers, which cannot capture anything. Statics are never
// destroyed: the destructor of a global may open a database. Used by base/option_table.cc only.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <type_traits>

#include "core/base/options/option_value.h"
#include "core/base/try.h"
#include "varve/option_table.h"

namespace varve {

// A string literal as a template argument.
template <size_t kSize>
struct OptionName {
  constexpr OptionName(const char (&text)[kSize]) {  // NOLINT: implicit by design
    for (size_t i = 0; i < kSize; ++i) bytes[i] = text[i];
  }
  constexpr std::string_view view() const { return {bytes, kSize - 1}; }
  char bytes[kSize] = {};
};

struct RowText {
  OptionScope scope;
  std::string_view help;
  bool in_rocksdb = true;
  bool kept = true;
};

// Stores `value` in `out`, or returns its error prefixed with the option's name.
template <OptionName kName, typename T, typename Field>
Status StoreOption(Result<T> value, Field* out) {
  if (!value.ok()) return value.status().At(kName.view());
  *out = static_cast<Field>(*std::move(value));
  return Status::Ok();
}

template <auto kField>
using FieldType = std::remove_cvref_t<decltype(kField(std::declval<Options&>()))>;

// bool, or an enumeration that NamesOf() knows.
template <OptionName kName, auto kField>
OptionRow ChoiceRow(const RowText& text) {
  using T = FieldType<kField>;
  OptionRow row{kName.view(), text.scope, "true|false",    text.help,
                nullptr,      nullptr,    text.in_rocksdb, text.kept};
  if constexpr (std::is_same_v<T, bool>) {
    row.set = [](Options* options, std::string_view value) {
      return StoreOption<kName>(ParseBool(value), &kField(*options));
    };
    row.get = [](const Options& options) {
      return std::string(kField(options) ? "true" : "false");
    };
  } else {
    static const std::string& range = *std::make_unique<std::string>(EnumRange<T>()).release();
    row.range = range;
    row.set = [](Options* options, std::string_view value) {
      return StoreOption<kName>(ParseEnum<T>(value), &kField(*options));
    };
    row.get = [](const Options& options) { return FormatEnum(kField(options)); };
  }
  return row;
}

// A list, with a text form of its own.
template <OptionName kName, auto kField, auto kParse, auto kFormat>
OptionRow ListRow(std::string_view range, const RowText& text) {
  return {kName.view(),
          text.scope,
          range,
          text.help,
          [](Options* options, std::string_view value) {
            return StoreOption<kName>(kParse(value), &kField(*options));
          },
          [](const Options& options) { return kFormat(kField(options)); },
          text.in_rocksdb,
          text.kept};
}

// "1..256", or ">= 1" if only the type is the limit.
template <typename T>
std::string IntegerRange(T lowest, T highest) {
  if (highest == std::numeric_limits<T>::max()) return ">= " + std::to_string(lowest);
  return std::to_string(lowest) + ".." + std::to_string(highest);
}

// An integer or double in [kMin, kMax].
template <OptionName kName, auto kField, auto kMin,
          auto kMax = std::numeric_limits<FieldType<kField>>::max()>
OptionRow NumberRow(const RowText& text) {
  using T = FieldType<kField>;
  OptionRow row{kName.view(), text.scope,      {},       text.help, nullptr,
                nullptr,      text.in_rocksdb, text.kept};
  if constexpr (std::is_floating_point_v<T>) {
    static const std::string& range =
        *std::make_unique<std::string>(FormatReal(kMin) + ".." + FormatReal(kMax)).release();
    row.range = range;
    row.set = [](Options* options, std::string_view value) {
      return StoreOption<kName>(ParseReal(value, kMin, kMax), &kField(*options));
    };
    row.get = [](const Options& options) { return FormatReal(kField(options)); };
  } else {
    constexpr T kLowest{kMin};
    constexpr T kHighest{kMax};
    static const std::string& range =
        *std::make_unique<std::string>(IntegerRange<T>(kLowest, kHighest)).release();
    row.range = range;
    row.set = [](Options* options, std::string_view value) {
      if constexpr (std::is_signed_v<T>) {
        return StoreOption<kName>(ParseSigned(value, kLowest, kHighest), &kField(*options));
      } else {
        return StoreOption<kName>(ParseUnsigned(value, kLowest, kHighest), &kField(*options));
      }
    };
    row.get = [](const Options& options) { return std::to_string(kField(options)); };
  }
  return row;
}

}  // namespace varve
