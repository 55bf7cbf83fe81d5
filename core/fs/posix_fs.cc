// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "core/base/scratch_directory.h"
#include "core/base/try.h"
#include "core/fs/direct_writer.h"
#include "core/fs/file_descriptor.h"
#include "core/fs/posix_error.h"
#include "core/fs/posix_lock.h"
#if VARVE_HAVE_URING
#include "core/fs/uring.h"
#include "core/fs/uring_stream.h"
#endif

namespace varve {
namespace {

// Accepted by NVMe and older disks; larger than any logical block size in use.
constexpr size_t kDirectAlignment = 4096;

class PosixRandomAccessFile final : public RandomAccessFile {
 public:
  PosixRandomAccessFile(std::string path, FileDescriptor fd, size_t alignment)
      : path_(std::move(path)), fd_(std::move(fd)), alignment_(alignment) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    return fd_.ReadAt(path_, offset, size, buffer, alignment_);
  }
#if VARVE_HAVE_URING
  void ReadMany(std::span<ReadRequest> requests) const override {
    if (requests.size() < 2) return RandomAccessFile::ReadMany(requests);
    std::vector<size_t> done(requests.size());
    UringRead(fd_.get(), requests, done);
    for (size_t i = 0; i < requests.size(); ++i) Finish(done[i], &requests[i]);
  }
  std::unique_ptr<ReadStream> NewReadStream() const override {
    return alignment_ == 1 ? nullptr : NewUringStream(fd_, path_, alignment_);
  }
#endif
  Result<uint64_t> Size() const override { return fd_.Size(path_); }
  size_t alignment() const override { return alignment_; }
  int descriptor() const override { return fd_.get(); }
  const std::string& path() const override { return path_; }

 private:
#if VARVE_HAVE_URING
  // Reads the missing part: up to the requested size, the end of the file or an error.
  void Finish(size_t done, ReadRequest* request) const {
    request->status = Status::Ok();
    request->result = {request->buffer, done};
    if (done == request->size || done % alignment_ != 0) return;
    const auto rest = fd_.ReadAt(path_, request->offset + done, request->size - done,
                                 request->buffer + done, alignment_);
    request->status = rest.status();
    request->result = {request->buffer, rest.ok() ? done + rest->size() : 0};
  }
#endif

