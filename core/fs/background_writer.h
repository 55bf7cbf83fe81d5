// SPDX-License-Identifier: Apache-2.0
// BackgroundWriter writes full buffers on an executor thread while the next one is being filled.
// Copying a table into the page cache takes a good part of the time of building it, so a second
// processor helps.
//
//   Append --copy--> | being filled | --full--> Pipe --> file
//
// A later call, at the latest Sync() or Close(), returns the error of a failed write; nothing is
// written after it. The destructor waits for the writes and drops the current buffer. One thread.
#pragma once

#include <memory>
#include <string>

#include "core/base/threads/pipe.h"
#include "varve/environment.h"
#include "varve/file_system.h"

namespace varve {

class BackgroundWriter final : public WritableFile {
 public:
  static constexpr size_t kBufferBytes = 512 << 10;

  BackgroundWriter(std::unique_ptr<WritableFile> file, Executor* executor, Executor::Lane lane)
      : file_(std::move(file)),
        pipe_(executor, lane, [this](const std::string& bytes) { return file_->Append(bytes); }) {}

  Status Append(std::string_view bytes) override;
  Status Sync() override;
  Status Close() override;
  uint64_t size() const override { return size_; }
  const std::string& path() const override { return file_->path(); }

 private:
  Status Drain();

  const std::unique_ptr<WritableFile> file_;
  uint64_t size_ = 0;
  Pipe<std::string> pipe_;  // Declared last: uses the file until it is destroyed.
};

}  // namespace varve
