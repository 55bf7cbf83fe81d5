// SPDX-License-Identifier: Apache-2.0
// The calls of the C library that posix_calls.cc defines anew, as the library has them.
#pragma once

#include <pthread.h>

namespace varve::simulator {

int RealCreate(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
               void* argument);
int RealJoin(pthread_t thread, void** result);
// Errors as -1 and errno, as syscall(2) has them.
long RealSyscall(long number, long a, long b, long c, long d, long e, long f);

}  // namespace varve::simulator
