// SPDX-License-Identifier: Apache-2.0
#include "core/fs/slot_fs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/hash/crc32c.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/fs/file_tree.h"

namespace varve {
namespace {

constexpr uint32_t kCatalogues = 2;
constexpr uint64_t kCatalogueLimit = 64 << 20;
constexpr size_t kHead = 8;  // Checksum and size.

// The device and its free slots. Shared with open files, which may be the last users of a slot.
class Pool {
 public:
  explicit Pool(SlotDevice& device) : device_(device) {}

  SlotDevice& device() REQUIRES(mu) { return device_; }

  std::optional<uint32_t> Take() REQUIRES(mu) {
    Grow();
    if (free_.empty()) return std::nullopt;
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  // Releases the slot of a deleted file: not reused before names without it are durable.
  void Release(uint32_t slot) REQUIRES(mu) {
    CHECK(kCatalogues <= slot && slot < known_);
    DCHECK(std::find(free_.begin(), free_.end(), slot) == free_.end());
    released_.push_back(slot);
  }
  void NamesAreDurable() REQUIRES(mu) {
    free_.insert(free_.end(), released_.begin(), released_.end());
    released_.clear();
  }
  uint32_t free_slots() REQUIRES(mu) {
    Grow();
    return static_cast<uint32_t>(free_.size());
  }
  // Marks a slot named by a mounted catalogue as used; false if that is not possible.
  bool Claim(uint32_t slot) REQUIRES(mu) {
    Grow();
    const auto found = std::find(free_.begin(), free_.end(), slot);
    if (found == free_.end()) return false;
    free_.erase(found);
    return true;
  }

  Mutex mu;

 private:
  void Grow() REQUIRES(mu) {
    for (; known_ < device_.slots(); ++known_) free_.push_back(known_);
  }

  SlotDevice& device_;
  uint32_t known_ GUARDED_BY(mu) = kCatalogues;
  std::vector<uint32_t> free_ GUARDED_BY(mu), released_ GUARDED_BY(mu);
};

class SlotContents final : public FileContents {
 public:
  SlotContents(std::shared_ptr<Pool> pool, uint32_t slot, uint64_t size)
      : pool_(std::move(pool)), slot_(slot), size_(size) {}
  ~SlotContents() override {
    MutexLock lock(pool_->mu);
    pool_->Release(slot_);
  }

  uint32_t slot() const { return slot_; }

  Status Append(std::string_view bytes) override {
    MutexLock lock(pool_->mu);
    RETURN_IF_ERROR(pool_->device().Write(slot_, size_, bytes));
    size_ += bytes.size();
    return Status::Ok();
  }
  Status Resize(uint64_t size) override {
    MutexLock lock(pool_->mu);
    RETURN_IF_ERROR(pool_->device().Resize(slot_, size));
    size_ = size;
    return Status::Ok();
  }
  uint64_t size() const override {
    MutexLock lock(pool_->mu);
    return size_;
  }
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    MutexLock lock(pool_->mu);
    if (offset >= size_) return std::string_view();
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(size, size_ - offset));
    ASSIGN_OR_RETURN(const size_t got, pool_->device().Read(slot_, offset, wanted, buffer));
    return std::string_view(buffer, got);
  }
  Status Sync() override {
    MutexLock lock(pool_->mu);
    return pool_->device().Flush(slot_);
  }

 private:
  const std::shared_ptr<Pool> pool_;
  const uint32_t slot_;
  uint64_t size_ GUARDED_BY(pool_->mu);
};

std::string EncodeCatalogue(uint64_t generation, const FileNames& names) {
  std::string body;
  AppendFixed64(&body, generation);
  AppendVarint64(&body, names.directories.size());
  for (const std::string& name : names.directories) AppendLengthPrefixed(&body, name);
  AppendVarint64(&body, names.files.size());
  for (const auto& [name, contents] : names.files) {
    AppendLengthPrefixed(&body, name);
    AppendVarint32(&body, static_cast<const SlotContents&>(*contents).slot());
  }
  std::string bytes;
  AppendFixed32(&bytes, Mask(ComputeCrc32c(body)).value);
  AppendFixed32(&bytes, static_cast<uint32_t>(body.size()));
  return bytes + body;
}

struct Catalogue {
  uint64_t generation = 0;
  std::set<std::string> directories;
  std::map<std::string, uint32_t> files;
};

// Nullopt if it is incomplete, as after a crash during the write.
std::optional<Catalogue> DecodeCatalogue(std::string_view bytes) {
  ByteReader head(bytes);
  uint32_t stored = 0, size = 0;
  std::string_view body;
  head.ReadFixed32(&stored);
  head.ReadFixed32(&size);
  if (!head.ReadBytes(size, &body) || Mask(ComputeCrc32c(body)).value != stored) return {};
  ByteReader reader(body);
  Catalogue catalogue;
  uint64_t count = 0;
  std::string_view name;
  reader.ReadFixed64(&catalogue.generation);
  reader.ReadVarint64(&count);
  for (; count > 0 && reader.ReadLengthPrefixed(&name); --count) {
    catalogue.directories.emplace(name);
  }
  reader.ReadVarint64(&count);
  uint32_t slot = 0;
  for (; count > 0 && reader.ReadLengthPrefixed(&name) && reader.ReadVarint32(&slot); --count) {
    catalogue.files.emplace(name, slot);
  }
  if (!reader.ok() || !reader.empty()) return {};
  if (catalogue.generation == ~uint64_t{0}) return {};  // The next one would not be newer.
  return catalogue;
}

class SlotStore final : public ContentsStore {
 public:
  SlotStore(std::shared_ptr<Pool> pool, uint64_t generation)
      : pool_(std::move(pool)), generation_(generation) {}

