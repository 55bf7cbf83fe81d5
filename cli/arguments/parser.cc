// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <optional>

#include "cli/arguments/suggestion.h"
#include "core/base/text/literal.h"
#include "core/base/text/quantity.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

// "bash, zsh, fish"
std::string Listed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

Status ParseInteger(std::string_view text, int64_t* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Status::InvalidArgument("'" + std::string(text) + "' is not a number");
  }
  return Status::Ok();
}

Status ParseAmount(std::string_view text, bool in_bytes, uint64_t* out) {
  const std::optional<uint64_t> amount = in_bytes ? ParseByteSize(text) : ParseCount(text);
  if (!amount) {
    return Status::InvalidArgument("'" + std::string(text) + "' is not a " +
                                   (in_bytes ? "number of bytes (4096, 64K, 64MiB, 64MB)"
                                             : "whole number from 0 to 2^64 - 1 (500, 10K, 1M)"));
  }
  *out = *amount;
  return Status::Ok();
}

struct Assign {
  const std::string& word;
  bool in_bytes;

  Status operator()(bool* out) const { return *out = true, Status::Ok(); }
  Status operator()(std::string* out) const { return *out = word, Status::Ok(); }
  Status operator()(std::optional<std::string>* out) const { return *out = word, Status::Ok(); }
  Status operator()(std::vector<std::string>* out) const {
    out->push_back(word);
    return Status::Ok();
  }
  Status operator()(int64_t* out) const { return ParseInteger(word, out); }
  Status operator()(uint64_t* out) const { return ParseAmount(word, in_bytes, out); }
  Status operator()(std::optional<uint64_t>* out) const {
    uint64_t value = 0;
    RETURN_IF_ERROR(ParseAmount(word, in_bytes, &value));
    *out = value;
    return Status::Ok();
  }
  Status operator()(double* out) const {
    char* end = nullptr;
    *out = std::strtod(word.c_str(), &end);
    if (word.empty() || end != word.c_str() + word.size() || !std::isfinite(*out)) {
      return Status::InvalidArgument("'" + word + "' is not a number");
    }
    return Status::Ok();
  }
};

}  // namespace

Status SetParameter(const Parameter& parameter, const std::string& word) {
  const std::string name = parameter.positional ? parameter.name : parameter.long_name();
  if (!parameter.choices.empty() && std::find(parameter.choices.begin(), parameter.choices.end(),
                                              word) == parameter.choices.end()) {
    return Status::InvalidArgument(name + ": '" + word + "' is not one of " +
                                   Listed(parameter.choices) + DidYouMean(word, parameter.choices));
  }
  if (parameter.names == Names::kFile && word.empty()) {
    return Status::InvalidArgument(name + " needs the name of a file, not ''");
  }
  std::string value = word;
  if (parameter.names == Names::kFamily || parameter.names == Names::kNewFamily) {
    Result<std::string> bytes = Unescape(word);
    if (!bytes.ok()) return bytes.status().At(name);
    value = *std::move(bytes);
  }
  return std::visit(Assign{value, parameter.in_bytes}, parameter.destination).At(name);
}

namespace {

// "F,format" -> "-F,--format".
std::string Dashed(const Parameter& parameter) {
  const std::string short_name = parameter.short_name();
  return (short_name.empty() ? "" : short_name + ",") + parameter.long_name();
}

Status UnknownFlag(const Parameters& parameters, const std::string& word) {
  constexpr std::string_view kDashes = "--";
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters.list()) {
    if (!parameter.positional) names.push_back(parameter.long_name().substr(kDashes.size()));
  }
  const std::string given = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string nearest = Nearest(given.substr(0, given.find('=')), names);
  return Status::InvalidArgument(
      "unknown flag '" + word + "'" +
      (nearest.empty() ? "" : "; did you mean '" + std::string(kDashes) + nearest + "'?"));
}

