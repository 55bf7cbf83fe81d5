// SPDX-License-Identifier: Apache-2.0
// YCSB's core workloads. Values are one field, so an update writes the whole record.
#include "cli/commands/bench/workload.h"
#include "core/base/try.h"

namespace varve::cli::bench {
namespace {

constexpr uint64_t kScanMax = 100;

// Percent of the operations; what is left over are reads.
struct Shares {
  uint64_t update = 0, insert = 0, scan = 0, read_modify_write = 0;
};

Status Read(Worker& worker, std::string_view key, uint64_t* bytes, ReadCount* count) {
  RETURN_IF_ERROR(worker.store().Get(key, count));
  *bytes += key.size() + count->bytes;
  return Status::Ok();
}

Status Write(Worker& worker, std::string_view key, uint64_t* bytes) {
  const std::string_view value = worker.Value();
  *bytes += key.size() + value.size();
  return worker.store().Put(key, value);
}

Status Scan(Worker& worker, std::string_view from, uint64_t* bytes, ReadCount* count) {
  ASSIGN_OR_RETURN(const auto it, worker.store().NewScan());
  uint64_t left = 1 + worker.random().Below(kScanMax);
  for (it->Seek(from); it->Valid() && left > 0; it->Next(), --left) {
    *bytes += it->key().size() + it->value().size();
    count->found = 1;
    if (count->summed) count->Sum(it->key(), it->value());
  }
  return it->status();
}

Status RunMix(Worker& worker, const Shares& shares) {
  while (worker.More()) {
    uint64_t bytes = 0;
    ReadCount count = worker.NewCount();
    uint64_t dice = worker.random().Below(100);
    const auto falls_in = [&dice](uint64_t share) {
      if (dice < share) return true;
      dice -= share;
      return false;
    };
    if (falls_in(shares.insert)) {
      RETURN_IF_ERROR(Write(worker, worker.Key(worker.NewRecord()), &bytes));
    } else {
      const std::string_view key = worker.Key(worker.ChooseRecord());
      if (falls_in(shares.update)) {
        RETURN_IF_ERROR(Write(worker, key, &bytes));
      } else if (falls_in(shares.scan)) {
        RETURN_IF_ERROR(Scan(worker, key, &bytes, &count));
      } else {
        RETURN_IF_ERROR(Read(worker, key, &bytes, &count));
        if (falls_in(shares.read_modify_write)) RETURN_IF_ERROR(Write(worker, key, &bytes));
      }
    }
    worker.Done(1, bytes, count.found, count.checksum);
  }
  return Status::Ok();
}

}  // namespace

Status YcsbA(Worker& worker) { return RunMix(worker, {.update = 50}); }
Status YcsbB(Worker& worker) { return RunMix(worker, {.update = 5}); }
Status YcsbC(Worker& worker) { return RunMix(worker, {}); }
Status YcsbD(Worker& worker) { return RunMix(worker, {.insert = 5}); }
Status YcsbE(Worker& worker) { return RunMix(worker, {.insert = 5, .scan = 95}); }
Status YcsbF(Worker& worker) { return RunMix(worker, {.read_modify_write = 50}); }

}  // namespace varve::cli::bench
