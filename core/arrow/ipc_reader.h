// SPDX-License-Identifier: Apache-2.0
// Reads the messages of Arrow's IPC format that others wrote, for two columns of bytes or strings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arrow/c_import.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::arrow {

// Takes the messages of a stream in their order. Errors: InvalidArgument for what is wrong or of
// another type than c_import.h reads, NotSupported for what other programs understand: compressed
// batches, nested columns, big-endian numbers.
class IpcReader {
 public:
  // `key` and `value` are the names of the columns.
  IpcReader(std::string key, std::string value) : names_{std::move(key), std::move(value)} {}

  struct Message {
    enum class Kind : uint8_t { kSchema, kBatch, kOther } kind;
    uint64_t body_size;
  };
  // What a message is. Its metadata are those between its size and its body.
  static Result<Message> Describe(std::string_view metadata);

  Status ReadSchema(std::string_view metadata);
  bool has_schema() const { return columns_.has_value(); }
  // Both must outlive the use of the rows.
  Status ReadBatch(std::string_view metadata, std::string_view body);

  // Of the last batch.
  int64_t rows() const { return rows_; }
  Result<std::string_view> Key(int64_t row) const { return columns_->key.Row(row); }
  Result<std::string_view> Value(int64_t row) const { return columns_->value.Row(row); }

 private:
  struct Field {
    std::string name;
    std::string format;    // As in the C data interface; what is not read: a word for people.
    bool is_read = false;  // Its type is one of a key or value.
    int64_t width = 0;     // Of the elements of its second buffer.
    size_t buffers = 0;    // That belong to it, besides those of views.
    bool is_view = false, has_dictionary = false;
  };
  struct Columns {
    BytesColumn key, value;
  };
  // The buffers of a column in a batch.
  struct Buffers {
    ArrowArray array = {};
    std::vector<const void*> pointers;
    std::vector<int64_t> sizes;  // Of those that views lead to.
    int64_t data_size = INT64_MAX;
  };

  static Result<Field> ReadField(const class FlatTable& field);
  Status FindColumns();
  Status SetBuffers(const Field& field, std::span<const std::string_view> parts, int64_t nulls,
                    Buffers* out) const;

  const std::string names_[2];
  std::vector<Field> fields_;
  std::optional<Columns> columns_;
  std::vector<Buffers> buffers_;
  int64_t rows_ = 0;
};

}  // namespace varve::arrow
