// SPDX-License-Identifier: Apache-2.0
// WalSet owns the write-ahead logs: the current one, which takes records, and closed ones that some
// family still needs.
//
//   present --Roll--> synced and closed --every family flushed past it--> deleted
//                                       \--prepared transactions need it--> held --> deleted
//
// Rule S1: before the first synced write is acknowledged, the WAL's name is synced, too.
// Rule S2: a WAL is synced before the first byte of the next one is written, so a crash always
// leaves a prefix of the commit order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/engine/context.h"
#include "core/wal/log_writer.h"
#include "varve/status.h"

namespace varve {

// A WAL as of one moment; later bytes belong to later writes.
struct WalExtent {
  uint64_t number = 0;
  uint64_t size = 0;
};

class WalSet {
 public:
  explicit WalSet(EngineContext& context) : context_(context) {}

  // Creates WAL `number` and makes it the current one. After a failure no WAL can be written.
  Status Roll(uint64_t number) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  Status Append(std::string_view record) REQUIRES(write_lead);
  // Everything appended so far survives power loss when this returns.
  Status Sync() REQUIRES(write_lead);
  Status Close() REQUIRES(write_lead);
  uint64_t present_size() const REQUIRES(write_lead) {
    return writer_ == nullptr ? 0 : writer_->size();
  }
  uint64_t TotalBytes() const REQUIRES(write_lead) {
    return closed_bytes_.load(std::memory_order_relaxed) + present_size();
  }

  uint64_t present_number() const REQUIRES(engine_mutex) { return number_; }
  uint64_t oldest_number() const REQUIRES(engine_mutex) {
    return closed_.empty() ? number_ : closed_.front().number;
  }
  const std::vector<WalExtent>& closed() const REQUIRES(engine_mutex) { return closed_; }
  // WALs that no family needs, but a prepared transaction. They are older than closed(), and no
  // flush releases them: TotalBytes() does not count them.
  const std::vector<WalExtent>& held() const REQUIRES(engine_mutex) { return held_; }
  // Adds one that was written before the first Roll().
  void Hold(const WalExtent& wal) REQUIRES(engine_mutex);
  // Takes the WALs below `number` off the lists and returns their numbers. Of the others, those
  // below `needed` are only held.
  std::vector<uint64_t> TakeBelow(uint64_t number, uint64_t needed) REQUIRES(engine_mutex);

 private:
  EngineContext& context_;
  std::unique_ptr<LogWriter> writer_ GUARDED_BY(write_lead) PT_GUARDED_BY(write_lead);
  bool name_synced_ GUARDED_BY(write_lead) = false;
  uint64_t synced_size_ GUARDED_BY(write_lead) = 0;

  uint64_t number_ GUARDED_BY(engine_mutex) = 0;
  std::vector<WalExtent> held_ GUARDED_BY(engine_mutex);    // Ascending.
  std::vector<WalExtent> closed_ GUARDED_BY(engine_mutex);  // Ascending.
  std::atomic<uint64_t> closed_bytes_{0};
};

}  // namespace varve
