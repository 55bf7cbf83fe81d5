// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/table_in_order.h"

#include <memory>
#include <utility>

#include "core/base/try.h"
#include "core/engine/jobs/table_candidate.h"
#include "core/table/read/table_reader.h"
#include "varve/comparator.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

// Whatever its comparator: it is only read from its first entry to its last.
Result<std::unique_ptr<TableReader>> OpenTable(FileSystem& fs, const std::string& source) {
  TableReaderOptions options;
  ASSIGN_OR_RETURN(options.expected_size, fs.FileSize(source));
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file,
                   fs.OpenForRead(source, /*direct=*/false));
  return TableReader::Open(std::move(file), options);
}

Status AddEntry(const std::string& source, const InternalKey& key, std::string_view value,
                SstFileWriter* writer) {
  switch (key.type) {
    case ValueType::kValue:
      return writer->Put(key.user_key, value);
    case ValueType::kDeletion:
      return writer->Delete(key.user_key);
    case ValueType::kMerge:
      return writer->Merge(key.user_key, value);
    default:
      return Status::NotSupported(source + ": " + DebugString(key) +
                                  " cannot be copied into the order of another comparator");
  }
}

}  // namespace

Result<bool> HasOtherComparator(FileSystem& fs, const std::string& source,
                                const ColumnFamilyOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TableReader> table, OpenTable(fs, source));
  return table->comparator_name() != options.comparator->name();
}

Status CopyInOrder(const Environment& env, const std::string& source, const std::string& path,
                   const ColumnFamilyOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TableReader> table, OpenTable(*env.file_system, source));
  RETURN_IF_ERROR(CheckMadeForIngestion(*table, source));
  ASSIGN_OR_RETURN(SstFileWriter writer, SstFileWriter::Create(env, options, path));
  const std::unique_ptr<InternalIterator> it = table->NewIterator({.fill_cache = false});
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    RETURN_IF_ERROR(AddEntry(source, it->key(), it->value(), &writer));
  }
  RETURN_IF_ERROR(it->status());
  for (const RangeTombstone& tombstone : table->RawTombstones()) {
    RETURN_IF_ERROR(writer.DeleteRange(tombstone.begin, tombstone.end));
  }
  return writer.Finish();
}

}  // namespace varve
