// SPDX-License-Identifier: Apache-2.0
#include "core/wal/log_writer.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/format/log/log_record.h"

namespace varve {
namespace {

// A buffer that one huge record grew beyond this is freed.
constexpr size_t kKeptBufferBytesMax = size_t{4} << 20;

constexpr LogRecordType TypeOf(bool first, bool last) {
  if (first) return last ? LogRecordType::kFull : LogRecordType::kFirst;
  return last ? LogRecordType::kLast : LogRecordType::kMiddle;
}

}  // namespace

LogWriter::LogWriter(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {
  CHECK(file_ != nullptr);
  CHECK_OP(file_->size(), ==, 0, "positions of records are relative to the file's blocks");
}

Status LogWriter::Append(std::string_view record) {
  CHECK(!closed_);
  if (!failed_.ok()) return failed_;
  buffer_.clear();
  uint64_t offset = block_offset_;
  std::string_view rest = record;
  bool first = true;
  do {  // An empty record is written as well.
    DCHECK_OP(offset, <, kLogBlockSize);
    const uint64_t left = kLogBlockSize - offset;
    if (left < kLogHeaderSize) {
      buffer_.append(left, '\0');
      offset = 0;
      continue;
    }
    const uint64_t taken = std::min<uint64_t>(rest.size(), left - kLogHeaderSize);
    AppendLogRecord(&buffer_, TypeOf(first, taken == rest.size()), rest.substr(0, taken));
    rest.remove_prefix(taken);
    offset = (offset + kLogHeaderSize + taken) % kLogBlockSize;
    first = false;
  } while (first || !rest.empty());

  DCHECK_OP((block_offset_ + buffer_.size()) % kLogBlockSize, ==, offset);
  failed_ = file_->Append(buffer_);
  if (buffer_.capacity() > kKeptBufferBytesMax) buffer_ = {};
  if (failed_.ok()) block_offset_ = offset;
  return failed_;
}

Status LogWriter::Sync() {
  CHECK(!closed_);
  if (failed_.ok()) failed_ = file_->Sync();
  return failed_;
}

Status LogWriter::Close() {
  CHECK(!closed_);
  closed_ = true;
  const Status closed = file_->Close();  // In any case: the descriptor must be closed.
  if (failed_.ok()) failed_ = closed;
  return failed_;
}

}  // namespace varve
