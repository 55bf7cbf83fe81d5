// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/simulated_disk.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace varve::simulator {
namespace {

constexpr size_t kSector = 512;
constexpr size_t kRemovedMax = 8;

std::string ParentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string Normal(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  return path == "." ? "" : path;
}

// What can no longer be reached by its path is gone.
void DropOrphans(FileNames* names) {
  std::erase_if(names->directories, [&](const std::string& path) {  // Parents come first.
    return !path.empty() && !names->directories.contains(ParentOf(path));
  });
  std::erase_if(names->files, [&](const auto& file) {
    return !names->directories.contains(ParentOf(file.first));
  });
}

}  // namespace

namespace {

// Full disks and broken ones by turns.
Status Failure(const std::string& call) {
  return call.size() % 2 == 0 ? Status::IoError(call + ": simulated failure")
                              : Status::NoSpace(call + ": simulated lack of space");
}

Status StatusOf(const Status& status) { return status; }
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

}  // namespace

std::string_view NameOf(Loss loss) {
  switch (loss) {
    case Loss::kUnsynced:
      return "what was not synced is lost";
    case Loss::kNothing:
      return "nothing is lost";
    case Loss::kSectors:
      return "sectors and names are lost at random";
    case Loss::kNames:
      return "unsynced names are lost";
    case Loss::kBytes:
      return "unsynced bytes are lost";
  }
  return "";
}

class DiskFile final : public FileContents {
 public:
  DiskFile(const SimulatedDisk& disk, std::string bytes)
      : disk_(disk), bytes_(std::move(bytes)), synced_(bytes_.size()) {}

  Status Append(std::string_view bytes) override {
    const SimulatedDisk::Lock lock(disk_);
    const std::string call = "append " + disk_.PathOf(*this);
    const Fault fault = disk_.Draw(call);
    if (fault == Fault::kRefused) return Failure(call);
    bytes_.append(bytes.substr(0, fault == Fault::kHalfDone ? bytes.size() / 2 : bytes.size()));
    disk_.Mutated(call);
    return fault == Fault::kNone ? Status::Ok() : Failure(call);
  }
  Status Resize(uint64_t size) override {
    const SimulatedDisk::Lock lock(disk_);
    bytes_.resize(size);
    synced_ = std::min<size_t>(synced_, size);
    disk_.Mutated("resize " + disk_.PathOf(*this));
    return Status::Ok();
  }
  uint64_t size() const override {
    const SimulatedDisk::Lock lock(disk_);
    return bytes_.size();
  }
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    const SimulatedDisk::Lock lock(disk_);
    if (const std::string call = "read " + disk_.PathOf(*this); disk_.Draw(call) != Fault::kNone) {
      return Failure(call);
    }
    if (offset >= bytes_.size()) return std::string_view(buffer, 0);
    const size_t count = std::min<uint64_t>(size, bytes_.size() - offset);
    std::memcpy(buffer, bytes_.data() + offset, count);
    return std::string_view(buffer, count);
  }
  Status Sync() override {
    const SimulatedDisk::Lock lock(disk_);
    const std::string call = "sync " + disk_.PathOf(*this);
    const Fault fault = disk_.Draw(call);
    if (fault == Fault::kRefused || fault == Fault::kHalfDone) return Failure(call);
    synced_ = bytes_.size();
    disk_.Mutated(call);
    return fault == Fault::kNone ? Status::Ok() : Failure(call);
  }

  const std::string& bytes() const { return bytes_; }
  size_t synced() const { return synced_; }

 private:
  const SimulatedDisk& disk_;
  std::string bytes_;
  size_t synced_;  // Files only grow, but for Resize().
};

class SimulatedDisk::Store final : public ContentsStore {
 public:
  explicit Store(SimulatedDisk& disk) : disk_(disk) {}
  Result<std::shared_ptr<FileContents>> New() override {
    return std::shared_ptr<FileContents>(std::make_shared<DiskFile>(disk_, ""));
  }
  Status NamesChanged(const FileNames& names) override {
    disk_.NamesChanged(names);
    return Status::Ok();
  }

