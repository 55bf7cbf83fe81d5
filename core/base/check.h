// SPDX-License-Identifier: Apache-2.0
// CHECK verifies what the *programmer* guarantees; it is on in every build and ends the process.
// DCHECK is for checks too slow for release; it is on in debug and sanitizer builds. Neither may
// depend on bytes read from a file or a socket: errors in those are a Status.
//
//   CHECK(memtable_ == nullptr);
//   CHECK_OP(number, >, number_);               of two whole numbers, none negative: says both
//   DCHECK_OK(CheckLevels(comparator, levels)); of a Status: says why
//
// CHECK, CHECK_OP and their DCHECKs take a string literal as well, which says why that must hold:
//
//   CHECK_OP(number, >, number_, "recovery replays logs in the order of their numbers");
#pragma once

#include <cstdint>

namespace varve {
class Status;

[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
[[noreturn]] void CheckFailed(const char* condition, uint64_t left, uint64_t right,
                              const char* file, int line);
[[noreturn]] void CheckFailed(const char* call, const Status& status, const char* file, int line);
}  // namespace varve

#define VARVE_CHECK(condition, ...) \
  (static_cast<bool>(condition)     \
       ? void(0)                    \
       : ::varve::CheckFailed(#condition __VA_OPT__(": ") __VA_ARGS__, __FILE__, __LINE__))

#define CHECK_OP(left, relation, right, ...)                                            \
  do {                                                                                  \
    const uint64_t check_left = (left), check_right = (right);                          \
    if (!(check_left relation check_right)) {                                           \
      ::varve::CheckFailed(#left " " #relation " " #right __VA_OPT__(": ") __VA_ARGS__, \
                           check_left, check_right, __FILE__, __LINE__);                \
    }                                                                                   \
  } while (false)

#ifndef CHECK  // In a test, the test framework's own may be defined already.
#define CHECK(...) VARVE_CHECK(__VA_ARGS__)
#endif

#ifdef VARVE_DEBUG_CHECKS
#define DCHECK(...) VARVE_CHECK(__VA_ARGS__)
#define DCHECK_OP(...) CHECK_OP(__VA_ARGS__)
#define DCHECK_OK(call)                                              \
  do {                                                               \
    const auto& check_status = (call);                               \
    if (!check_status.ok()) {                                        \
      ::varve::CheckFailed(#call, check_status, __FILE__, __LINE__); \
    }                                                                \
  } while (false)
#else
#define DCHECK(condition, ...) static_cast<void>(sizeof(static_cast<bool>(condition)))
#define DCHECK_OP(left, relation, right, ...) \
  static_cast<void>(sizeof(static_cast<uint64_t>(left) relation static_cast<uint64_t>(right)))
#define DCHECK_OK(call) static_cast<void>(sizeof((call).ok()))
#endif
