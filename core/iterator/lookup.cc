// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/lookup.h"

namespace varve {
namespace {

// The value of a kValuePreferredSeqno entry is followed by a sequence that readers ignore.
constexpr size_t kPreferredSequenceSize = 8;

}  // namespace

bool Lookup::Feed(Sequence sequence, ValueType fed, std::string_view bytes,
                  const std::shared_ptr<const void>& pin) {
  filters.Found();
  const bool merging = state == State::kMerging;
  if (covered_by > sequence) {
    state = merging ? State::kMergedOntoNothing : State::kDeleted;
    return true;
  }
  switch (fed) {
    case ValueType::kValuePreferredSeqno:
      if (bytes.size() < kPreferredSequenceSize) {
        Fail(Status::Corruption(DebugString({user_key, sequence, fed}) + ": value of " +
                                std::to_string(bytes.size()) +
                                " bytes is too short for its time stamp of 8"));
        return true;
      }
      bytes.remove_suffix(kPreferredSequenceSize);
      fed = ValueType::kValue;
      [[fallthrough]];
    case ValueType::kValue:
    case ValueType::kBlobIndex:
    case ValueType::kWideColumnEntity:
      value = Value(bytes, pin);
      type = fed;
      state = merging ? State::kMergedOnto : State::kFound;
      return true;
    case ValueType::kMerge:
      operands.emplace_back(bytes, pin);
      state = State::kMerging;
      return false;
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
    case ValueType::kDeletionWithTimestamp:
      state = merging ? State::kMergedOntoNothing : State::kDeleted;
      return true;
    case ValueType::kRangeDeletion:
    case ValueType::kMaxForSeek:
      break;
  }
  Fail(Status::Corruption(DebugString({user_key, sequence, fed}) + ": entry of type " +
                          std::to_string(static_cast<int>(fed)) + " cannot stand for a value"));
  return true;
}

}  // namespace varve
