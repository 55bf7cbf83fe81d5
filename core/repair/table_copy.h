// SPDX-License-Identifier: Apache-2.0
// TableCopy writes the tables made by salvage and repair: entries keep their sequences and types,
// and properties are copied from the original as far as they could be read.
#pragma once

#include <memory>
#include <string>

#include "core/format/manifest/file_description.h"
#include "core/inspect/salvage/salvage.h"
#include "core/table/write/table_builder.h"
#include "varve/environment.h"

namespace varve {

class TableCopy : public SalvageSink {
 public:
  // No file is created before the first entry.
  TableCopy(const Environment& env, std::string path) : env_(env), path_(std::move(path)) {}
  ~TableCopy() override;  // An unfinished file is removed.

  Status Begin(const SalvageOrigin& origin) override;
  Status Add(const InternalKey& key, std::string_view value) override;
  Status AddRangeDeletion(std::string_view begin, std::string_view end, Sequence sequence) override;

  // Nothing was added: there is no file, and Finish() must not be called.
  bool empty() const { return builder_ == nullptr; }
  // Completes and syncs the file. Requires that it is not empty.
  Status Finish();
  // Bytes so far.
  uint64_t size() const { return builder_ == nullptr ? 0 : builder_->file_size(); }
  // After Finish(): everything except number, epoch and path.
  FileDescription Description() const;

 private:
  Status Open();

  const Environment& env_;
  const std::string path_;
  SalvageOrigin origin_;
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<TableBuilder> builder_;
  bool finished_ = false;
};

}  // namespace varve
