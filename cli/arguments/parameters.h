// SPDX-License-Identifier: Apache-2.0
// Parameters describes a command's parameters as data, used for parsing, help, shell completion and
// `help --json`. A command declares where each parsed value is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace varve::cli {

// What a word on the command line names, if known: used by shell completion. A family's name is
// given as it is printed, with the escapes of EscapeForDisplay(); its bytes are stored.
enum class Names : uint8_t {
  kNothing,
  kFile,
  kFamily,
  kNewFamily,
  kEngineOption,
  kWorkload,
  kCommand
};

struct Parameter {
  // bool: a switch; optional: absent unless given; vector: may be given several times (positional:
  // takes the rest). uint64_t is a count, 10K or 1M, unless in_bytes: then 64K, 64MiB or 64MB
  // (core/base/text/quantity.h).
  using Destination =
      std::variant<bool*, std::string*, std::optional<std::string>*, int64_t*, uint64_t*,
                   std::optional<uint64_t>*, double*, std::vector<std::string>*>;

  std::string name;  // "key" (positional), "limit", or "F,format" with a short form.
  Destination destination;
  std::string help;
  std::vector<std::string> choices;  // Empty: anything.
  bool positional = false;
  bool required = false;
  bool in_bytes = false;
  bool may_be_server = false;  // A URL here is that of a server which the command asks itself.
  Names names = Names::kNothing;
  // Of an option that repeats and is about the positionals behind it: how many of these were before
  // each of its values. Null: its place does not matter.
  std::vector<size_t>* places = nullptr;

  bool is_switch() const { return std::holds_alternative<bool*>(destination); }
  bool repeats() const { return std::holds_alternative<std::vector<std::string>*>(destination); }
  // "--format" of "F,format".
  std::string long_name() const { return "--" + name.substr(name.find(',') + 1); }
  std::string short_name() const {
    const size_t comma = name.find(',');
    return comma == std::string::npos ? "" : "-" + name.substr(0, comma);
  }
};

// Returned references are valid until the next call: for setting rare members.
class Parameters {
 public:
  Parameter& Positional(std::string name, Parameter::Destination destination, std::string help) {
    Parameter& added = OptionalPositional(std::move(name), destination, std::move(help));
    added.required = true;
    return added;
  }
  Parameter& OptionalPositional(std::string name, Parameter::Destination destination,
                                std::string help) {
    Parameter& added = Option(std::move(name), destination, std::move(help));
    added.positional = true;
    return added;
  }
  Parameter& Option(std::string name, Parameter::Destination destination, std::string help,
                    std::vector<std::string> choices = {}) {
    Parameter& added = list_.emplace_back(Parameter{.name = std::move(name),
                                                    .destination = destination,
                                                    .help = std::move(help),
                                                    .choices = std::move(choices)});
    added.names = UsualNames(added.name);
    return added;
  }
  // A flag for a size in bytes.
  Parameter& Size(std::string name, Parameter::Destination destination, std::string help) {
    Parameter& added = Option(std::move(name), destination, std::move(help));
    added.in_bytes = true;
    return added;
  }
  const std::vector<Parameter>& list() const { return list_; }

 private:
  // Most names mean the same in all commands; others are declared by the command.
  static Names UsualNames(std::string_view name) {
    constexpr std::pair<std::string_view, Names> kUsual[] = {
        {"target", Names::kFile},
        {"file", Names::kFile},
        {"input", Names::kFile},
        {"directory", Names::kFile},
        {"db", Names::kFile},
        {"o,output", Names::kFile},
        {"a", Names::kFile},
        {"b", Names::kFile},
        {"A", Names::kFile},
        {"B", Names::kFile},
        {"against", Names::kFile},
        {"html", Names::kFile},
        {"csv", Names::kFile},
        {"peer", Names::kFile},
        {"token-file", Names::kFile},
        {"rejects", Names::kFile},
        {"cf", Names::kFamily},
        {"option", Names::kEngineOption},
        {"workload", Names::kWorkload},
        {"command", Names::kCommand},
    };
    for (const auto& [usual, names] : kUsual) {
      if (usual == name) return names;
    }
    return Names::kNothing;
  }

  std::vector<Parameter> list_;
};

}  // namespace varve::cli
