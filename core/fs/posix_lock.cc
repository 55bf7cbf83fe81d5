// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/fs/file_descriptor.h"
#include "core/fs/posix_error.h"
#include "core/fs/process_locks.h"

namespace varve {
namespace {

using FileId = std::pair<dev_t, ino_t>;

struct flock WholeFile() {
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;  // Start 0, length 0: the whole file, whatever its size.
  return whole;
}

// By fcntl(2): 0, or -1 and errno.
int SetLock(const FileDescriptor& fd, short type) {
  struct flock whole = WholeFile();
  whole.l_type = type;
#ifdef F_OFD_SETLK
  const int done = ::fcntl(fd.get(), F_OFD_SETLK, &whole);
  if (done == 0 || errno != EINVAL) return done;
#endif
  return ::fcntl(fd.get(), F_SETLK, &whole);
}

enum class Holder : uint8_t { kNobody, kThisProcess, kOther };

// Who has a lock on an open file. An open file description asks (F_OFD_GETLK), which sees the
// record locks of this process, too. /proc/locks, which takes 10 ms to read, is read only if there
// is a lock.
Holder HolderOf(const FileDescriptor& fd, ino_t inode) {
#ifdef F_OFD_GETLK
  struct flock whole = WholeFile();
  if (::fcntl(fd.get(), F_OFD_GETLK, &whole) == 0) {
    if (whole.l_type == F_UNLCK) return Holder::kNobody;
    // Several may have it to read, of which this tells one.
    const bool ours = whole.l_pid == ::getpid() || ProcessHasPosixLock(inode);
    return ours ? Holder::kThisProcess : Holder::kOther;
  }
#endif
  if (ProcessHasPosixLock(inode)) return Holder::kThisProcess;
  struct flock of_others = WholeFile();
  const bool locked = ::fcntl(fd.get(), F_GETLK, &of_others) == 0 && of_others.l_type != F_UNLCK;
  return locked ? Holder::kOther : Holder::kNobody;
}

// What this process has locked, by Varve or by another library in it. close(2) of any descriptor of
// such a file would release a record lock.
class LockTable {
 public:
  // One file is locked, released or looked at at a time: closing a descriptor of it between another
  // thread's opening and locking would release a record lock.
  Mutex& mutex() RETURN_CAPABILITY(mutex_) { return mutex_; }

  // Whether Varve has the lock: such a file must not be opened.
  bool Has(FileId id) const REQUIRES(mutex_) { return ours_.contains(id); }
  void Add(FileId id, FileDescriptor fd) REQUIRES(mutex_) {
    const bool added = ours_.emplace(id, std::move(fd)).second;
    CHECK(added);
  }
  void Release(FileId id) REQUIRES(mutex_) {
    const auto ours = ours_.find(id);
    CHECK(ours != ours_.end());
    // A child that was made without the handlers below may share the description.
    SetLock(ours->second, F_UNLCK);
    ours_.erase(ours);
  }

  // Keeps a descriptor open for as long as another library has the lock.
  void Keep(FileId id, FileDescriptor fd) REQUIRES(mutex_) { kept_.emplace(id, std::move(fd)); }
  // Whether another library still has the lock of a file whose descriptor is kept; else closes it.
  bool IsKept(FileId id) REQUIRES(mutex_) {
    const auto kept = kept_.find(id);
    if (kept == kept_.end()) return false;
    if (HolderOf(kept->second, id.second) == Holder::kThisProcess) return true;
    kept_.erase(id);
    return false;
  }

  // Locks stay with the process that took them.
  void Forget() REQUIRES(mutex_) {
    ours_.clear();
    kept_.clear();
  }

 private:
  Mutex mutex_;
  std::map<FileId, FileDescriptor> ours_ GUARDED_BY(mutex_);
  std::multimap<FileId, FileDescriptor> kept_ GUARDED_BY(mutex_);
};

LockTable& Locks();

// Around fork(2), so that a child finds the table whole, and empties it.
void BeforeFork() ACQUIRE(Locks().mutex()) { Locks().mutex().Lock(); }
void InParent() RELEASE(Locks().mutex()) { Locks().mutex().Unlock(); }
void InChild() RELEASE(Locks().mutex()) {
  Locks().Forget();
  Locks().mutex().Unlock();
}

// Never destroyed: a database may be closed by the destructor of a global.
LockTable& Locks() {
  static LockTable& table = *[] {
    const int error = ::pthread_atfork(&BeforeFork, &InParent, &InChild);
    CHECK_OP(error, ==, 0, "there is memory for three pointers");
    return std::make_unique<LockTable>().release();
  }();
  return table;
}

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(FileId id) : id_(id) {}
  ~PosixFileLock() override {
    if (owner_ != ::getpid()) return;  // A copy of fork(2).
    LockTable& locks = Locks();
    MutexLock lock(locks.mutex());
    locks.Release(id_);
  }

 private:
  const FileId id_;
  const pid_t owner_ = ::getpid();
};

// Its id, or nothing if there is no such file.
std::optional<FileId> IdOf(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileId(info.st_dev, info.st_ino);
}

}  // namespace

Result<std::unique_ptr<FileLock>> LockPosixFile(const std::string& path) {
  LockTable& locks = Locks();
  MutexLock lock(locks.mutex());
  const std::optional<FileId> there = IdOf(path);
  if (there && locks.Has(*there)) {
    return Status::Busy(path + ": locked by this process already");
  }
  const std::string by_other_library = path + ": locked by another library in this process";
  if (there && locks.IsKept(*there)) return Status::Busy(by_other_library);
  const StandardDescriptorsTaken taken;  // Else a duplicate would be made, and this one closed.
  ASSIGN_OR_RETURN(FileDescriptor fd, FileDescriptor::Open(path, O_RDWR | O_CREAT));
  struct stat info = {};
  if (::fstat(fd.get(), &info) != 0) return PosixError(path, "fstat", errno);
  const FileId id(info.st_dev, info.st_ino);
  if (HolderOf(fd, info.st_ino) == Holder::kThisProcess) {
    locks.Keep(id, std::move(fd));
    return Status::Busy(by_other_library);
  }
  if (SetLock(fd, F_WRLCK) != 0) {
    if (errno == EACCES || errno == EAGAIN) {
      return Status::Busy(path + ": locked by another process");
    }
    return PosixError(path, "fcntl(F_SETLK)", errno);
  }
  locks.Add(id, std::move(fd));
  return std::unique_ptr<FileLock>(std::make_unique<PosixFileLock>(id));
}

bool IsPosixFileLocked(const std::string& path) {
  LockTable& locks = Locks();
  MutexLock lock(locks.mutex());
  const std::optional<FileId> there = IdOf(path);
  if (!there) return false;
  if (locks.Has(*there) || locks.IsKept(*there)) return true;
  const StandardDescriptorsTaken taken;
  Result<FileDescriptor> fd = FileDescriptor::Open(path, O_RDONLY);
  if (!fd.ok()) return false;
  const Holder holder = HolderOf(*fd, there->second);
  if (holder == Holder::kThisProcess) locks.Keep(*there, *std::move(fd));
  return holder != Holder::kNobody;
}

}  // namespace varve