// "missing <key>: give <target> <key>", or with what it can be.
Status Missing(const Parameters& parameters, const Parameter& missing) {
  const std::string message = "missing <" + missing.name + ">: ";
  if (!missing.choices.empty()) {
    return Status::InvalidArgument(message + "one of " + Listed(missing.choices));
  }
  std::string all;
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.positional && parameter.required) all += " <" + parameter.name + ">";
  }
  return Status::InvalidArgument(message + "give" + all);
}

Status AssignPositionals(const Parameters& parameters, const std::deque<std::string>& given) {
  auto word = given.begin();
  for (const Parameter& parameter : parameters.list()) {
    if (!parameter.positional) continue;
    if (word == given.end()) {
      if (parameter.required) return Missing(parameters, parameter);
      continue;
    }
    do {
      RETURN_IF_ERROR(SetParameter(parameter, *word++));
    } while (parameter.repeats() && word != given.end());
  }
  if (word != given.end()) return Status::InvalidArgument("unexpected argument '" + *word + "'");
  return Status::Ok();
}

bool IsFlag(const Parameter& parameter, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return name == parameter.long_name() ||
         (!parameter.short_name().empty() && word.starts_with(parameter.short_name()));
}

// For options that are about the positionals behind them (Parameter::places). The words were parsed
// before.
void NotePlaces(const Parameters& parameters, const std::vector<std::string>& words) {
  size_t positionals = 0;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word == "-" || !word.starts_with('-')) {
      ++positionals;
      continue;
    }
    const auto flag = std::find_if(parameters.list().begin(), parameters.list().end(),
                                   [&](const Parameter& parameter) {
                                     return !parameter.positional && IsFlag(parameter, word);
                                   });
    if (flag == parameters.list().end()) continue;
    if (flag->places != nullptr) flag->places->push_back(positionals);
    const bool value_follows =
        !flag->is_switch() && (word == flag->long_name() || word == flag->short_name());
    if (value_follows) ++i;
  }
}

// Replaces CLI11's error messages, which use its own terms.
Status WhatIsWrong(const Parameters& parameters, const std::vector<std::string>& words,
                   const CLI::ParseError& error) {
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.positional || parameter.is_switch()) continue;
    const auto count = std::count_if(words.begin(), words.end(), [&](const std::string& word) {
      return IsFlag(parameter, word);
    });
    const std::string without_value = parameter.long_name() + "=";
    const bool empty = std::find(words.begin(), words.end(), without_value) != words.end();
    if (empty || (!words.empty() && IsFlag(parameter, words.back()) &&
                  words.back().find('=') == std::string::npos)) {
      return Status::InvalidArgument(parameter.long_name() + " needs a value");
    }
    if (count > 1 && !parameter.repeats()) {
      return Status::InvalidArgument(parameter.long_name() + " is given " + std::to_string(count) +
                                     " times");
    }
  }
  return Status::InvalidArgument(error.what());
}

}  // namespace

// CLI11 parses the flags. Positionals are taken from its leftovers, because it would treat "[a]"
// and "{}" as lists, and a key may have any form.
Status ParseWords(const Parameters& parameters, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Status stored;
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.positional) continue;
    const auto store = [&parameter, &stored](const CLI::results_t& results) {
      for (const std::string& word : results) {
        if (stored.ok()) stored = SetParameter(parameter, word);
      }
      return stored.ok();
    };
    if (parameter.is_switch()) {
      bool* out = std::get<bool*>(parameter.destination);
      app.add_flag_callback(Dashed(parameter), [out] { *out = true; });
    } else {
      auto* option = app.add_option(Dashed(parameter), store);
      if (parameter.repeats()) {
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
    }
  }
  const std::vector<std::string> given = words;
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (!stored.ok()) return stored;
    return WhatIsWrong(parameters, given, error);
  }
  std::deque<std::string> positionals;
  bool only_positionals = false;
  for (const std::string& word : app.remaining()) {
    if (only_positionals || word == "-" || !word.starts_with('-')) {
      positionals.push_back(word);
    } else if (word == "--") {
      only_positionals = true;
    } else {
      return UnknownFlag(parameters, word);
    }
  }
  NotePlaces(parameters, given);
  return AssignPositionals(parameters, positionals);
}

}  // namespace varve::cli
