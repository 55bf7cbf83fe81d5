// SPDX-License-Identifier: Apache-2.0
#include "cli/input/prompt.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
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

volatile std::sig_atomic_t interrupted = 0;

// The signal mask for ppoll(2) while CatchInterrupts blocks Ctrl-C.
sigset_t let_through;

// While it lives, Ctrl-C is recorded, but only within WaitForInput(): otherwise one that arrives
// between checking the record and read(2), or during completion, would only be seen with the next
// key.
class CatchInterrupts {
 public:
  CatchInterrupts() {
    interrupted = 0;
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &mask_before_);
    let_through = mask_before_;
    sigdelset(&let_through, SIGINT);
    struct sigaction note = {};
    note.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &note, &before_);
  }
  ~CatchInterrupts() {
    sigaction(SIGINT, &before_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }

 private:
  struct sigaction before_ = {};
  sigset_t mask_before_ = {};
};

// Waits until read(2) does not block. False if Ctrl-C arrived.
bool WaitForInput() {
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  while (interrupted == 0 && ppoll(&input, 1, nullptr, &let_through) < 0 && errno == EINTR) {
  }
  return interrupted == 0;
}

#ifdef VARVE_LIBEDIT
constexpr int kHistoryLines = 1000;

// Reads a character for libedit, which would continue reading after an interrupt. A line break ends
// the line; the caller then checks for an interrupt.
int ReadCharacter(FILE*) {
  std::mbstate_t state = {};
  for (;;) {
    if (!WaitForInput()) return write(STDOUT_FILENO, "^C", 2) < 0 ? -1 : '\n';
    char byte = 0;
    const ssize_t got = read(STDIN_FILENO, &byte, 1);
    if (got < 0 && errno == EINTR) continue;  // The window's size has changed.
    if (got <= 0) return -1;
    wchar_t character = 0;
    const size_t used = std::mbrtowc(&character, &byte, 1, &state);
    if (used == static_cast<size_t>(-2)) continue;  // An incomplete multibyte character.
    if (used == static_cast<size_t>(-1)) return static_cast<unsigned char>(byte);
    return static_cast<int>(character);
  }
}

// Called with 0, 1, 2, ... until it returns null; libedit frees the results.
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
  rl_attempted_completion_over = 1;  // Never complete file names by default.
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
  rl_catch_signals = 0;  // CatchInterrupts does.
  rl_getc_function = ReadCharacter;
  using_history();
  stifle_history(kHistoryLines);
  if (!history_file_.empty()) read_history(history_file_.c_str());
#endif
}

Prompt::~Prompt() { active.reset(); }

Prompt::Answer Prompt::ReadLine(const std::string& prompt) {
  const CatchInterrupts caught;
#ifdef VARVE_LIBEDIT
  char* const line = readline(prompt.c_str());
  if (interrupted != 0) {
    std::free(line);
    return {Answer::kInterrupted, ""};
  }
  if (line == nullptr) return {Answer::kEnd, ""};
  std::string text(line);
  std::free(line);
  if (!text.empty()) {
    add_history(text.c_str());
    if (!history_file_.empty()) write_history(history_file_.c_str());
  }
  return {Answer::kLine, std::move(text)};
#else
  std::cout << prompt << std::flush;
  std::string text;
  for (char c = 0; c != '\n';) {
    if (!WaitForInput()) {
      std::cout << "\n";
      return {Answer::kInterrupted, ""};
    }
    const ssize_t got = read(STDIN_FILENO, &c, 1);
    if (got <= 0) return {text.empty() ? Answer::kEnd : Answer::kLine, std::move(text)};
    if (c != '\n') text += c;
  }
  return {Answer::kLine, std::move(text)};
#endif
}

}  // namespace varve::cli
