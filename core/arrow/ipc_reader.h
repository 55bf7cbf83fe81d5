// SPDX-License-Identifier: Apache-2.0
// Reads the messages of Arrow's IPC format that others wrote, for the columns of keys and values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arrow/c_data.h"
#include "core/arrow/record_rows.h"
#include "core/arrow/record_shape.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::arrow {

// Takes the messages of a stream in their order. Errors: InvalidArgument for what is wrong or of
// another type than c_import.h reads, NotSupported for what other programs understand: nested
// columns, big-endian numbers, more than 65,536 columns.
class IpcReader {
 public:
  explicit IpcReader(RecordShape shape) : shape_(std::move(shape)), wanted_(shape_.Fields()) {}
  IpcReader(const IpcReader&) = delete;
  IpcReader& operator=(const IpcReader&) = delete;

  struct Message {
    enum class Kind : uint8_t { kSchema, kBatch, kOther } kind;
    uint64_t body_size;
  };
  // What a message is. Its metadata are those between its size and its body.
  static Result<Message> Describe(std::string_view metadata);

  Status ReadSchema(std::string_view metadata);
  bool has_schema() const { return records_.has_value(); }
  // Both must outlive the use of the rows.
  Status ReadBatch(std::string_view metadata, std::string_view body);

  // Of the last batch.
  int64_t rows() const { return rows_; }
  Result<std::string_view> Key(int64_t row) { return records_->Key(row); }
  Result<std::string_view> Value(int64_t row) { return records_->Value(row); }

 private:
  struct Field {
    std::string name;                     // For messages: cut.
    const std::string* wanted = nullptr;  // The name in wanted_ that is its name.
    std::string format;                   // As in the C data interface, or a word for people.
    bool is_read = false;                 // Its type is one of a key or value.
    int64_t width = 0;                    // Of the elements of its second buffer; 0: bits.
    size_t buffers = 0;                   // That belong to it, besides those of views.
    bool is_view = false, has_dictionary = false;
  };
  // The buffers of a column in a batch.
  struct Buffers {
    ArrowArray array = {};
    std::vector<const void*> pointers;
    std::vector<int64_t> sizes;                    // Of those that views lead to.
    std::vector<std::unique_ptr<char[]>> decoded;  // What was compressed.
    int64_t data_size = INT64_MAX;
  };

  Result<Field> ReadField(const class FlatTable& field) const;
  Status FindColumns();
  Status SetBuffers(const Field& field, std::span<const std::string_view> parts, int64_t nulls,
                    Buffers* out) const;

  const RecordShape shape_;
  const std::vector<ColumnField> wanted_;  // Of that.
  std::vector<Field> fields_;
  std::optional<RecordRows> records_;
  std::vector<Buffers> buffers_;
  int64_t rows_ = 0;
};

}  // namespace varve::arrow
