// SPDX-License-Identifier: Apache-2.0
#include "cli/prompt.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>

#ifdef VARVE_LIBEDIT
#include <editline/readline.h>
#endif

namespace varve::cli {
namespace {

// libedit's callbacks take no context.
std::unique_ptr<Prompt::CompleteFn> active;

#ifdef VARVE_LIBEDIT
constexpr int kHistoryLines = 1000;

// Called with 0, 1, 2, ... until it returns null; libedit frees what it returns.
char* NextMatch(const char* text, int state) {
  static std::vector<std::string> matches;
  static size_t next = 0;
  if (state == 0) {
    next = 0;
    matches = (*active)(
        std::string(rl_line_buffer).substr(0, static_cast<size_t>(rl_point) - strlen(text)), text);
  }
  return next < matches.size() ? strdup(matches[next++].c_str()) : nullptr;
}

char** Matches(const char* text, int, int) {
  rl_attempted_completion_over = 1;  // Never file names of their own accord.
  return rl_completion_matches(text, NextMatch);
}
#endif

}  // namespace

Prompt::Prompt(CompleteFn complete, std::string history_file)
    : history_file_(std::move(history_file)) {
  active = std::make_unique<CompleteFn>(std::move(complete));
#ifdef VARVE_LIBEDIT
  rl_readline_name = const_cast<char*>("varve");
  rl_attempted_completion_function = Matches;
  using_history();
  stifle_history(kHistoryLines);
  if (!history_file_.empty()) read_history(history_file_.c_str());
#endif
}

Prompt::~Prompt() { active.reset(); }

std::optional<std::string> Prompt::ReadLine(const std::string& prompt) {
#ifdef VARVE_LIBEDIT
  char* const line = readline(prompt.c_str());
  if (line == nullptr) return std::nullopt;
  std::string text(line);
  std::free(line);
  if (!text.empty()) {
    add_history(text.c_str());
    if (!history_file_.empty()) write_history(history_file_.c_str());
  }
  return text;
#else
  std::cout << prompt << std::flush;
  std::string text;
  if (!std::getline(std::cin, text)) return std::nullopt;
  return text;
#endif
}

}  // namespace varve::cli
