// SPDX-License-Identifier: Apache-2.0
// FileSystem is the interface between the engine and the storage of its files. Paths are opaque
// strings with '/' between components. Implementations must not throw (the engine is compiled
// without exceptions) and are thread-safe; the files they return are used by one thread, except
// RandomAccessFile, whose const methods any number of threads may call.
//
// Every Status names the path and the error of the system.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "varve/export.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve {

// One of several reads submitted together (RandomAccessFile::ReadMany()); `result` and `status` are
// filled in.
struct ReadRequest {
  uint64_t offset = 0;           // In the file, in bytes.
  size_t size = 0;               // How many bytes to read.
  char* buffer = nullptr;        // At least `size` bytes (see RandomAccessFile::alignment()).
  std::string_view result = {};  // What was read: shorter than `size` only at the end of the file.
  Status status = {};            // Ok, or why the read failed.
};

// Reads parts of one file in the background, into two buffers of its own: one is filled while the
// other is used. One thread at a time; the file must outlive it.
class VARVE_EXPORT ReadStream {
 public:
  // Waits for running reads.
  virtual ~ReadStream() = default;
  virtual size_t capacity() const = 0;  // Size of each buffer in bytes.
  virtual size_t headroom() const = 0;  // Bytes that may be written in front of the read bytes.
  // Starts to fill buffer 0 or 1, which must not be in use by a read. Offset and size are multiples
  // of the file's alignment, size is at most the capacity.
  virtual void Start(int buffer, uint64_t offset, size_t size) = 0;
  // Waits for the read and returns its bytes, valid until the buffer is started again. Shorter than
  // asked only at the end of the file.
  virtual Result<std::string_view> Wait(int buffer) = 0;
  virtual char* data(int buffer) = 0;  // Where Wait()'s bytes are.
};

// A file open for random reads. Any number of threads may call its functions at once.
class VARVE_EXPORT RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;  // Closes it. No read may be under way.
  // Reads up to `size` bytes at `offset` into `buffer` (or returns bytes that the file owns, e.g.
  // mapped memory, valid while the file is open). Shorter than asked only at the end of the file.
  virtual Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const = 0;
  // Submits all requests at once and waits for them; by default one after the other.
  // Defined here for the reason given at Comparator::FindShortestSeparator().
  virtual void ReadMany(std::span<ReadRequest> requests) const {
    for (ReadRequest& request : requests) {
      Result<std::string_view> bytes = Read(request.offset, request.size, request.buffer);
      request.status = bytes.status();
      request.result = bytes.ok() ? *bytes : std::string_view();
    }
  }
  // Null where reading in the background does not help: in memory, or where the system reads ahead.
  virtual std::unique_ptr<ReadStream> NewReadStream() const { return nullptr; }
  // Bytes in the file now.
  virtual Result<uint64_t> Size() const = 0;
  // 1, or the alignment that direct I/O requires of offset, size and buffer. The engine then reads
  // the whole blocks around the bytes that it needs.
  virtual size_t alignment() const { return 1; }
  // File descriptor, for reading from many files in one submission; -1 if there is none.
  virtual int descriptor() const { return -1; }
  // The path it was opened with. Valid while the file is.
  virtual const std::string& path() const = 0;
};

// A new file, written sequentially. One thread at a time. kNoSpace if the device is full; kIoError
// for other failures.
class VARVE_EXPORT WritableFile {
 public:
  virtual ~WritableFile() = default;  // Closes it, if Close() was not called; syncs nothing.
  // Passes the bytes to the operating system (they survive a crash of the process).
  virtual Status Append(std::string_view bytes) = 0;
  // The bytes are on stable storage when this returns. After a failure the file must not be written
  // or synced again.
  virtual Status Sync() = 0;
  // Nothing can be written after this. Does not sync. A second call does nothing.
  virtual Status Close() = 0;
  // Bytes appended so far.
  virtual uint64_t size() const = 0;
  // The path it was created with. Valid while the file is.
  virtual const std::string& path() const = 0;
};

// A file without a name: see FileSystem::CreateScratch().
struct ScratchFile {
  std::unique_ptr<WritableFile> writer;            // Appends to it.
  std::shared_ptr<const RandomAccessFile> reader;  // Sees everything appended so far.
};

// A lock that FileSystem::Lock() took.
class VARVE_EXPORT FileLock {
 public:
  virtual ~FileLock() = default;  // Releases it.
};

// What FileSystem::List() finds.
struct DirectoryEntry {
  std::string name;           // Within the directory: no path.
  uint64_t size = 0;          // Bytes; 0 for a directory.
  bool is_directory = false;  // False: a file.
};

// Stores the files of databases: Environment::file_system. Thread-safe. Must outlive every DB that
// uses it and every file that it opened.
//
// kNotFound: the file, or a directory of its path, does not exist. kNoSpace: no room for data or
// names. kIoError: any other failure.
class VARVE_EXPORT FileSystem {
 public:
  virtual ~FileSystem() = default;  // No file or lock of it may be in use.

  // Opens an existing file. `direct`: bypass the page cache (O_DIRECT) where the file system
  // supports it.
  virtual Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                                bool direct) = 0;
  // Creates or truncates. `direct` files buffer until a whole aligned block is available.
  virtual Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) = 0;

  // A temporary file outside every database (POSIX: in $TMPDIR or /tmp). Its space is freed when
  // writer and reader are gone, however the process ends. kNotSupported where this is not possible.
  virtual Result<ScratchFile> CreateScratch() {
    return Status::NotSupported("no temporary files here");
  }

  virtual Result<uint64_t> FileSize(const std::string& path) = 0;  // Bytes; kNotFound if absent.
  virtual bool Exists(const std::string& path) = 0;                // A file or directory.
  // Files and directories directly in `directory`, unsorted, with sizes.
  virtual Result<std::vector<DirectoryEntry>> List(const std::string& directory) = 0;

  virtual Status CreateDirectory(const std::string& path) = 0;  // Ok if it is already there.
  virtual Status Remove(const std::string& path) = 0;           // A file.
  virtual Status RemoveDirectory(const std::string& path) = 0;  // Must be empty.
  // Atomic; a file that is at `to` is replaced.
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  virtual Status Link(const std::string& existing, const std::string& name) = 0;  // Hard link.
  // Makes the file `size` bytes long.
  virtual Status Truncate(const std::string& path, uint64_t size) = 0;
  // The names in the directory are on stable storage when this returns.
  virtual Status SyncDirectory(const std::string& directory) = 0;
  // The bytes of a file that another program may have written are on stable storage when this
  // returns.
  virtual Status SyncFile(const std::string& path) = 0;

  // Locks the file `path`, which is created if necessary and never removed. Excludes other
  // processes and other locks of this process; kBusy if it is locked.
  virtual Result<std::unique_ptr<FileLock>> Lock(const std::string& path) = 0;
  // Whether the lock is held by anyone. False if that cannot be determined.
  virtual bool IsLocked(const std::string& path) {
    static_cast<void>(path);
    return false;
  }
};

// Reads the whole file. kCorruption if it is larger than `limit` bytes, which bounds the memory
// that a hostile file can make us allocate.
VARVE_EXPORT Result<std::string> ReadFileToString(FileSystem& fs, const std::string& path,
                                                  uint64_t limit);

}  // namespace varve
