// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/pipe.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/base/threads/thread_pool.h"

namespace varve {
namespace {

constexpr auto kLane = Executor::Lane::kCompaction;

TEST_CASE("Pipe: every buffer is consumed once and in order, on any thread") {
  InlineExecutor nobody;
  ThreadPool pool(1, 3);
  for (Executor* executor : {static_cast<Executor*>(&nobody), static_cast<Executor*>(&pool)}) {
    std::vector<std::string> out;
    Pipe<std::string> pipe(executor, kLane, [&](const std::string& text) {
      out.push_back(text);
      return Status::Ok();
    });
    for (int i = 0; i < 300; ++i) {
      REQUIRE(pipe.buffer().empty());
      pipe.buffer() = std::to_string(i);
      REQUIRE(pipe.HandOver().ok());
    }
    REQUIRE(pipe.Drain().ok());
    REQUIRE_EQ(out.size(), 300);
    for (size_t i = 0; i < out.size(); ++i) REQUIRE_EQ(out[i], std::to_string(i));
  }
}

TEST_CASE("Pipe: what waits is bounded, and buffers are used again") {
  InlineExecutor nobody;
  size_t out = 0;
  Pipe<std::string> pipe(&nobody, kLane, [&](const std::string&) {
    ++out;
    return Status::Ok();
  });
  constexpr size_t kCapacity = 5000;
  size_t made = 0;
  for (size_t in = 1; in <= 100; ++in) {
    if (pipe.buffer().capacity() < kCapacity) ++made;
    pipe.buffer().reserve(kCapacity);
    REQUIRE(pipe.HandOver().ok());
    CHECK(in - out <= Pipe<std::string>::kWaitingMax);
  }
  CHECK(made <= Pipe<std::string>::kWaitingMax + 2);
}

TEST_CASE("Pipe: after a failure nothing is consumed, and every call says why") {
  ThreadPool pool(1, 2);
  int consumed = 0;
  Pipe<std::string> pipe(&pool, kLane, [&](const std::string& text) {
    ++consumed;
    return text == "bad" ? Status::Corruption("bad") : Status::Ok();
  });
  const auto send = [&](std::string text) {
    pipe.buffer() = std::move(text);
    return pipe.HandOver();
  };
  REQUIRE(send("good").ok());
  send("bad").Ignore("may not be known yet");
  for (int i = 0; i < 10; ++i) send("more").Ignore("may not be known yet");
  CHECK_EQ(pipe.Drain().code(), Code::kCorruption);
  CHECK_EQ(send("more").code(), Code::kCorruption);
  CHECK_EQ(pipe.Drain().code(), Code::kCorruption);
  CHECK_EQ(consumed, 2);
}

}  // namespace
}  // namespace varve
