// SPDX-License-Identifier: Apache-2.0
// Parameters is what a command takes, as data: one list from which parsing, help, shell completion
// and `help --json` are all made. A command declares where each parsed value goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace varve::cli {

struct Parameter {
  // bool: a switch; optional: absent unless given; vector: may be given several times (positional:
  // takes the rest). uint64_t takes sizes with K, M, G suffixes (powers of 1024).
  using Destination = std::variant<bool*, std::string*, std::optional<std::string>*, int64_t*,
                                   uint64_t*, std::optional<uint64_t>*, double*,
                                   std::vector<std::string>*>;

  std::string name;                  // "key" (positional), "limit", or "F,format" with a short form.
  Destination destination;
  std::string help;
  std::vector<std::string> choices;  // Empty: anything.
  bool positional = false;
  bool required = false;
};

class Parameters {
 public:
  void Positional(std::string name, Parameter::Destination destination, std::string help) {
    list_.push_back({std::move(name), destination, std::move(help), {}, true, true});
  }
  void OptionalPositional(std::string name, Parameter::Destination destination, std::string help) {
    list_.push_back({std::move(name), destination, std::move(help), {}, true, false});
  }
  void Option(std::string name, Parameter::Destination destination, std::string help,
              std::vector<std::string> choices = {}) {
    list_.push_back({std::move(name), destination, std::move(help), std::move(choices)});
  }
  const std::vector<Parameter>& list() const { return list_; }

 private:
  std::vector<Parameter> list_;
};

}  // namespace varve::cli
