// SPDX-License-Identifier: Apache-2.0
#include "core/table/readahead/prefetcher.h"

#include "core/table/readahead/stream_prefetcher.h"
#include "core/table/readahead/window_prefetcher.h"

namespace varve {

std::unique_ptr<Prefetcher> NewPrefetcher(const RandomAccessFile& file, uint64_t limit,
                                          const ReadaheadPolicy& policy, ReadaheadRun* run,
                                          ReadaheadGuide* guide) {
  if (policy.mode == ScanReadahead::kOff && policy.fixed_window == 0) return nullptr;
  if (policy.mode == ScanReadahead::kAdaptive && file.alignment() > 1) {
    return std::make_unique<StreamPrefetcher>(file, limit, policy, run, guide);
  }
  return std::make_unique<WindowPrefetcher>(file, limit, policy);
}

}  // namespace varve
