// SPDX-License-Identifier: Apache-2.0
// Combines small appends to a WritableFile into large ones: a table is built from blocks of 4 KiB,
// but written in calls of 1 MiB. Bytes are passed to the operating system only by Flush(), Sync()
// and Close(); the destructor writes nothing. One thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "varve/file_system.h"

namespace varve {

class BufferedWriter final : public WritableFile {
 public:
  static constexpr size_t kDefaultBufferBytes = 1 << 20;

  explicit BufferedWriter(std::unique_ptr<WritableFile> file,
                          size_t buffer_bytes = kDefaultBufferBytes)
      : file_(std::move(file)), capacity_(buffer_bytes) {
    buffer_.reserve(buffer_bytes);
  }

  Status Append(std::string_view bytes) override {
    DCHECK_OP(buffer_.size(), <=, capacity_);
    if (bytes.size() > capacity_ - buffer_.size()) RETURN_IF_ERROR(Flush());
    if (bytes.size() >= capacity_) return file_->Append(bytes);
    buffer_.append(bytes);
    return Status::Ok();
  }

  Status Flush() {
    if (buffer_.empty()) return Status::Ok();
    RETURN_IF_ERROR(file_->Append(buffer_));
    buffer_.clear();
    return Status::Ok();
  }

  Status Sync() override {
    RETURN_IF_ERROR(Flush());
    return file_->Sync();
  }
  Status Close() override {
    RETURN_IF_ERROR(Flush());
    return file_->Close();
  }
  uint64_t size() const override { return file_->size() + buffer_.size(); }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<WritableFile> file_;
  size_t capacity_;
  std::string buffer_;
};

}  // namespace varve
