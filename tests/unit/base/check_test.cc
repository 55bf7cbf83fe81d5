// SPDX-License-Identifier: Apache-2.0
// What the checks cost and evaluate, and what they say; which promises are checked is tests/death.
#include "core/base/check.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>

#include "varve/status.h"

namespace varve {
namespace {

// The last words of a process that aborts; "" if it does not.
std::string LastWords(const std::function<void()>& deed) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);  // Not doctest's.
    deed();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string words;
  char bytes[512];
  for (ssize_t got; (got = ::read(ends[0], bytes, sizeof(bytes))) > 0;) {
    words.append(bytes, static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? words : "";
}

std::string Message(int line, const std::string& what) {
  return std::string(__FILE__) + ":" + std::to_string(line) + ": CHECK failed: " + what + "\n";
}

TEST_CASE("checks: the process aborts with file, line and condition, and numbers where there are") {
  const uint64_t size = 7, most = ~uint64_t{0};
  CHECK_EQ(LastWords([&] { VARVE_CHECK(size == 8); }), Message(__LINE__, "size == 8"));
  const std::string words = LastWords([&] { CHECK_OP(size, >, most); });
  CHECK_EQ(words, Message(__LINE__ - 1, "size > most (7 and 18446744073709551615)"));
  CHECK_EQ(
      LastWords([] { CheckFailed("Levels()", Status::Corruption("000007.sst: gone"), "a.cc", 3); }),
      "a.cc:3: CHECK failed: Levels(): corruption: 000007.sst: gone\n");
}

TEST_CASE("checks: what holds goes on, each operand evaluated once") {
  int calls = 0;
  const auto next = [&] { return ++calls; };
  VARVE_CHECK(next() == 1);
  CHECK_OP(next(), ==, 2);
  CHECK_OP(2, <, next());
  CHECK_EQ(calls, 3);
}

TEST_CASE("DCHECK: on with the debugging checks; otherwise its operands are compiled, not run") {
  int calls = 0;
  [[maybe_unused]] const auto next = [&] { return ++calls; };
  [[maybe_unused]] const auto status = [&] { return ++calls > 0 ? Status::Ok() : Status(); };
  DCHECK(next() > 0);
  DCHECK_OP(next(), >, 0);
  DCHECK_OK(status());
#ifdef VARVE_DEBUG_CHECKS
  CHECK_EQ(calls, 3);
  const auto broken = [] { return Status::Corruption("level 1: out of order"); };
  const std::string words = LastWords([&] { DCHECK_OK(broken()); });
  CHECK_EQ(words, Message(__LINE__ - 1, "broken(): corruption: level 1: out of order"));
#else
  CHECK_EQ(calls, 0);
#endif
}

}  // namespace
}  // namespace varve
