// SPDX-License-Identifier: Apache-2.0
#include "core/fs/durable.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/try.h"

namespace varve {
namespace {

Status WriteSynced(FileSystem& fs, const std::string& path, std::string_view contents) {
  ASSIGN_OR_RETURN(const auto file, fs.Create(path, /*direct=*/false));
  RETURN_IF_ERROR(file->Append(contents));
  RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

}  // namespace

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status ReplaceFileDurably(FileSystem& fs, const std::string& temporary, const std::string& path,
                          std::string_view contents) {
  RETURN_IF_ERROR(WriteSynced(fs, temporary, contents));
  return RenameFileDurably(fs, temporary, path);
}

Status PrepareFileDurably(FileSystem& fs, const std::string& temporary, std::string_view contents) {
  RETURN_IF_ERROR(WriteSynced(fs, temporary, contents));
  return fs.SyncDirectory(DirectoryOf(temporary));
}

Status RenameFileDurably(FileSystem& fs, const std::string& temporary, const std::string& path) {
  RETURN_IF_ERROR(fs.Rename(temporary, path));
  return fs.SyncDirectory(DirectoryOf(path));
}

Status SyncDirectory(FileSystem& fs, const std::string& directory) {
  return fs.SyncDirectory(directory);
}

Status SyncNameOfDirectory(FileSystem& fs, const std::string& directory, bool was_there) {
  std::string path = directory;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::string name = path.substr(path.rfind('/') + 1);
  const bool has_name = !name.empty() && name != "." && name != "..";
  Status synced = fs.SyncDirectory(has_name ? DirectoryOf(path) : path + "/..");
  if (!was_there) return synced;
  synced.Ignore("the directory is older: its name is not this caller's to sync");
  return Status::Ok();
}

Status PublishDirectory(FileSystem& fs, const std::string& temporary, const std::string& path) {
  RETURN_IF_ERROR(fs.SyncDirectory(temporary));
  RETURN_IF_ERROR(fs.Rename(temporary, path));
  Status lasting = fs.SyncDirectory(DirectoryOf(path));
  if (!lasting.ok()) fs.Rename(path, temporary).Ignore("then it is there, complete");
  return lasting;
}

void RemoveObsoleteFile(FileSystem& fs, const std::string& path) {
  fs.Remove(path).Ignore("garbage either way; the next open tries again");
}

void RemoveFolders(FileSystem& fs, const std::string& directory) {
  // Deeper ones are not of the engine; an explicit stack, since anybody may have made them.
  constexpr size_t kDepthMax = 4;
  if (fs.Remove(directory).ok()) return;  // A symbolic link, or no directory.
  std::vector<std::pair<std::string, size_t>> folders = {{directory, 0}};
  for (size_t i = 0; i < folders.size(); ++i) {
    const auto [folder, depth] = folders[i];
    const Result<std::vector<DirectoryEntry>> entries = fs.List(folder);
    if (!entries.ok()) continue;
    for (const DirectoryEntry& entry : *entries) {
      const std::string path = folder + "/" + entry.name;
      if (!entry.is_directory) {
        RemoveObsoleteFile(fs, path);
      } else if (fs.Remove(path).ok()) {
        continue;  // A symbolic link to a directory: what is behind it stays.
      } else if (depth + 1 < kDepthMax) {
        folders.emplace_back(path, depth + 1);
      }
    }
  }
  for (size_t i = folders.size(); i > 0; --i) {
    fs.RemoveDirectory(folders[i - 1].first).Ignore("the next opening tries again");
  }
}

}  // namespace varve
