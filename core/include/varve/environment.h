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

// What time it is. Thread-safe. Must outlive every DB that it is given to.
class VARVE_EXPORT Clock {
 public:
  virtual ~Clock() = default;                                 // No DB may use it any more.
  virtual uint64_t NowMicros() = 0;                           // Monotonic, for durations.
  virtual uint64_t UnixMicros() = 0;                          // Wall clock, since 1970 UTC.
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }  // As NowMicros(), if it can be finer.
};

// Thread-safe source of unpredictable bits (session ids, context checksums). Must outlive every DB
// that it is given to.
class VARVE_EXPORT Random {
 public:
  virtual ~Random() = default;    // No DB may use it any more.
  virtual uint64_t Next64() = 0;  // 64 bits.
};

// Runs background jobs, of any number of DBs. Thread-safe. Must outlive every DB that it is given
// to.
class VARVE_EXPORT Executor {
 public:
  // What a job is for: flushes never wait for compactions.
  enum class Lane : uint8_t {
    kFlush,      // Flushes, and what helps them.
    kCompaction  // Compactions, and what helps them.
  };

  virtual ~Executor() = default;  // No DB may use it any more.
  // Takes a job, to be run once, at any later time and by any thread. Does not run it itself.
  virtual void Schedule(Lane lane, std::function<void()> job) = 0;
  // How many jobs of a lane can run at once.
  virtual int Parallelism(Lane lane) const = 0;
  // A caller about to wait for background work calls this first, and again now and then. An
  // executor without threads (or that could not start any) runs one queued job and returns true;
  // one with threads returns false and the caller blocks.
  virtual bool RunOneWhileWaiting() { return false; }
};

// The seams of one database: Options::env. Null: that of NativeEnvironment(). They are not owned,
// and must outlive the DB.
struct Environment {
  FileSystem* file_system = nullptr;  // Where files are.
  Clock* clock = nullptr;             // Durations and times.
  Random* random = nullptr;           // Unpredictable bits.
  Executor* executor = nullptr;       // Background jobs.
};

// POSIX files, the system's clocks and random device, and a pool of threads shared by the process.
// Lives as long as the process.
VARVE_EXPORT const Environment& NativeEnvironment();

}  // namespace varve
