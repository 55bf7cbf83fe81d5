// SPDX-License-Identifier: Apache-2.0
#include "cli/table_loader.h"

#include "core/base/try.h"

namespace varve::cli {

TableLoader::TableLoader(ColumnFamilyOptions options, Environment env, std::string prefix)
    : options_(std::move(options)), env_(env), prefix_(std::move(prefix)) {}

Status TableLoader::Add(std::string_view key, std::string_view value) {
  if (!writer_) {
    if (!paths_.empty() && options_.comparator->Compare(last_key_, key) >= 0) {
      return Status::InvalidArgument("keys must ascend");
    }
    paths_.push_back(prefix_ + std::to_string(paths_.size()) + ".sst");
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

Status TableLoader::Finish() { return writer_ ? FinishTable() : Status::Ok(); }

}  // namespace varve::cli
