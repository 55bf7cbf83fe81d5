// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments/range.h"

#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr char kFamilyHelp[] = "column family (default: default)";

}  // namespace

void DeclareFamily(Parameters& parameters, std::string* family) {
  parameters.Option("cf", family, kFamilyHelp);
}

void DeclareFamily(Parameters& parameters, std::optional<std::string>* family) {
  parameters.Option("cf", family, kFamilyHelp);
}

Status CheckFamilyFlags(const std::optional<std::string>& family, bool all_families) {
  if (!family || !all_families) return Status::Ok();
  return Status::InvalidArgument("--all-cfs and --cf cannot be combined");
}

void DeclareKeyEncoding(Parameters& parameters, std::string* encoding) {
  parameters.Option("key-in", encoding, "how keys without a prefix like hex: are written",
                    kEncodingNames);
}

void DeclareRange(Parameters& parameters, RangeFlags* flags,
                  std::optional<std::string>* chosen_family) {
  parameters.Option("from", &flags->from, "first key");
  parameters.Option("to", &flags->to, "exclusive end of the range");
  parameters.Option("prefix", &flags->prefix, "only keys with this prefix");
  parameters.Option("limit", &flags->limit, "at most this many");
  parameters.Option("versions", &flags->versions, "every stored version, deletions included");
  parameters.Option("at-seq", &flags->at_sequence, "as of this sequence number");
  parameters.Option("all-cfs", &flags->all_families, "every column family");
  DeclareFamily(parameters, chosen_family);
  DeclareKeyEncoding(parameters, &flags->key_encoding);
}

Result<ScanRange> ParseRange(const RangeFlags& flags) {
  const Encoding bare = EncodingByName(flags.key_encoding);
  ScanRange range;
  ASSIGN_OR_RETURN(range.from, ParseOptionalLiteral("--from", flags.from, bare));
  ASSIGN_OR_RETURN(range.to, ParseOptionalLiteral("--to", flags.to, bare));
  ASSIGN_OR_RETURN(range.prefix, ParseOptionalLiteral("--prefix", flags.prefix, bare));
  if (range.prefix && (range.from || range.to)) {
    return Status::InvalidArgument("--prefix cannot be combined with --from or --to");
  }
  range.limit = flags.limit.value_or(UINT64_MAX);
  return range;
}

void ScanRange::ApplyTo(ReadOptions* options) const {
  if (from) options->lower_bound = *from;
  if (to) options->upper_bound = *to;
  if (prefix) options->prefix = *prefix;
}

}  // namespace varve::cli
