// SPDX-License-Identifier: Apache-2.0
// Environment holds everything that a database uses of the outside world, as four interfaces.
//
//   native       POSIX files + thread pool           NativeEnvironment()
//   browser      memory or OPFS files + inline executor
//   simulation   crash or fault file system + seeded executor
//
// core/ uses clocks, threads, random devices and open(2) only through these.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "varve/export.h"

namespace varve {

class FileSystem;

// Tells the time. Thread-safe. Must outlive every DB that uses it.
class VARVE_EXPORT Clock {
 public:
  virtual ~Clock() = default;         // No DB may use it any more.
  virtual uint64_t NowMicros() = 0;   // Monotonic, for durations.
  virtual uint64_t UnixMicros() = 0;  // Wall clock, since 1970 UTC.
  // As NowMicros(), with finer resolution where possible.
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }
};

// Thread-safe source of unpredictable bits (session ids, context checksums). Must outlive every DB
// that uses it.
class VARVE_EXPORT Random {
 public:
  virtual ~Random() = default;    // No DB may use it any more.
  virtual uint64_t Next64() = 0;  // 64 bits.
};

// Runs background jobs of any number of DBs. Thread-safe. Must outlive every DB that uses it.
class VARVE_EXPORT Executor {
 public:
  // The kind of a job. Flushes never wait for compactions.
  enum class Lane : uint8_t {
    kFlush,      // Flushes and their helper tasks.
    kCompaction  // Compactions and their helper tasks.
  };

  virtual ~Executor() = default;  // No DB may use it any more.
  // Takes a job, to be run once, later, by any thread. Does not run it itself.
  virtual void Schedule(Lane lane, std::function<void()> job) = 0;
  // How many jobs of a lane can run at once.
  virtual int Parallelism(Lane lane) const = 0;
  // Call this before waiting for background work, and repeatedly while waiting. An executor without
  // threads (or that could not start any) runs one queued job and returns true; one with threads
  // returns false, and the caller blocks.
  virtual bool RunOneWhileWaiting() { return false; }
};

// The interfaces that one database uses: Options::env. Null: that of NativeEnvironment(). Not
// owned; they must outlive the DB.
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
