// SPDX-License-Identifier: Apache-2.0
#include "core/engine/prepared_set.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/format/log/two_phase.h"

namespace varve {

Status PreparedSet::Begin(std::string_view name, Changes changes) {
  if (name.empty() || name.size() > kTransactionNameSizeMax) {
    return Status::InvalidArgument("the name of a transaction has 1 to " +
                                   std::to_string(kTransactionNameSizeMax) + " bytes, not " +
                                   std::to_string(name.size()));
  }
  const auto [at, fresh] =
      transactions_.try_emplace(std::string(name), Transaction{.changes = std::move(changes)});
  if (fresh) return Status::Ok();
  return Status::InvalidArgument("there is a prepared transaction '" + EscapeForDisplay(name) +
                                 "' already");
}

PreparedSet::Transaction& PreparedSet::At(std::string_view name, Phase phase) {
  const auto at = transactions_.find(name);
  CHECK(at != transactions_.end() && at->second.phase == phase);
  return at->second;
}

void PreparedSet::Logged(std::string_view name, uint64_t wal) {
  Transaction& transaction = At(name, Phase::kPreparing);
  transaction.phase = Phase::kPrepared;
  transaction.wal = wal;
}

void PreparedSet::AllMovedTo(uint64_t wal) {
  for (auto& [name, transaction] : transactions_) transaction.wal = wal;
}

Result<PreparedSet::Changes> PreparedSet::BeginEnd(std::string_view name) {
  const auto at = transactions_.find(name);
  if (at == transactions_.end() || at->second.phase != Phase::kPrepared) {
    return Status::InvalidArgument("there is no prepared transaction '" + EscapeForDisplay(name) +
                                   "'");
  }
  at->second.phase = Phase::kEnding;
  return at->second.changes;
}

void PreparedSet::CancelEnd(std::string_view name) {
  At(name, Phase::kEnding).phase = Phase::kPrepared;
}

uint64_t PreparedSet::Remove(std::string_view name) {
  const auto at = transactions_.find(name);
  CHECK(at != transactions_.end() && at->second.phase != Phase::kPrepared);
  const uint64_t wal = at->second.wal;
  transactions_.erase(at);
  return wal;
}

uint64_t PreparedSet::OldestWal() const {
  uint64_t oldest = 0;
  for (const auto& [name, transaction] : transactions_) {
    oldest = OlderWal(oldest, transaction.wal);
  }
  return oldest;
}

std::vector<PreparedTransaction> PreparedSet::List() const {
  std::vector<PreparedTransaction> list;
  for (const auto& [name, transaction] : transactions_) {
    if (transaction.phase == Phase::kPrepared) list.push_back({name, *transaction.changes});
  }
  return list;
}

}  // namespace varve
