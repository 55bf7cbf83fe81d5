// SPDX-License-Identifier: Apache-2.0
// OfThisThread<T>() is the calling thread's own T: created on first use, destroyed when the thread
// ends.
//
// Unlike a `thread_local T`, it can be used as long as the thread runs. A program may read from a
// database in the destructor of a thread_local object or pthread key, which may run after that of a
// T: it then gets a new T, which is destroyed after that object.
#pragma once

#include <memory>

namespace varve {

// Calls end(argument) when the thread ends, in reverse order of registration. May also be called
// while the thread ends: in the destructor of a thread_local object or of a pthread key.
void AtThreadEnd(void (*end)(void* argument), void* argument);

template <typename T>
T& OfThisThread() {
  thread_local T* mine = nullptr;  // A pointer has no destructor: it stays valid to the end.
  if (mine == nullptr) [[unlikely]] {
    mine = std::make_unique<T>().release();
    AtThreadEnd(
        [](void* made) {
          mine = nullptr;
          const std::unique_ptr<T> ended(static_cast<T*>(made));
        },
        mine);
  }
  return *mine;
}

}  // namespace varve
