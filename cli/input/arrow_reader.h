// SPDX-License-Identifier: Apache-2.0
// Records from Arrow's IPC format: a stream, or a file, whose records are read as if it were one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/input/stream_reader.h"
#include "core/arrow/ipc_reader.h"

namespace varve::cli {

// No record is rejected: a stream that has a null, or that no end marker ends, fails as a whole.
class ArrowReader : public StreamReader {
 public:
  // Whether an input begins as such a stream or file does.
  static bool Recognises(std::string_view head);

  ArrowReader(std::unique_ptr<InputStream> in, const InputOptions& options);
  Event Next(InputRecord* record) override;

 private:
  enum class Step { kBatch, kEnd };

  // Goes to the next batch.
  Result<Step> NextBatch();
  // The next bytes, which the stream must have; valid until the next call.
  Result<std::string_view> Read(uint64_t size);

  arrow::IpcReader reader_;
  std::string metadata_;
  int64_t row_ = 0;
  bool begun_ = false, ended_ = false;
  uint64_t offset_ = 0;   // Of what is read next, in bytes, decompressed.
  uint64_t message_ = 0;  // Where the current message begins.
};

}  // namespace varve::cli
