// SPDX-License-Identifier: Apache-2.0
// --from, --to, --prefix, --limit, … : the same flags in every command that walks records. Ranges
// are half-open: [from, to).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments/literal.h"
#include "cli/arguments/parameters.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve::cli {

struct RangeFlags {
  std::optional<std::string> from, to, prefix;
  std::optional<uint64_t> limit, at_sequence;
  bool reverse = false, keys_only = false, versions = false, all_families = false;
  std::string family = "default";
  std::string key_encoding = "utf8";
};

struct ScanRange {
  std::optional<std::string> from, to, prefix;  // Bytes.
  uint64_t limit = UINT64_MAX;

  // Views into this object, which must outlive the iterator.
  void ApplyTo(ReadOptions* options) const;
};

void DeclareFamily(Parameters& parameters, std::string* family);
// The same for commands with --all-cfs, which need to know whether --cf was given.
void DeclareFamily(Parameters& parameters, std::optional<std::string>* family);
// InvalidArgument if both were given.
Status CheckFamilyFlags(const std::optional<std::string>& family, bool all_families);
void DeclareKeyEncoding(Parameters& parameters, std::string* encoding);
// `chosen_family`: the value of --cf, if given.
void DeclareRange(Parameters& parameters, RangeFlags* flags,
                  std::optional<std::string>* chosen_family);
Result<ScanRange> ParseRange(const RangeFlags& flags);

}  // namespace varve::cli
