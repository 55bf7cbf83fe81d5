// SPDX-License-Identifier: Apache-2.0
// What every random test says when it goes wrong, in whatever way: the one line that repeats it.
//
//   replay: power_loss --seed=17 --ops=42        scripts/repro.sh power_loss --seed=17 --ops=42
//
// The first word is a suite of suites.toml; the last such line of a program's output counts.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace varve::replay {

// What is printed if the process ends by a signal: crashes, CHECKs, and being ended as it takes too
// long. Empty: nothing. Not while another thread calls it.
inline std::string& LineAtWork() {
  static auto* const line = new std::string();  // For signals until the very end.
  return *line;
}

inline void Print(const std::string& line) {
  std::fflush(nullptr);
  std::fprintf(stderr, "replay: %s\n", line.c_str());
}

namespace internal {

constexpr std::array<int, 7> kSignals = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                                         SIGABRT, SIGALRM, SIGTERM};
inline std::array<struct sigaction, kSignals.size()>& Before() {
  static std::array<struct sigaction, kSignals.size()> before;
  return before;
}

inline void Say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

// Then whoever handled the signal before does, a sanitizer for one: what faulted is done again.
inline void Handle(int number) {
  if (!LineAtWork().empty()) {
    Say("replay: ");
    Say(LineAtWork());
    Say("\n");
  }
  for (size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == number) ::sigaction(number, &Before()[i], nullptr);
  }
  if (number == SIGABRT || number == SIGALRM || number == SIGTERM) ::raise(number);
}

}  // namespace internal

// From now on this is what the program does.
inline void At(const std::string& line) {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_handler = internal::Handle;
    for (size_t i = 0; i < internal::kSignals.size(); ++i) {
      ::sigaction(internal::kSignals[i], &action, &internal::Before()[i]);
    }
    return true;
  }();
  static_cast<void>(installed);
  LineAtWork() = line;
}

// A child whose end its parent judges says nothing by itself.
inline void LeaveToParent() { LineAtWork().clear(); }

}  // namespace varve::replay
