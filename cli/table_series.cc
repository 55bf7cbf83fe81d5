// SPDX-License-Identifier: Apache-2.0
#include "cli/table_series.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/try.h"
#include "varve/comparator.h"
#include "varve/file_system.h"

namespace varve::cli {
namespace {

constexpr uint64_t kOfEntry = 16;  // Besides key and value, in a block.

}  // namespace

TableSeries::TableSeries(const Options& options, std::string directory, std::string path,
                         std::optional<uint64_t> bytes_max)
    : options_(options),
      directory_(std::move(directory)),
      path_(std::move(path)),
      bytes_max_(bytes_max) {}

std::string TableSeries::PlaceOf(size_t index) const {
  return directory_ + "/table-" + std::to_string(index + 1);
}

std::string TableSeries::NameOf(const std::string& path, bool split, size_t index) {
  if (!split) return path;
  char number[32];
  std::snprintf(number, sizeof(number), "-%05zu", index + 1);
  const size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const size_t dot = path.rfind('.');
  const size_t end = dot == std::string::npos || dot <= name ? path.size() : dot;
  return path.substr(0, end) + number + path.substr(end);
}

// A table is larger than its blocks so far: there will be a filter, and an index with a key for
// each block. Too high an estimate only makes tables smaller.
bool TableSeries::WouldExceed(std::string_view key, std::string_view value) const {
  constexpr uint64_t kOfHandle = 32, kOfRest = 4096;
  const TableOptions& table = options_.family.table;
  const uint64_t written = writer_->file_size();
  const uint64_t data = written + unwritten_ + key.size() + value.size() + kOfEntry;
  const uint64_t blocks = data / std::max<uint64_t>(table.block_size, 1) + 2;
  const uint64_t index = blocks * (std::max(longest_key_, key.size()) + kOfHandle);
  const auto filter = static_cast<uint64_t>(static_cast<double>(writer_->entries() + 1) *
                                            (table.filter_bits_per_key + 2) / 8);
  return data + index + filter + kOfRest > *bytes_max_;
}

Status TableSeries::Begin() {
  ASSIGN_OR_RETURN(SstFileWriter writer,
                   SstFileWriter::Create(options_.env, options_.family, PlaceOf(made_.size())));
  writer_.emplace(std::move(writer));
  unwritten_ = 0;
  longest_key_ = 0;
  return Status::Ok();
}

Status TableSeries::End() {
  RETURN_IF_ERROR(writer_->Finish());
  made_.push_back({NameOf(path_, bytes_max_.has_value(), made_.size()), writer_->entries(),
                   writer_->file_size()});
  writer_.reset();
  return Status::Ok();
}

Status TableSeries::Put(std::string_view key, std::string_view value) {
  const bool may_end = writer_ && bytes_max_ && writer_->entries() > 0;
  if (may_end && options_.family.comparator->Compare(last_key_, key) < 0 &&
      WouldExceed(key, value)) {
    RETURN_IF_ERROR(End());
  }
  if (!writer_) RETURN_IF_ERROR(Begin());
  const uint64_t before = writer_->file_size();
  RETURN_IF_ERROR(writer_->Put(key, value));
  const bool block_ended = writer_->file_size() != before;
  unwritten_ = (block_ended ? 0 : unwritten_) + key.size() + value.size() + kOfEntry;
  longest_key_ = std::max(longest_key_, key.size());
  last_key_.assign(key);
  return Status::Ok();
}

Status TableSeries::Finish() {
  if (writer_ && writer_->entries() > 0) RETURN_IF_ERROR(End());
  FileSystem& fs = *options_.env.file_system;
  for (const TableMade& table : made_) {
    if (fs.Exists(table.file)) return Status::InvalidArgument(table.file + " exists");
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    RETURN_IF_ERROR(fs.Rename(PlaceOf(i), made_[i].file));
  }
  return Status::Ok();
}

uint64_t TableSeries::records() const {
  uint64_t records = 0;
  for (const TableMade& table : made_) records += table.records;
  return records;
}

uint64_t TableSeries::bytes() const {
  uint64_t bytes = 0;
  for (const TableMade& table : made_) bytes += table.table_bytes;
  return bytes;
}

}  // namespace varve::cli