  std::string path_;
  FileDescriptor fd_;
  size_t alignment_;
};

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(std::string path, FileDescriptor fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  Status Append(std::string_view bytes) override {
    RETURN_IF_ERROR(fd_.Write(path_, bytes));
    size_ += bytes.size();
    return Status::Ok();
  }
  Status Sync() override { return fd_.Sync(path_); }
  Status Close() override { return fd_.Close(path_); }
  uint64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  std::string path_;
  FileDescriptor fd_;
  uint64_t size_ = 0;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

class PosixFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (direct) {
      Result<FileDescriptor> fd = FileDescriptor::Open(path, O_RDONLY | O_DIRECT);
      if (fd.ok()) return NewReader(path, *std::move(fd), kDirectAlignment);
      // A file system without direct I/O returns EINVAL: use the page cache instead.
    }
    ASSIGN_OR_RETURN(FileDescriptor fd, FileDescriptor::Open(path, O_RDONLY));
    return NewReader(path, std::move(fd), /*alignment=*/1);
  }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
    if (direct) {
      Result<FileDescriptor> fd = FileDescriptor::Open(path, kFlags | O_DIRECT);
      if (fd.ok()) return NewDirectWriter(path, *std::move(fd), kDirectAlignment);
      // As for reading. Other errors show in the open below.
    }
    ASSIGN_OR_RETURN(FileDescriptor fd, FileDescriptor::Open(path, kFlags));
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritableFile>(path, std::move(fd)));
  }

  Result<ScratchFile> CreateScratch() override {
    const std::string directory = ScratchDirectory();
    const std::string shown = directory + " (temporary file)";
    ASSIGN_OR_RETURN(FileDescriptor fd, FileDescriptor::OpenNameless(directory));
    ASSIGN_OR_RETURN(FileDescriptor second, fd.Duplicate(shown));
    return ScratchFile{.writer = std::make_unique<PosixWritableFile>(shown, std::move(fd)),
                       .reader = NewReader(shown, std::move(second), /*alignment=*/1)};
  }

  Result<uint64_t> FileSize(const std::string& path) override {
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0) return PosixError(path, "stat", errno);
    return static_cast<uint64_t>(info.st_size);
  }

  bool Exists(const std::string& path) override { return ::access(path.c_str(), F_OK) == 0; }

  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    ASSIGN_OR_RETURN(FileDescriptor opened, FileDescriptor::OpenDirectory(directory));
    const std::unique_ptr<DIR, CloseDirectory> handle(::fdopendir(opened.get()));
    if (handle == nullptr) return PosixError(directory, "fdopendir", errno);
    opened.Release();
    std::vector<DirectoryEntry> entries;
    errno = 0;  // Distinguishes readdir's end from an error.
    while (const dirent* found = ::readdir(handle.get())) {
      std::string name = found->d_name;
      if (name != "." && name != "..") {
        RETURN_IF_ERROR(AddEntry(::dirfd(handle.get()), directory, std::move(name), &entries));
      }
      errno = 0;
    }
    if (errno != 0) return PosixError(directory, "readdir", errno);
    return entries;
  }

  Status CreateDirectory(const std::string& path) override {
    if (::mkdir(path.c_str(), 0755) == 0) return Status::Ok();
    const int error = errno;
    struct stat info = {};
    if (error != EEXIST || ::stat(path.c_str(), &info) != 0) {
      return PosixError(path, "mkdir", error);
    }
    return S_ISDIR(info.st_mode) ? Status::Ok() : PosixError(path, "mkdir", ENOTDIR);
  }
  Status Remove(const std::string& path) override {
    return Done(::unlink(path.c_str()), path, "unlink");
  }
  Status RemoveDirectory(const std::string& path) override {
    return Done(::rmdir(path.c_str()), path, "rmdir");
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return Done(::rename(from.c_str(), to.c_str()), from + " to " + to, "rename");
  }
  Status Link(const std::string& existing, const std::string& name) override {
    // Follows symbolic links: the new name refers to the file itself.
    return Done(::linkat(AT_FDCWD, existing.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW),
                existing + " as " + name, "link");
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return Done(::truncate(path.c_str(), static_cast<off_t>(size)), path, "truncate");
  }

  Status SyncDirectory(const std::string& directory) override {
    ASSIGN_OR_RETURN(FileDescriptor fd, FileDescriptor::OpenDirectory(directory));
    return Done(::fsync(fd.get()), directory, "fsync");
  }

  Status SyncFile(const std::string& path) override {
    ASSIGN_OR_RETURN(FileDescriptor fd, FileDescriptor::Open(path, O_RDONLY | O_NONBLOCK));
    return Done(::fsync(fd.get()), path, "fsync");
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return LockPosixFile(path);
  }
  bool IsLocked(const std::string& path) override { return IsPosixFileLocked(path); }

 private:
  static std::unique_ptr<RandomAccessFile> NewReader(const std::string& path, FileDescriptor fd,
                                                     size_t alignment) {
    return std::make_unique<PosixRandomAccessFile>(path, std::move(fd), alignment);
  }

  // Files that vanished since their name was read are skipped. Broken links and files without
  // permission are listed, so that opening them reports the error: a log missing from the list
  // would not be replayed.
  static Status AddEntry(int directory, const std::string& path, std::string name,
                         std::vector<DirectoryEntry>* entries) {
    struct stat info = {};
    if (::fstatat(directory, name.c_str(), &info, 0) != 0) {
      if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
        return PosixError(path + "/" + name, "stat", errno);
      }
      if (::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return Status::Ok();
    }
    const bool is_directory = S_ISDIR(info.st_mode);
    entries->push_back({.name = std::move(name),
                        .size = is_directory ? 0 : static_cast<uint64_t>(info.st_size),
                        .is_directory = is_directory});
    return Status::Ok();
  }

  static Status Done(int result, std::string_view path, std::string_view call) {
    return result == 0 ? Status::Ok() : PosixError(path, call, errno);
  }
};

}  // namespace

std::unique_ptr<FileSystem> NewPosixFileSystem() { return std::make_unique<PosixFileSystem>(); }

}  // namespace varve
