// SPDX-License-Identifier: Apache-2.0
// Writes batches as a stream of Arrow's IPC format, version 5:
// https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/arrow/body_codec.h"
#include "core/arrow/record_columns.h"

namespace varve::arrow {

class IpcWriter {
 public:
  using Write = std::function<void(std::string_view)>;

  // Writes the schema. `write` takes pieces of the stream in their order.
  IpcWriter(const std::vector<ColumnField>& fields, Write write,
            BodyCodec codec = BodyCodec::kNone);

  void WriteBatch(const RecordColumns& records);
  // Ends the stream.
  void Finish();
  // Ends it so that every reader reports an error: a stream that stops between two messages would
  // count as complete. What was written before is there.
  void Break();

 private:
  void WriteMessage(std::string_view metadata);

  const Write write_;
  BodyEncoder encoder_;
};

}  // namespace varve::arrow
