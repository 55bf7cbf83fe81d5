// SPDX-License-Identifier: Apache-2.0
// A worker that gets jobs by HTTP: the other side of NewHttpCompactionService().
//
//   POST /api/v1/compactions, the bytes of a job -> 200, those of its result, also of a failure
//                                                   else a problem (RFC 9457): there is none
//
// It reads and writes tables where a job says, so who has the token has the rights of this process
// to them; CompactionWorkerOptions::directory allows one database only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "varve/compaction_service.h"
#include "varve/result.h"

namespace varve {

struct CompactionListenerOptions {
  std::string address = {};     // Numeric; empty: this machine only.
  uint16_t port = 0;            // 0: any that is free.
  std::string token_file = {};  // ReadTokenFile(); required.
  // `cancelled` and `progress` are called for all jobs, of which up to four are done at once.
  CompactionWorkerOptions worker = {};
  // After each job, on any thread.
  std::function<void(const Result<CompactionWorkerReport>&)> done = {};
};

// Serves from Start() until it is destroyed, which waits for its jobs: cancel them first. A job
// whose client has left is given up.
class CompactionListener {
 public:
  // InvalidArgument, Busy (the port is in use), IoError.
  static Result<std::unique_ptr<CompactionListener>> Start(CompactionListenerOptions options);
  ~CompactionListener();
  CompactionListener(const CompactionListener&) = delete;
  CompactionListener& operator=(const CompactionListener&) = delete;

  uint16_t port() const;

 private:
  class State;
  explicit CompactionListener(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace varve
