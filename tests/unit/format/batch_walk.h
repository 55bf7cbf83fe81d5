// SPDX-License-Identifier: Apache-2.0
// Write batches taken apart.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/log/write_batch_format.h"

namespace varve {

// The published vector of a batch: a put, a deletion, and a put into family 2, at sequence 5.
inline constexpr std::string_view kVectorBatch(
    "\x05\0\0\0\0\0\0\0\x03\0\0\0\x01\x01k\x01v\0\x01"
    "d\x05\x02\x01x\x01y",
    26);

struct BatchWalk {
  std::unique_ptr<const std::string> bytes;  // The records point into it.
  std::vector<BatchRecord> records;
  Status status;
};

inline BatchWalk WalkThrough(std::string_view batch) {
  BatchWalk walk;
  walk.bytes = std::make_unique<const std::string>(batch);
  BatchReader in(*walk.bytes);
  BatchRecord record;
  while (in.Next(&record)) walk.records.push_back(record);
  walk.status = in.status();
  return walk;
}

}  // namespace varve
