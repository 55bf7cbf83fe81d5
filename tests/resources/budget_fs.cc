// SPDX-License-Identifier: Apache-2.0
#include "tests/resources/budget_fs.h"

#include <algorithm>
#include <utility>

namespace varve::resources {
namespace {

class BudgetFile final : public ForwardingFile {
 public:
  BudgetFile(BudgetFs& fs, std::unique_ptr<WritableFile> base)
      : ForwardingFile(std::move(base)), fs_(fs) {}

  Status Append(std::string_view bytes) override {
    const uint64_t fits = fs_.Take(path(), bytes.size());
    Status written = ForwardingFile::Append(bytes.substr(0, fits));
    if (!written.ok() || fits == bytes.size()) return written;
    return Status::NoSpace(path() + ": write: No space left on device");
  }

 private:
  BudgetFs& fs_;
};

}  // namespace

std::string KindOf(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  if (const size_t dash = name.find('-'); dash != std::string::npos) return name.substr(0, dash);
  return name.substr(name.rfind('.') + 1);
}

void BudgetFs::Leave(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes == kUnlimited ? kUnlimited : used_ + bytes;
}

std::set<std::string> BudgetFs::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

uint64_t BudgetFs::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

uint64_t BudgetFs::Take(const std::string& path, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const uint64_t fits = std::min(bytes, limit_ - std::min(limit_, used_));
  if (fits < bytes) refused_.insert(KindOf(path));
  used_ += fits;
  sizes_[path] += fits;
  return fits;
}

Result<std::unique_ptr<WritableFile>> BudgetFs::Create(const std::string& path, bool direct) {
  {
    const std::lock_guard lock(mutex_);
    used_ -= std::exchange(sizes_[path], 0);  // Truncated, if it is there.
    if (used_ + kName > limit_) {
      sizes_.erase(path);
      refused_.insert(KindOf(path));
      return Status::NoSpace(path + ": open: No space left on device");
    }
    used_ += kName;
    sizes_[path] = kName;
  }
  Result<std::unique_ptr<WritableFile>> file = ForwardingFs::Create(path, direct);
  if (!file.ok()) return file;
  return std::unique_ptr<WritableFile>(std::make_unique<BudgetFile>(*this, *std::move(file)));
}

Status BudgetFs::Remove(const std::string& path) {
  Status removed = ForwardingFs::Remove(path);
  const std::lock_guard lock(mutex_);
  const auto found = sizes_.find(path);
  if (!removed.ok() || found == sizes_.end()) return removed;
  used_ -= found->second;
  sizes_.erase(found);
  return removed;
}

Status BudgetFs::Rename(const std::string& from, const std::string& to) {
  Status renamed = ForwardingFs::Rename(from, to);
  const std::lock_guard lock(mutex_);
  const auto found = sizes_.find(from);
  if (!renamed.ok() || found == sizes_.end()) return renamed;
  used_ -= std::exchange(sizes_[to], found->second);
  sizes_.erase(from);
  return renamed;
}

}  // namespace varve::resources
