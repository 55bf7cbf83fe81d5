// SPDX-License-Identifier: Apache-2.0
#include "core/fs/direct_writer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/fs/aligned_buffer.h"
#include "core/fs/posix_error.h"

namespace varve {
namespace {

constexpr size_t kBufferBytes = 1 << 20;

class DirectWriter final : public WritableFile {
 public:
  DirectWriter(std::string path, FileDescriptor fd, size_t alignment)
      : path_(std::move(path)),
        fd_(std::move(fd)),
        alignment_(alignment),
        buffer_(kBufferBytes, alignment) {}

  Status Append(std::string_view bytes) override {
    CHECK(!closed_);
    while (!bytes.empty()) {
      const size_t count = std::min(bytes.size(), buffer_.capacity() - filled_);
      std::memcpy(buffer_.data() + filled_, bytes.data(), count);
      filled_ += count;
      bytes.remove_prefix(count);
      if (filled_ == buffer_.capacity()) RETURN_IF_ERROR(WriteBlocks());
    }
    return Status::Ok();
  }

  Status Sync() override {
    CHECK(!closed_);
    RETURN_IF_ERROR(WriteTail());
    return fd_.Sync(path_);
  }

  Status Close() override {
    if (closed_) return Status::Ok();
    RETURN_IF_ERROR(WriteTail());
    closed_ = true;
    return fd_.Close(path_);
  }

  uint64_t size() const override { return written_ + filled_; }
  const std::string& path() const override { return path_; }

 private:
  // Writes the whole blocks of the buffer and moves the rest to its front.
  Status WriteBlocks() {
    const size_t whole = AlignDown(filled_, alignment_);
    DCHECK_OP(written_ % alignment_, ==, 0);
    RETURN_IF_ERROR(fd_.WriteAt(path_, written_, {buffer_.data(), whole}));
    written_ += whole;
    filled_ -= whole;
    std::memmove(buffer_.data(), buffer_.data() + whole, filled_);
    return Status::Ok();
  }

  Status WriteTail() {
    RETURN_IF_ERROR(WriteBlocks());
    if (filled_ == 0) return Status::Ok();
    CHECK_OP(filled_, <, alignment_);
    std::memset(buffer_.data() + filled_, 0, alignment_ - filled_);
    RETURN_IF_ERROR(fd_.WriteAt(path_, written_, {buffer_.data(), alignment_}));
    if (::ftruncate(fd_.get(), static_cast<off_t>(size())) != 0) {
      return PosixError(path_, "ftruncate", errno);
    }
    return Status::Ok();
  }

  std::string path_;
  FileDescriptor fd_;
  size_t alignment_;
  AlignedBuffer buffer_;
  size_t filled_ = 0;     // Of buffer_; less than a block after Sync().
  uint64_t written_ = 0;  // Whole blocks in the file, in bytes.
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<WritableFile> NewDirectWriter(std::string path, FileDescriptor fd,
                                              size_t alignment) {
  return std::make_unique<DirectWriter>(std::move(path), std::move(fd), alignment);
}

}  // namespace varve
