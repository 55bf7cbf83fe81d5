// SPDX-License-Identifier: Apache-2.0
#include "core/c/live_files.h"

#include "core/base/try.h"
#include "core/format/file_name.h"

namespace varve::c {

std::string NameOf(const LiveFile& file) { return TableFileName(file.number); }

Result<std::vector<DirectoryEntry>> LogsIn(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(std::vector<DirectoryEntry> entries, fs.List(directory));
  std::erase_if(entries, [](const DirectoryEntry& entry) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    return !name || name->kind != FileKind::kWal;
  });
  return entries;
}

namespace {

const rocksdb_livefiles_t::File& At(const rocksdb_livefiles_t* list, int index) {
  return list->files[static_cast<size_t>(index)];
}

const char* Bytes(const std::string& key, size_t* size) {
  *size = key.size();
  return key.data();
}

}  // namespace
}  // namespace varve::c

using varve::c::At;

extern "C" {

const rocksdb_livefiles_t* rocksdb_livefiles(rocksdb_t* db) {
  auto list = std::make_unique<rocksdb_livefiles_t>();
  for (const varve::FamilyInfo& family : db->db->Families()) {
    auto files = db->db->LiveFiles(family.id);
    if (!files.ok()) continue;  // Dropped meanwhile.
    for (varve::LiveFile& file : *files) {
      list->files.push_back({family.name, "/" + varve::c::NameOf(file), std::move(file), db->path});
    }
  }
  return list.release();
}

void rocksdb_livefiles_destroy(const rocksdb_livefiles_t* list) { delete list; }

int rocksdb_livefiles_count(const rocksdb_livefiles_t* list) {
  return static_cast<int>(list->files.size());
}
const char* rocksdb_livefiles_column_family_name(const rocksdb_livefiles_t* list, int index) {
  return At(list, index).family.c_str();
}
const char* rocksdb_livefiles_name(const rocksdb_livefiles_t* list, int index) {
  return At(list, index).name.c_str();
}
int rocksdb_livefiles_level(const rocksdb_livefiles_t* list, int index) {
  return At(list, index).file.level;
}
size_t rocksdb_livefiles_size(const rocksdb_livefiles_t* list, int index) {
  return At(list, index).file.size;
}
const char* rocksdb_livefiles_smallestkey(const rocksdb_livefiles_t* list, int index,
                                          size_t* size) {
  return varve::c::Bytes(At(list, index).file.smallest_key, size);
}
const char* rocksdb_livefiles_largestkey(const rocksdb_livefiles_t* list, int index, size_t* size) {
  return varve::c::Bytes(At(list, index).file.largest_key, size);
}
uint64_t rocksdb_livefiles_entries(const rocksdb_livefiles_t* list, int index) {
  return At(list, index).file.entries;
}
uint64_t rocksdb_livefiles_deletions(const rocksdb_livefiles_t* list, int index) {
  return At(list, index).file.deletions;
}

}  // extern "C"
