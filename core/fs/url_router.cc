// SPDX-License-Identifier: Apache-2.0
#include "core/fs/url_router.h"

#include <algorithm>

#include "core/base/try.h"
#include "core/fs/http/url.h"
#include "varve/url.h"

namespace varve {

void UrlRouter::Mount(const std::string& root, std::unique_ptr<FileSystem> files) {
  MutexLock lock(mu_);
  mounts_.emplace_back(root, std::move(files));
}

Result<FileSystem*> UrlRouter::Of(const std::string& path) {
  if (!IsUrl(path)) return local_.get();
  MutexLock lock(mu_);
  const auto found = std::find_if(mounts_.rbegin(), mounts_.rend(), [&](const auto& mount) {
    return IsAtOrBelow(path, mount.first);
  });
  if (found != mounts_.rend()) return found->second.get();
  return Status::InvalidArgument(path +
                                 ": only URLs that were named to this program are read, and what "
                                 "is below them");
}

Result<std::unique_ptr<RandomAccessFile>> UrlRouter::OpenForRead(const std::string& path,
                                                                 bool direct) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->OpenForRead(path, direct);
}

Result<std::unique_ptr<WritableFile>> UrlRouter::Create(const std::string& path, bool direct) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->Create(path, direct);
}

Result<uint64_t> UrlRouter::FileSize(const std::string& path) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->FileSize(path);
}

bool UrlRouter::Exists(const std::string& path) {
  const Result<FileSystem*> files = Of(path);
  return files.ok() && (*files)->Exists(path);
}

Result<std::vector<DirectoryEntry>> UrlRouter::List(const std::string& directory) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(directory));
  return files->List(directory);
}

Status UrlRouter::CreateDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->CreateDirectory(path);
}

Status UrlRouter::Remove(const std::string& path) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->Remove(path);
}

Status UrlRouter::RemoveDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->RemoveDirectory(path);
}

// What changes two names: refused if either is at a URL.
Status UrlRouter::Rename(const std::string& from, const std::string& to) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(IsUrl(from) ? from : to));
  return files->Rename(from, to);
}

Status UrlRouter::Link(const std::string& existing, const std::string& name) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(IsUrl(existing) ? existing : name));
  // A copy is made instead, as between two devices.
  if (IsUrl(existing) && !IsUrl(name)) {
    return Status::NotSupported(name + ": link: " + existing + " is at a URL");
  }
  return files->Link(existing, name);
}

Status UrlRouter::Truncate(const std::string& path, uint64_t size) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->Truncate(path, size);
}

Status UrlRouter::SyncDirectory(const std::string& directory) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(directory));
  return files->SyncDirectory(directory);
}

Status UrlRouter::SyncFile(const std::string& path) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->SyncFile(path);
}

Result<std::unique_ptr<FileLock>> UrlRouter::Lock(const std::string& path) {
  ASSIGN_OR_RETURN(FileSystem* const files, Of(path));
  return files->Lock(path);
}

bool UrlRouter::IsLocked(const std::string& path) {
  const Result<FileSystem*> files = Of(path);
  return files.ok() && (*files)->IsLocked(path);
}

}  // namespace varve
