// SPDX-License-Identifier: Apache-2.0
#include "cli/input_flags.h"

#include "cli/range.h"

namespace varve::cli {
namespace {

InputFormat FormatByName(const std::string& name) {
  if (name == "tsv") return InputFormat::kTsv;
  if (name == "csv") return InputFormat::kCsv;
  if (name == "jsonl") return InputFormat::kJsonl;
  if (name == "dump") return InputFormat::kDump;
  if (name == "nul") return InputFormat::kNul;
  return InputFormat::kAuto;
}

}  // namespace

void DeclareInput(Parameters& parameters, InputFlags* flags) {
  parameters.Positional("input", &flags->inputs, "files (gzip and zstd too), or - for standard input");
  parameters.Option("input-format", &flags->format, "how records are written",
                    {"auto", "tsv", "csv", "jsonl", "dump", "nul"});
  parameters.Option("key-column", &flags->key_column, "csv, jsonl: where the key is");
  parameters.Option("value-column", &flags->value_column, "csv, jsonl: where the value is");
  parameters.Option("key-in", &flags->key_encoding, "how keys are written", kEncodingNames);
  parameters.Option("value-in", &flags->value_encoding, "how values are written", kEncodingNames);
  DeclareFamily(parameters, &flags->family);
}

InputOptions MakeInputOptions(const InputFlags& flags) {
  InputOptions options;
  options.format = FormatByName(flags.format);
  options.key_column = flags.key_column;
  options.value_column = flags.value_column;
  if (flags.key_encoding) options.key_encoding = EncodingByName(*flags.key_encoding);
  if (flags.value_encoding) options.value_encoding = EncodingByName(*flags.value_encoding);
  options.family = flags.family;
  return options;
}

void Rejections::Add(const std::string& input, uint64_t line, const std::string& reason) {
  if (++count_ <= kShownMax) {
    console_.Error(input + ":" + std::to_string(line) + ": rejected: " + reason);
  } else if (count_ == kShownMax + 1) {
    console_.Error("more lines are rejected; only their number follows");
  }
}

}  // namespace varve::cli
