// SPDX-License-Identifier: Apache-2.0
#include "core/format/log/two_phase.h"

#include <string>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/log/write_batch_format.h"

namespace varve {
namespace {

constexpr char kBeginPrepare = 0x09, kEndPrepare = 0x0A, kCommit = 0x0B, kRollback = 0x0C;

void AppendMark(char tag, std::string_view name, std::string* bytes) {
  CHECK(!name.empty() && name.size() <= kTransactionNameSizeMax);
  bytes->push_back(tag);
  AppendLengthPrefixed(bytes, name);
}

WriteBatch Mark(char tag, std::string_view name) {
  std::string bytes = WriteBatch().bytes();
  AppendMark(tag, name, &bytes);
  return WriteBatch(std::move(bytes));
}

}  // namespace

WriteBatch PreparedSection(const WriteBatch& batch, std::string_view name) {
  const std::string_view changes = batch.bytes();
  if (changes.empty()) return PreparedSection(WriteBatch(), name);
  CHECK(changes.size() >= kWriteBatchHeaderSize);
  std::string bytes(changes.substr(0, kWriteBatchHeaderSize));
  bytes.push_back(kBeginPrepare);
  bytes.append(changes, kWriteBatchHeaderSize);
  AppendMark(kEndPrepare, name, &bytes);
  return WriteBatch(std::move(bytes));
}

WriteBatch CommitMark(std::string_view name) { return Mark(kCommit, name); }
WriteBatch RollbackMark(std::string_view name) { return Mark(kRollback, name); }

}  // namespace varve