  Result<std::shared_ptr<FileContents>> New() override {
    MutexLock lock(pool_->mu);
    const std::optional<uint32_t> slot = pool_->Take();
    if (!slot) {
      return Status::NoSpace("no slot is free for one more file: all " +
                             std::to_string(pool_->device().slots()) + " are taken");
    }
    if (Status status = pool_->device().Resize(*slot, 0); !status.ok()) {
      pool_->Release(*slot);
      return status;
    }
    return std::shared_ptr<FileContents>(std::make_shared<SlotContents>(pool_, *slot, 0));
  }

  Status NamesChanged(const FileNames& names) override {
    MutexLock lock(pool_->mu);
    const uint64_t next = generation_ + 1;
    const auto slot = static_cast<uint32_t>(next % kCatalogues);
    RETURN_IF_ERROR(pool_->device().Write(slot, 0, EncodeCatalogue(next, names)));
    RETURN_IF_ERROR(pool_->device().Flush(slot));
    generation_ = next;
    pool_->NamesAreDurable();
    return Status::Ok();
  }

 private:
  const std::shared_ptr<Pool> pool_;
  uint64_t generation_ GUARDED_BY(pool_->mu);
};

class Mounted final : public SlotFileSystem {
 public:
  Mounted(std::shared_ptr<Pool> pool, std::unique_ptr<FileSystem> files)
      : pool_(std::move(pool)), files_(std::move(files)) {}
  FileSystem& files() override { return *files_; }
  uint32_t free_slots() override {
    MutexLock lock(pool_->mu);
    return pool_->free_slots();
  }

 private:
  const std::shared_ptr<Pool> pool_;
  const std::unique_ptr<FileSystem> files_;
};

Result<std::optional<Catalogue>> NewestCatalogue(SlotDevice& device) {
  std::optional<Catalogue> newest;
  bool any = false;
  for (uint32_t slot = 0; slot < std::min(kCatalogues, device.slots()); ++slot) {
    ASSIGN_OR_RETURN(const uint64_t size, device.Size(slot));
    if (size == 0) continue;
    any = true;
    if (size < kHead || size > kCatalogueLimit) continue;
    std::string bytes(static_cast<size_t>(size), '\0');
    ASSIGN_OR_RETURN(const size_t got, device.Read(slot, 0, bytes.size(), bytes.data()));
    std::optional<Catalogue> found = DecodeCatalogue(std::string_view(bytes).substr(0, got));
    if (found && (!newest || found->generation > newest->generation)) newest = std::move(found);
  }
  if (any && !newest) {
    return Status::Corruption("slots 0 and 1: neither has a valid catalogue of files");
  }
  return newest;
}

}  // namespace

Result<std::unique_ptr<SlotFileSystem>> MountSlots(SlotDevice& device) {
  ASSIGN_OR_RETURN(std::optional<Catalogue> catalogue, NewestCatalogue(device));
  auto pool = std::make_shared<Pool>(device);
  FileNames names;
  uint64_t generation = 0;
  if (catalogue) {
    generation = catalogue->generation;
    names.directories.merge(catalogue->directories);
    std::map<uint32_t, std::shared_ptr<FileContents>> by_slot;  // Hard links share one.
    for (const auto& [name, slot] : catalogue->files) {
      std::shared_ptr<FileContents>& contents = by_slot[slot];
      if (contents == nullptr) {
        MutexLock lock(pool->mu);
        if (!pool->Claim(slot)) {
          return Status::Corruption("catalogue: " + name + " is in slot " + std::to_string(slot) +
                                    ", which is not there");
        }
        ASSIGN_OR_RETURN(const uint64_t size, device.Size(slot));
        contents = std::make_shared<SlotContents>(pool, slot, size);
      }
      names.files.emplace(name, contents);
    }
    if (!IsTree(names)) return Status::Corruption("catalogue: its names do not form a tree");
  }
  auto files = NewFileTree(std::make_unique<SlotStore>(pool, generation), std::move(names));
  return std::unique_ptr<SlotFileSystem>(
      std::make_unique<Mounted>(std::move(pool), std::move(files)));
}

}  // namespace varve
