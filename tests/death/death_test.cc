// SPDX-License-Identifier: Apache-2.0
// Each case breaks a promise in a child process and expects that to end with the message of the
// check. Cases under VARVE_DEBUG_CHECKS are of checks that release builds do without.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/base/poison.h"
#include "varve/status.h"

namespace varve {
namespace {

struct Death {
  bool aborted = false;   // By a CHECK; AddressSanitizer ends with an exit code.
  bool survived = false;  // Got to the end.
  std::string last_words;
};

// What becomes of a process that does this.
Death Of(const std::function<void()>& deed) {
  std::fflush(nullptr);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);  // Not doctest's.
    deed();
    ::_exit(0);
  }
  ::close(ends[1]);
  Death death;
  char bytes[4096];
  for (ssize_t got; (got = ::read(ends[0], bytes, sizeof(bytes))) > 0;) {
    death.last_words.append(bytes, static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  death.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  death.survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return death;
}

void ExpectCheck(const std::string& words, const std::function<void()>& deed) {
  const Death death = Of(deed);
  INFO(death.last_words);
  CHECK(death.aborted);
  CHECK(death.last_words.find("CHECK failed: " + words) != std::string::npos);
}

TEST_CASE("death: what keeps its promises survives") {
  CHECK(Of([] { CHECK_OP(1, <=, 2); }).survived);
}

TEST_CASE("death: a check names the condition and the place, and both numbers") {
  const uint64_t size = 7;
  ExpectCheck("size <= 5 (7 and 5)", [&] { CHECK_OP(size, <=, 5); });
  ExpectCheck("size == 0\n", [&] { VARVE_CHECK(size == 0); });
  CHECK(Of([&] { CHECK_OP(size, <=, 5); }).last_words.find(__FILE__ ":") == 0);
}

#ifdef VARVE_DEBUG_CHECKS

// Under AddressSanitizer a look at poisoned memory is the end.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAsan = true;
#else
constexpr bool kAsan = false;
#endif

void ExpectPoisoned(const char* byte) {
  if (!kAsan) {
    CHECK(*byte == kPoison);
    return;
  }
  const Death death = Of([&] { static_cast<void>(*const_cast<const volatile char*>(byte)); });
  INFO(death.last_words);
  CHECK_FALSE(death.survived);
  CHECK(death.last_words.find("ERROR: AddressSanitizer: ") != std::string::npos);
}

TEST_CASE("death: a Status that should be ok says what is wrong") {
  ExpectCheck("Status::Corruption(\"why\"): corruption: why",
              [] { DCHECK_OK(Status::Corruption("why")); });
}

TEST_CASE("death: poisoned memory") {
  const auto bytes = std::make_unique<char[]>(64);
  Poison(bytes.get(), 64);
  ExpectPoisoned(bytes.get());
  Unpoison(bytes.get(), 64);
  bytes[0] = 'x';
  CHECK(bytes[0] == 'x');
}

#endif  // VARVE_DEBUG_CHECKS

}  // namespace
}  // namespace varve
