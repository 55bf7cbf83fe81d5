// SPDX-License-Identifier: Apache-2.0
#include "core/fs/background_writer.h"

#include "core/base/try.h"

namespace varve {

Status BackgroundWriter::Append(std::string_view bytes) {
  size_ += bytes.size();
  // A full buffer is exactly full, however the bytes come: it never has to grow.
  pipe_.buffer().reserve(kBufferBytes);
  while (bytes.size() >= kBufferBytes - pipe_.buffer().size()) {
    const size_t fits = kBufferBytes - pipe_.buffer().size();
    pipe_.buffer().append(bytes.substr(0, fits));
    bytes.remove_prefix(fits);
    RETURN_IF_ERROR(pipe_.HandOver());
    pipe_.buffer().reserve(kBufferBytes);
  }
  pipe_.buffer().append(bytes);
  return Status::Ok();
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
