// SPDX-License-Identifier: Apache-2.0
// A memory file system that writes down every mutation and fails those it is told to.
//
//   log: "create 000004.log" "append 000004.log 33" "sync 000004.log" "sync_directory db" ...
//
// Thread-safe as far as the memory file system and the judge are; the judge may be changed while
// threads of the engine mutate files, each of which asks the one that it found.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/fs/memory_fs.h"
#include "tests/forwarding_file.h"
#include "tests/forwarding_fs.h"
#include "varve/file_system.h"
#include "varve/options.h"

namespace varve {

class WatchedFs : public ForwardingFs {
 public:
  // Called before each mutation; a failure replaces it.
  using Judge = std::function<Status(const std::string& event)>;

  WatchedFs() : ForwardingFs(NewMemoryFileSystem()) {}

  void set_judge(Judge judge) {
    MutexLock lock(mutex_);
    judge_ = std::move(judge);
  }
  std::vector<std::string>& log() { return log_; }

  // Index in the log of the first event at or after `from` that starts so; the log's size if none.
  size_t Find(const std::string& start, size_t from = 0) const {
    while (from < log_.size() && log_[from].compare(0, start.size(), start) != 0) ++from;
    return from;
  }

  Status Note(const std::string& event) {
    // Asked without the lock: a judge may itself wait for other threads' mutations.
    const Judge judge = CurrentJudge();
    Status judged = judge == nullptr ? Status::Ok() : judge(event);
    MutexLock lock(mutex_);
    log_.push_back(judged.ok() ? event : "failed " + event);
    return judged;
  }
  static std::string NameOf(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
  }

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override;
  Status Remove(const std::string& path) override {
    Status judged = Note("remove " + NameOf(path));
    return judged.ok() ? ForwardingFs::Remove(path) : judged;
  }
  Status Rename(const std::string& from, const std::string& to) override {
    Status judged = Note("rename " + NameOf(from) + " " + NameOf(to));
    return judged.ok() ? ForwardingFs::Rename(from, to) : judged;
  }
  Status SyncDirectory(const std::string& directory) override {
    Status judged = Note("sync_directory " + NameOf(directory));
    return judged.ok() ? ForwardingFs::SyncDirectory(directory) : judged;
  }
  Status SyncFile(const std::string& path) override {
    Status judged = Note("sync_file " + NameOf(path));
    return judged.ok() ? ForwardingFs::SyncFile(path) : judged;
  }

 private:
  Judge CurrentJudge() {
    MutexLock lock(mutex_);
    return judge_;
  }

  Mutex mutex_;
  // Added to under the mutex. Tests look at it without, while no thread adds to it.
  std::vector<std::string> log_;
  Judge judge_ GUARDED_BY(mutex_);
};

// For a database that is made on `fs`.
inline Options OptionsOn(FileSystem* fs) {
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs;
  return options;
}

class WatchedFile final : public ForwardingFile {
 public:
  WatchedFile(WatchedFs& fs, std::unique_ptr<WritableFile> base)
      : ForwardingFile(std::move(base)), fs_(fs) {}

  Status Append(std::string_view bytes) override {
    Status judged = fs_.Note("append " + WatchedFs::NameOf(path()));
    return judged.ok() ? ForwardingFile::Append(bytes) : judged;
  }
  Status Sync() override {
    Status judged = fs_.Note("sync " + WatchedFs::NameOf(path()));
    return judged.ok() ? ForwardingFile::Sync() : judged;
  }

 private:
  WatchedFs& fs_;
};

inline Result<std::unique_ptr<WritableFile>> WatchedFs::Create(const std::string& path,
                                                               bool direct) {
  if (Status judged = Note("create " + NameOf(path)); !judged.ok()) return judged;
  Result<std::unique_ptr<WritableFile>> file = ForwardingFs::Create(path, direct);
  if (!file.ok()) return file;
  return std::unique_ptr<WritableFile>(std::make_unique<WatchedFile>(*this, *std::move(file)));
}

}  // namespace varve
