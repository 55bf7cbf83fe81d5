// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_copy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/fs/buffered_writer.h"
#include "core/fs/durable.h"
#include "core/table/point/point_index_builder.h"

namespace varve {
namespace {

CompressionType CodecOf(const std::string& property) {
  constexpr std::array<std::pair<std::string_view, CompressionType>, 7> kNames = {
      {{"Snappy", CompressionType::kSnappy},
       {"ZSTD", CompressionType::kZstd},
       {"LZ4HC", CompressionType::kLz4hc},
       {"LZ4", CompressionType::kLz4},
       {"Zlib", CompressionType::kZlib},
       {"BZip2", CompressionType::kBzip2},
       {"ZSTDNotFinal", CompressionType::kZstd}}};
  for (const auto& [name, codec] : kNames) {
    if (property == name) return codec;
  }
  // format_version 7: "BuiltinV2;07;".
  const size_t semicolon = property.find(';');
  if (semicolon == std::string::npos || semicolon + 2 >= property.size()) {
    return CompressionType::kNone;
  }
  const auto number = std::strtoul(property.substr(semicolon + 1, 2).c_str(), nullptr, 16);
  return number <= 7 && number != 6 ? static_cast<CompressionType>(number) : CompressionType::kNone;
}

TableOptions OptionsLike(const SalvageOrigin& origin) {
  TableOptions options;
  options.format_version = std::clamp<uint32_t>(origin.format_version, 2, 7);
  if (origin.format_version < 2) options.format_version = TableOptions().format_version;
  if (origin.checksum != ChecksumType::kNone) options.checksum = origin.checksum;
  options.compression = CodecOf(origin.properties.compression);
  if (origin.shape) {
    // Blocks that compression does not shrink are stored raw: the first may be one of them.
    if (options.compression == CompressionType::kNone) {
      options.compression = origin.shape->compression;
    }
    options.block_size = origin.shape->block_size;
    options.block_restart_interval = origin.shape->restart_interval;
  }
  if (origin.properties.filter_policy.empty()) options.filter = FilterKind::kNone;
  options.point_index = PointIndexLike(origin.properties);
  return options;
}

TableOrigin OriginLike(const SalvageOrigin& origin, Random& random) {
  const TableProperties& p = origin.properties;
  TableOrigin copy;
  copy.family_id = static_cast<ColumnFamilyId>(p.family_id);
  if (!p.family_name.empty()) copy.family_name = p.family_name;
  if (!p.merge_operator.empty()) copy.merge_operator = p.merge_operator;
  copy.creation_time = p.creation_time;
  copy.oldest_key_time = p.oldest_key_time;
  copy.file_creation_time = p.file_creation_time;
  copy.for_ingestion = origin.for_ingestion;
  while (copy.base_context_checksum == 0) {
    copy.base_context_checksum = static_cast<uint32_t>(random.Next64());
  }
  return copy;
}

}  // namespace

TableCopy::~TableCopy() {
  if (builder_ != nullptr && !finished_) RemoveObsoleteFile(*env_.file_system, path_);
}

Status TableCopy::Begin(const SalvageOrigin& origin) {
  if (origin.comparator == nullptr) {
    return UnknownOrder("the table", origin.comparator_name);
  }
  origin_ = origin;
  return Status::Ok();
}

Status TableCopy::Open() {
  CHECK(!finished_);
  if (builder_ != nullptr) return Status::Ok();
  CHECK(origin_.comparator != nullptr, "Begin() was called");
  ASSIGN_OR_RETURN(auto file, env_.file_system->Create(path_, /*direct=*/false));
  file_ = std::make_unique<BufferedWriter>(std::move(file));
  builder_ = std::make_unique<TableBuilder>(OptionsLike(origin_), *origin_.comparator,
                                            OriginLike(origin_, *env_.random), file_.get());
  return Status::Ok();
}

Status TableCopy::Add(const InternalKey& key, std::string_view value) {
  RETURN_IF_ERROR(Open());
  return builder_->Add(key, value);
}

Status TableCopy::AddRangeDeletion(std::string_view begin, std::string_view end,
                                   Sequence sequence) {
  RETURN_IF_ERROR(Open());
  return builder_->AddRangeTombstone(begin, end, sequence);
}

Status TableCopy::Finish() {
  CHECK(!empty() && !finished_);
  RETURN_IF_ERROR(builder_->Finish());
  RETURN_IF_ERROR(file_->Sync());
  RETURN_IF_ERROR(file_->Close());
  finished_ = true;
  const size_t slash = path_.rfind('/');
  return SyncDirectory(*env_.file_system,
                       slash == std::string::npos ? std::string(".") : path_.substr(0, slash));
}

FileDescription TableCopy::Description() const {
  CHECK(finished_);
  FileDescription description;
  description.size = builder_->file_size();
  description.smallest = builder_->smallest();
  description.largest = builder_->largest();
  description.smallest_sequence = builder_->smallest_sequence();
  description.largest_sequence = builder_->largest_sequence();
  return description;
}

}  // namespace varve
