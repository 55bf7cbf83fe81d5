// SPDX-License-Identifier: Apache-2.0
#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>

#include "core/base/check.h"
#include "core/base/threads/thread_pool.h"
#include "core/fs/posix_fs.h"
#include "core/fs/url_router.h"
#include "varve/environment.h"

namespace varve {
namespace {

class SystemClock final : public Clock {
 public:
  uint64_t NowMicros() override { return Read(CLOCK_MONOTONIC) / 1000; }
  uint64_t UnixMicros() override { return Read(CLOCK_REALTIME) / 1000; }
  uint64_t NowNanos() override { return Read(CLOCK_MONOTONIC); }

 private:
  static uint64_t Read(clockid_t clock) {
    timespec now = {};
    CHECK(::clock_gettime(clock, &now) == 0);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  }
};

class SystemRandom final : public Random {
 public:
  uint64_t Next64() override {
    uint64_t bits = 0;
    ssize_t got = 0;
    do {
      got = ::getrandom(&bits, sizeof(bits), 0);
    } while (got < 0 && errno == EINTR);
    // Requests of this size are never partial once the system has booted.
    CHECK(got == sizeof(bits));
    return bits;
  }
};

// Enough for several databases to be busy at once; each limits itself by max_background_jobs.
int CompactionThreads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, 64);
}

Environment MakeEnvironment() {
  const int compaction_threads = CompactionThreads();
  const int flush_threads = std::max(1, compaction_threads / 4);
  // Never destroyed: a database may still be open, and its jobs running, while the process exits.
  return {.file_system = &NativeRouter(),
          .clock = std::make_unique<SystemClock>().release(),
          .random = std::make_unique<SystemRandom>().release(),
          .executor = std::make_unique<ThreadPool>(flush_threads, compaction_threads).release()};
}

}  // namespace

UrlRouter& NativeRouter() {
  static auto* const kRouter = new UrlRouter(NewPosixFileSystem());
  return *kRouter;
}

const Environment& NativeEnvironment() {
  static const Environment environment = MakeEnvironment();
  return environment;
}

}  // namespace varve
