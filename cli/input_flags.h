// SPDX-License-Identifier: Apache-2.0
// The flags that say how input records are written; shared by `load` and `sst build`.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/parameters.h"
#include "cli/record_reader.h"

namespace varve::cli {

struct InputFlags {
  std::vector<std::string> inputs;
  std::string format = "auto";
  std::string key_column = "key", value_column = "value";
  std::optional<std::string> key_encoding, value_encoding;
  std::string family = "default";
};

void DeclareInput(Parameters& parameters, InputFlags* flags);
InputOptions MakeInputOptions(const InputFlags& flags);

// Counts rejected records and reports the first few, one line each, on standard error.
class Rejections {
 public:
  explicit Rejections(Console& console) : console_(console) {}
  void Add(const std::string& input, uint64_t line, const std::string& reason);
  uint64_t count() const { return count_; }

 private:
  static constexpr uint64_t kShownMax = 20;
  Console& console_;
  uint64_t count_ = 0;
};

}  // namespace varve::cli
