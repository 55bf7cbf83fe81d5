// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family_queue.h"

#include <doctest/doctest.h>

#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

TEST_CASE("FamilyQueue: each once, in the order in which they came") {
  ContextFixture t;
  Family* const a = t.AddFamily(0);
  Family* const b = t.AddFamily(1);
  FamilyQueue queue;
  CHECK(queue.empty());
  queue.Push(b);
  queue.Push(a);
  queue.Push(b);
  CHECK_EQ(queue.size(), 2);
  CHECK(queue.Pop() == b);
  queue.Push(b);  // Behind the other one, now.
  CHECK(queue.Pop() == a);
  CHECK(queue.Pop() == b);
  CHECK(queue.empty());
  queue.Push(a);
  CHECK_EQ(queue.size(), 1);
}

}  // namespace
}  // namespace varve
