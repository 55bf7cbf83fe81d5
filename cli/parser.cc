// SPDX-License-Identifier: Apache-2.0
#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <deque>
#include <limits>

#include "core/base/try.h"

namespace varve::cli {
namespace {

template <typename T>
Status ParseNumber(std::string_view text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Status::InvalidArgument("'" + std::string(text) + "' is not a number");
  }
  return Status::Ok();
}

// 64, 64K, 64M, 64G: powers of 1024.
Status ParseSize(std::string_view text, uint64_t* out) {
  uint64_t unit = 1;
  std::string_view digits = text;
  if (!text.empty()) {
    const auto suffix = std::string_view("KMGT").find(
        static_cast<char>(std::toupper(static_cast<unsigned char>(text.back()))));
    if (suffix != std::string_view::npos) {
      unit = uint64_t{1} << (10 * (suffix + 1));
      digits.remove_suffix(1);
    }
  }
  RETURN_IF_ERROR(ParseNumber(digits, out));
  if (*out > std::numeric_limits<uint64_t>::max() / unit) {
    return Status::InvalidArgument("'" + std::string(text) + "' is too large");
  }
  *out *= unit;
  return Status::Ok();
}

struct Assign {
  const std::string& word;

  Status operator()(bool* out) const { return *out = true, Status::Ok(); }
  Status operator()(std::string* out) const { return *out = word, Status::Ok(); }
  Status operator()(std::optional<std::string>* out) const { return *out = word, Status::Ok(); }
  Status operator()(std::vector<std::string>* out) const {
    out->push_back(word);
    return Status::Ok();
  }
  Status operator()(int64_t* out) const { return ParseNumber(word, out); }
  Status operator()(uint64_t* out) const { return ParseSize(word, out); }
  Status operator()(std::optional<uint64_t>* out) const {
    uint64_t value = 0;
    RETURN_IF_ERROR(ParseSize(word, &value));
    *out = value;
    return Status::Ok();
  }
  Status operator()(double* out) const {
    char* end = nullptr;
    *out = std::strtod(word.c_str(), &end);
    if (word.empty() || end != word.c_str() + word.size()) {
      return Status::InvalidArgument("'" + word + "' is not a number");
    }
    return Status::Ok();
  }
};

Status Store(const Parameter& parameter, const std::string& word) {
  if (!parameter.choices.empty() &&
      std::find(parameter.choices.begin(), parameter.choices.end(), word) ==
          parameter.choices.end()) {
    std::string choices;
    for (const std::string& choice : parameter.choices) choices += " " + choice;
    return Status::InvalidArgument("--" + parameter.name + ": '" + word + "' is none of" + choices);
  }
  return std::visit(Assign{word}, parameter.destination).At(parameter.name);
}

// "F,format" -> "-F,--format".
std::string Dashed(const std::string& name) {
  const size_t comma = name.find(',');
  if (comma == std::string::npos) return "--" + name;
  return "-" + name.substr(0, comma) + ",--" + name.substr(comma + 1);
}

Status AssignPositionals(const Parameters& parameters, const std::deque<std::string>& given) {
  auto word = given.begin();
  for (const Parameter& parameter : parameters.list()) {
    if (!parameter.positional) continue;
    if (word == given.end()) {
      if (parameter.required) return Status::InvalidArgument("missing <" + parameter.name + ">");
      continue;
    }
    const bool takes_rest = std::holds_alternative<std::vector<std::string>*>(parameter.destination);
    do {
      RETURN_IF_ERROR(Store(parameter, *word++));
    } while (takes_rest && word != given.end());
  }
  if (word != given.end()) return Status::InvalidArgument("unexpected argument '" + *word + "'");
  return Status::Ok();
}

}  // namespace

// CLI11 parses the flags. Positionals are taken from its leftovers, because its own treat "[a]"
// and "{}" as lists, and a key may look like anything.
Status ParseWords(const Parameters& parameters, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Status stored;
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.positional) continue;
    const auto store = [&parameter, &stored](const CLI::results_t& results) {
      for (const std::string& word : results) {
        if (stored.ok()) stored = Store(parameter, word);
      }
      return stored.ok();
    };
    if (std::holds_alternative<bool*>(parameter.destination)) {
      bool* out = std::get<bool*>(parameter.destination);
      app.add_flag_callback(Dashed(parameter.name), [out] { *out = true; });
    } else {
      auto* option = app.add_option(Dashed(parameter.name), store);
      if (std::holds_alternative<std::vector<std::string>*>(parameter.destination)) {
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
    }
  }
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return stored.ok() ? Status::InvalidArgument(error.what()) : stored;
  }
  std::deque<std::string> positionals;
  bool only_positionals = false;
  for (const std::string& word : app.remaining()) {
    if (only_positionals || word == "-" || !word.starts_with('-')) {
      positionals.push_back(word);
    } else if (word == "--") {
      only_positionals = true;
    } else {
      return Status::InvalidArgument("unknown flag '" + word + "'");
    }
  }
  return AssignPositionals(parameters, positionals);
}

}  // namespace varve::cli