 private:
  SimulatedDisk& disk_;
};

// The tree of names, with directories that are synced.
class SimulatedDisk::Files final : public FileSystem {
 public:
  Files(SimulatedDisk& disk, FileNames names)
      : disk_(disk), base_(NewFileTree(std::make_unique<Store>(disk), std::move(names))) {}

  Status SyncDirectory(const std::string& directory) override {
    return Call("sync directory " + directory, [&] {
      const Status status = base_->SyncDirectory(directory);
      if (status.ok()) disk_.SyncDirectory(Normal(directory));
      return status;
    });
  }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    return Call("open " + path, [&] { return base_->OpenForRead(path, direct); });
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool direct) override {
    return Call("create " + path, [&] { return base_->Create(path, direct); });
  }
  Result<uint64_t> FileSize(const std::string& path) override {
    return Call("size " + path, [&] { return base_->FileSize(path); });
  }
  bool Exists(const std::string& path) override { return base_->Exists(path); }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    return Call("list " + directory, [&] { return base_->List(directory); });
  }
  Status CreateDirectory(const std::string& path) override {
    return Call("create directory " + path, [&] { return base_->CreateDirectory(path); });
  }
  Status Remove(const std::string& path) override {
    return Call("remove " + path, [&] { return base_->Remove(path); });
  }
  Status RemoveDirectory(const std::string& path) override {
    return Call("remove directory " + path, [&] { return base_->RemoveDirectory(path); });
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return Call("rename " + from, [&] { return base_->Rename(from, to); });
  }
  Status Link(const std::string& existing, const std::string& name) override {
    return Call("link " + existing, [&] { return base_->Link(existing, name); });
  }
  Status Truncate(const std::string& path, uint64_t size) override {
    return Call("truncate " + path, [&] { return base_->Truncate(path, size); });
  }
  Status SyncFile(const std::string& path) override {
    return Call("sync file " + path, [&] { return base_->SyncFile(path); });
  }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    const SimulatedDisk::Lock lock(disk_);
    return base_->Lock(path);
  }
  bool IsLocked(const std::string& path) override { return base_->IsLocked(path); }

 private:
  template <typename Function>
  auto Call(const std::string& call, const Function& function) -> decltype(function()) {
    const SimulatedDisk::Lock lock(disk_);
    const Fault fault = disk_.Draw(call);
    if (fault == Fault::kRefused || fault == Fault::kHalfDone) return Failure(call);
    auto result = function();
    if (fault == Fault::kDone && StatusOf(result).ok()) return Failure(call);
    return result;
  }

  SimulatedDisk& disk_;
  const std::unique_ptr<FileSystem> base_;
};

SimulatedDisk::SimulatedDisk() : file_system_(std::make_unique<Files>(*this, FileNames())) {}

SimulatedDisk::~SimulatedDisk() = default;

void SimulatedDisk::NamesChanged(const FileNames& names) {
  NameChange change;
  const auto note = [&](const std::string& path) { change.directories.push_back(ParentOf(path)); };
  change.removed.directories.clear();
  change.added.directories.clear();
  for (const std::string& path : now_.directories) {
    if (!names.directories.contains(path)) change.removed.directories.insert(path), note(path);
  }
  for (const std::string& path : names.directories) {
    if (!now_.directories.contains(path)) change.added.directories.insert(path), note(path);
  }
  for (const auto& [path, file] : now_.files) {
    if (names.files.contains(path)) continue;
    change.removed.files.emplace(path, file);
    note(path);
  }
  for (const auto& [path, file] : names.files) {
    const auto before = now_.files.find(path);
    if (before != now_.files.end() && before->second == file) continue;
    change.added.files.emplace(path, file);
    note(path);
  }
  for (const auto& [path, file] : change.removed.files) {
    if (path.ends_with(".sst")) removed_.push_back(file);
  }
  if (removed_.size() > kRemovedMax) {
    removed_.erase(removed_.begin(), removed_.end() - kRemovedMax);
  }
  std::string words = "names:";
  for (const auto& [path, file] : change.removed.files) words += " -" + path;
  for (const std::string& path : change.removed.directories) words += " -" + path + "/";
  for (const std::string& path : change.added.directories) words += " +" + path + "/";
  for (const auto& [path, file] : change.added.files) words += " +" + path;
  now_ = names;
  pending_.push_back(std::move(change));
  Mutated(words);
}

