// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "varve/file_system.h"

namespace varve {
namespace {

TEST_CASE("NativeEnvironment: all four seams are there and alive") {
  const Environment& env = NativeEnvironment();
  CHECK(env.file_system->Exists("/"));

  const uint64_t before = env.clock->NowMicros();
  CHECK_GE(env.clock->NowMicros(), before);
  CHECK_GT(env.clock->UnixMicros(), uint64_t{1600000000} * 1000000);  // After 2020.

  CHECK_NE(env.random->Next64(), env.random->Next64());

  Mutex mu;
  CondVar ran;
  bool done = false;
  env.executor->Schedule(Executor::Lane::kFlush, [&] {
    MutexLock lock(mu);
    done = true;
    ran.NotifyOne();
  });
  MutexLock lock(mu);
  while (!done) ran.Wait(mu);
  CHECK(done);
}

}  // namespace
}  // namespace varve
