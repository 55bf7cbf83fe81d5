// SPDX-License-Identifier: Apache-2.0
// ForwardingFile passes every call on to another file. A test derives from it and overrides what it
// wants to see, or to fail; forwarding_fs.h is the same for file systems.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "varve/file_system.h"

namespace varve {

class ForwardingFile : public WritableFile {
 public:
  explicit ForwardingFile(std::unique_ptr<WritableFile> base) : base_(std::move(base)) {}

  Status Append(std::string_view bytes) override { return base_->Append(bytes); }
  Status Sync() override { return base_->Sync(); }
  Status Close() override { return base_->Close(); }
  uint64_t size() const override { return base_->size(); }
  const std::string& path() const override { return base_->path(); }

 private:
  const std::unique_ptr<WritableFile> base_;
};

}  // namespace varve
