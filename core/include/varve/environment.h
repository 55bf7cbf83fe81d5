// SPDX-License-Identifier: Apache-2.0
// Environment is the whole outside world of a database: four seams, passed in.
//
//   native       POSIX files + thread pool           NativeEnvironment()
//   browser      memory or OPFS files + inline executor
//   simulation   crash or fault file system + seeded executor
//
// core/ names no clock, thread, random device or open(2) outside these.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "varve/export.h"

namespace varve {

class FileSystem;

// Thread-safe.
class VARVE_EXPORT Clock {
 public:
  virtual ~Clock() = default;
  virtual uint64_t NowMicros() = 0;                           // Monotonic, for durations.
  virtual uint64_t UnixMicros() = 0;                          // Wall clock, for timestamps on disk.
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }  // As NowMicros(), if it can be finer.
};

// Thread-safe source of unpredictable bits (session ids, context checksums).
class VARVE_EXPORT Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next64() = 0;
};

// Runs background jobs. Thread-safe.
class VARVE_EXPORT Executor {
 public:
  enum class Lane : uint8_t { kFlush, kCompaction };  // Flushes never wait for compactions.

  virtual ~Executor() = default;
  virtual void Schedule(Lane lane, std::function<void()> job) = 0;
  // How many jobs of a lane can run at once.
  virtual int Parallelism(Lane lane) const = 0;
  // A caller about to wait for background work calls this first, and again now and then. An executor
  // without threads (or that could not start any) runs one queued job and returns true; one with
  // threads returns false and the caller blocks.
  virtual bool RunOneWhileWaiting() { return false; }
};

struct Environment {
  FileSystem* file_system = nullptr;
  Clock* clock = nullptr;
  Random* random = nullptr;
  Executor* executor = nullptr;
};

// POSIX files, the system's clocks and random device, and a pool of threads shared by the process.
VARVE_EXPORT const Environment& NativeEnvironment();

}  // namespace varve
