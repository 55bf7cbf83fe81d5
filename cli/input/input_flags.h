// SPDX-License-Identifier: Apache-2.0
// The flags for the format of input records and the handling of rejected ones; shared by `load` and
// `sst build`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments/parameters.h"
#include "cli/input/input_reader.h"

namespace varve::cli {

struct InputFlags {
  std::vector<std::string> inputs;
  std::string format = "auto";
  std::optional<std::string> key_column, value_column;
  std::optional<std::string> key_schema, value_schema;
  std::optional<std::string> key_encoding, value_encoding;
  std::optional<std::string> family;
  bool strict = false;
  std::optional<uint64_t> max_errors;
  std::optional<std::string> rejects;
};

void DeclareInput(Parameters& parameters, InputFlags* flags);
// InvalidArgument for a schema that cannot be read.
Result<InputOptions> MakeInputOptions(const InputFlags& flags);

}  // namespace varve::cli
