// SPDX-License-Identifier: Apache-2.0
#include "core/engine/files/wal_set.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/fs/durable.h"

namespace varve {

Status WalSet::Roll(uint64_t number) {
  if (writer_ != nullptr) {
    RETURN_IF_ERROR(Sync());
    RETURN_IF_ERROR(writer_->Close());
  }
  ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file,
                   context_.fs().Create(context_.PathOf(WalFileName(number)), /*direct=*/false));
  auto next = std::make_unique<LogWriter>(std::move(file));
  MutexLock lock(context_.mutex());
  CHECK_OP(number, >, number_, "recovery replays WALs in the order of their numbers");
  if (writer_ != nullptr) {
    CHECK(closed_.empty() || closed_.back().number < number_);
    closed_.push_back({number_, writer_->size()});
    closed_bytes_.fetch_add(writer_->size(), std::memory_order_relaxed);
  }
  writer_ = std::move(next);
  number_ = number;
  name_synced_ = false;
  synced_size_ = 0;
  return Status::Ok();
}

Status WalSet::Append(std::string_view record) {
  CHECK(writer_ != nullptr);
  return writer_->Append(record);
}

Status WalSet::Sync() {
  CHECK(writer_ != nullptr);
  CHECK_OP(synced_size_, <=, writer_->size());
  if (synced_size_ != writer_->size()) {
    RETURN_IF_ERROR(writer_->Sync());
    synced_size_ = writer_->size();
  }
  if (!name_synced_) {
    RETURN_IF_ERROR(SyncDirectory(context_.fs(), context_.directory));
    name_synced_ = true;
  }
  return Status::Ok();
}

Status WalSet::Close() {
  if (writer_ == nullptr) return Status::Ok();
  RETURN_IF_ERROR(Sync());
  return writer_->Close();
}

void WalSet::Hold(const WalExtent& wal) {
  CHECK(held_.empty() && closed_.empty() && wal.number > number_);
  held_.push_back(wal);
  number_ = wal.number;
}

std::vector<uint64_t> WalSet::TakeBelow(uint64_t number, uint64_t needed) {
  std::vector<uint64_t> taken;
  std::erase_if(held_, [&](const WalExtent& wal) {
    if (wal.number >= number) return false;
    taken.push_back(wal.number);
    return true;
  });
  std::erase_if(closed_, [&](const WalExtent& wal) REQUIRES(engine_mutex) {
    if (wal.number >= std::max(number, needed)) return false;
    if (wal.number < number) {
      taken.push_back(wal.number);
    } else {
      held_.push_back(wal);
    }
    const uint64_t before = closed_bytes_.fetch_sub(wal.size, std::memory_order_relaxed);
    CHECK_OP(before, >=, wal.size);
    return true;
  });
  return taken;
}

}  // namespace varve
