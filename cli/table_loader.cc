// SPDX-License-Identifier: Apache-2.0
#include "cli/table_loader.h"

#include "core/base/try.h"

namespace varve::cli {

TableLoader::TableLoader(DB& db, ColumnFamilyId family, ColumnFamilyOptions options,
                         Environment env, std::string directory)
    : db_(db),
      family_(family),
      options_(std::move(options)),
      env_(env),
      directory_(std::move(directory)) {}

Status TableLoader::Add(std::string_view key, std::string_view value) {
  if (!writer_) {
    if (!paths_.empty() && options_.comparator->Compare(last_key_, key) >= 0) {
      return Status::InvalidArgument("keys must ascend");
    }
    paths_.push_back(directory_ + "/" + std::to_string(family_) + "-" +
                     std::to_string(paths_.size()) + ".sst");
    ASSIGN_OR_RETURN(SstFileWriter writer, SstFileWriter::Create(env_, options_, paths_.back()));
    writer_.emplace(std::move(writer));
  }
  RETURN_IF_ERROR(writer_->Put(key, value));
  ++records_;
  if (writer_->file_size() < options_.target_file_size_base) return Status::Ok();
  last_key_ = key;
  return FinishTable();
}

Status TableLoader::FinishTable() {
  RETURN_IF_ERROR(writer_->Finish());
  bytes_ += writer_->file_size();
  writer_.reset();
  return Status::Ok();
}

Status TableLoader::Finish() {
  if (writer_) RETURN_IF_ERROR(FinishTable());
  if (paths_.empty()) return Status::Ok();
  return db_.Ingest({.move_files = true}, paths_, family_);
}

}  // namespace varve::cli