void SimulatedDisk::SyncDirectory(const std::string& directory) {
  std::erase_if(pending_, [&](const NameChange& change) {
    const bool synced = std::count(change.directories.begin(), change.directories.end(), directory);
    if (synced) Apply(change, &durable_);
    return synced;
  });
  Mutated("sync directory '" + directory + "'");
}

std::string SimulatedDisk::PathOf(const FileContents& file) const {
  for (const auto& [path, contents] : now_.files) {
    if (contents.get() == &file) return path;
  }
  return "";
}

void SimulatedDisk::Apply(const NameChange& change, FileNames* names) {
  for (const auto& [path, file] : change.removed.files) names->files.erase(path);
  for (const std::string& path : change.removed.directories) names->directories.erase(path);
  for (const std::string& path : change.added.directories) names->directories.insert(path);
  for (const auto& [path, file] : change.added.files) names->files.insert_or_assign(path, file);
}

std::string SimulatedDisk::BytesAfter(const DiskFile& file, Loss loss, mix::Dice* dice) const {
  const std::string& bytes = file.bytes();
  const size_t synced = file.synced();
  std::string left = bytes;
  switch (loss) {
    case Loss::kNothing:
    case Loss::kNames:
      break;
    case Loss::kUnsynced:
      left.resize(synced);
      break;
    case Loss::kBytes:
      left.resize(synced);
      if (dice->OneIn(2)) left.resize(bytes.size());
      break;
    case Loss::kSectors: {
      left.resize(synced + dice->Pick(bytes.size() - synced + 1));
      for (size_t begin = synced; begin < left.size();) {
        const size_t end = std::min(left.size(), (begin / kSector + 1) * kSector);
        const uint64_t fate = dice->Pick(4);
        std::string_view old;
        if (fate == 1 && !removed_.empty()) {
          const auto& other = removed_[dice->Pick(removed_.size())];
          old = static_cast<const DiskFile&>(*other).bytes();
        }
        for (size_t i = begin; fate < 2 && i < end; ++i) left[i] = i < old.size() ? old[i] : '\0';
        begin = end;
      }
      break;
    }
  }
  return left;
}

std::unique_ptr<SimulatedDisk> SimulatedDisk::AfterPowerLoss(Loss loss, mix::Dice* dice) const {
  const Lock lock(*this);
  FileNames names = durable_;
  for (const NameChange& change : pending_) {
    const bool made = loss == Loss::kNothing || loss == Loss::kBytes ||
                      (loss == Loss::kSectors && dice->OneIn(2));
    if (made) Apply(change, &names);
  }
  DropOrphans(&names);
  auto found = std::unique_ptr<SimulatedDisk>(new SimulatedDisk());
  Copies copies;  // A file of two names stays one.
  for (auto& [path, file] : names.files) {
    auto& copy = copies[file.get()];
    if (copy == nullptr) {
      copy = std::make_shared<DiskFile>(
          *found, BytesAfter(static_cast<const DiskFile&>(*file), loss, dice));
    }
    file = copy;
  }
  found->now_ = found->durable_ = names;
  found->file_system_ = std::make_unique<Files>(*found, std::move(names));
  return found;
}

}  // namespace varve::simulator
