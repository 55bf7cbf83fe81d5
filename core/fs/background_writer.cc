// SPDX-License-Identifier: Apache-2.0
#include "core/fs/background_writer.h"

#include "core/base/check.h"
#include "core/base/try.h"

namespace varve {

Status BackgroundWriter::Append(std::string_view bytes) {
  size_ += bytes.size();
  // Fills each buffer exactly, so that it never has to grow.
  while (true) {
    std::string& buffer = pipe_.buffer();
    CHECK_OP(buffer.size(), <, kBufferBytes);
    buffer.reserve(kBufferBytes);
    const std::string_view part = bytes.substr(0, kBufferBytes - buffer.size());
    buffer.append(part);
    if (buffer.size() < kBufferBytes) return Status::Ok();
    RETURN_IF_ERROR(pipe_.HandOver());
    bytes.remove_prefix(part.size());
  }
}

Status BackgroundWriter::Drain() {
  if (!pipe_.buffer().empty()) RETURN_IF_ERROR(pipe_.HandOver());
  return pipe_.Drain();
}

Status BackgroundWriter::Sync() {
  RETURN_IF_ERROR(Drain());
  return file_->Sync();
}

Status BackgroundWriter::Close() {
  RETURN_IF_ERROR(Drain());
  return file_->Close();
}

}  // namespace varve
