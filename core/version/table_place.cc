// SPDX-License-Identifier: Apache-2.0
#include "core/version/table_place.h"

#include <utility>

#include "core/base/try.h"
#include "core/format/file_name.h"

namespace varve {
namespace {

Result<uint64_t> SizeOf(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(const auto file, fs.OpenForRead(path, /*direct=*/false));
  return file->Size();
}

}  // namespace

Status MissingFile(const std::string& directory, const std::string& name) {
  return Status::Corruption(JoinPath(directory, name) +
                            ": the MANIFEST names it, but it is missing");
}

Status MissingTable(const std::string& directory, const FileDescription& table) {
  const std::string name = TableFileName(table.number);
  if (table.path_id == 0) return MissingFile(directory, name);
  return Status::NotSupported(name + ": is in another of several db_paths (number " +
                              std::to_string(table.path_id) + "), which were not given");
}

TablePlaces::TablePlaces(FileSystem& fs, std::string directory,
                         const std::vector<DirectoryEntry>& entries)
    : fs_(fs), directory_(std::move(directory)) {
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name) continue;
    Entry found{entry.name, std::nullopt};
    if (!entry.is_directory) found.size = entry.size;
    if (entry.name == TableFileName(name->number)) {  // Not 12.sst, which nobody opens.
      entries_.insert_or_assign(name->number, std::move(found));
    } else if (entry.name == TableLdbFileName(name->number)) {
      entries_.try_emplace(name->number, std::move(found));
    }
  }
}

TablePlace TablePlaces::Of(const FileDescription& table) const {
  const auto found = entries_.find(table.number);
  TablePlace place;
  place.name = found == entries_.end() ? TableFileName(table.number) : found->second.name;
  if (found != entries_.end() && found->second.size == table.size) {
    place.kind = TablePlace::Kind::kThere;
    return place;
  }
  const std::string path = JoinPath(directory_, place.name);
  const Result<uint64_t> size = SizeOf(fs_, path);
  if (size.status().code() == Code::kNotFound) {
    place.kind = TablePlace::Kind::kAbsent;
    place.status = MissingTable(directory_, table);
  } else if (!size.ok()) {
    place.kind = TablePlace::Kind::kUnreadable;
    place.status = size.status();
  } else if (*size == table.size) {
    place.kind = TablePlace::Kind::kThere;
  } else {
    place.kind = TablePlace::Kind::kOtherSize;
    place.size = *size;
    place.status = Status::Corruption(path + ": has " + std::to_string(*size) +
                                      " bytes, the MANIFEST says " + std::to_string(table.size));
  }
  return place;
}

}  // namespace varve
