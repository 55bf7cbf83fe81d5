// SPDX-License-Identifier: Apache-2.0
// History is a column family made by hand: operations in memtables, sealed where the test says, and
// a brute-force answer to what a reader at any sequence number must see. The answer looks at every
// operation ever made, so it shares no idea with the code under test.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/read/read_view.h"
#include "core/format/internal_key.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

namespace varve {

// "base+operand+operand", so that a wrong order or a lost base is seen.
class JoinOperator final : public MergeOperator {
 public:
  std::string_view name() const override { return "test.Join"; }
  Result<std::string> Merge(std::string_view, std::optional<std::string_view> base,
                            std::span<const std::string_view> operands) const override {
    std::string joined(base.value_or("nothing"));
    for (const std::string_view operand : operands) joined.append("+").append(operand);
    return joined;
  }
  std::optional<std::string> Combine(std::string_view,
                                     std::span<const std::string_view>) const override {
    return std::nullopt;
  }
};

using Entries = std::vector<std::pair<std::string, std::string>>;  // In the comparator's order.

class History {
 public:
  struct Operation {
    Sequence sequence;
    ValueType type;
    std::string key, value;
  };

  explicit History(const Comparator* comparator = BytewiseComparator())
      : comparator_(comparator), memtable_(MemTable::Create(*comparator, 1)) {}

  Sequence Add(ValueType type, std::string key, std::string value = {}) {
    memtable_->Add(++last_, type, key, value);
    operations_.push_back({last_, type, std::move(key), std::move(value)});
    return last_;
  }
  Sequence Put(std::string key, std::string value) {
    return Add(ValueType::kValue, std::move(key), std::move(value));
  }
  Sequence Delete(std::string key) { return Add(ValueType::kDeletion, std::move(key)); }
  Sequence Merge(std::string key, std::string operand) {
    return Add(ValueType::kMerge, std::move(key), std::move(operand));
  }
  Sequence DeleteRange(std::string begin, std::string end) {
    return Add(ValueType::kRangeDeletion, std::move(begin), std::move(end));
  }

  // Later operations go to a new memtable.
  void Seal() {
    sealed_.insert(sealed_.begin(), memtable_);
    memtable_ = MemTable::Create(*comparator_, memtable_->id() + 1);
  }

  // `operations` random ones over `keys` different keys, sealing now and then.
  void AddRandom(std::mt19937& random, int operations, int keys) {
    const auto key = [&] { return RandomKey(random, keys); };
    for (int i = 0; i < operations; ++i) {
      const std::string value = "v" + std::to_string(last_ + 1);
      switch (random() % 16) {
        case 0:
          Seal();
          break;
        case 1: {
          std::string begin = key(), end = key();
          if (comparator_->Compare(begin, end) > 0) std::swap(begin, end);
          DeleteRange(begin, end);
          break;
        }
        case 2:
        case 3:
        case 4:
          Delete(key());
          break;
        case 5:
        case 6:
        case 7:
          Merge(key(), value);
          break;
        case 8:  // A put with write time: the value and eight bytes.
          Add(ValueType::kValuePreferredSeqno, key(), value + "8 bytes.");
          break;
        default:
          Put(key(), value);
      }
    }
  }
  // Keys share prefixes, and one may be the prefix of another.
  static std::string RandomKey(std::mt19937& random, int keys) {
    const unsigned n = random() % static_cast<unsigned>(keys);
    return std::string(1 + n % 3, static_cast<char>('a' + n / 3 % 20));
  }

  std::shared_ptr<const ReadView> View() const {
    auto view = std::make_shared<ReadView>();
    view->comparator = comparator_;
    view->merge_operator = &merge_operator_;
    view->memtable = memtable_;
    view->immutables = sealed_;
    view->version =
        std::make_shared<Version>(*comparator_, nullptr, std::vector<std::vector<FilePtr>>(7),
                                  std::vector<BlobFileMetadata>());
    return view;
  }

  // What a reader at `at` must find.
  std::optional<std::string> Expected(std::string_view key, Sequence at) const {
    Sequence tombstone = 0;
    for (const Operation& op : operations_) {
      if (op.type == ValueType::kRangeDeletion && op.sequence <= at &&
          comparator_->Compare(op.key, key) <= 0 && comparator_->Compare(key, op.value) < 0) {
        tombstone = op.sequence;
      }
    }
    std::optional<std::string> value;
    for (const Operation& op : operations_) {
      if (op.key != key || op.sequence > at || op.sequence < tombstone) continue;
      switch (op.type) {
        case ValueType::kValue:
          value = op.value;
          break;
        case ValueType::kValuePreferredSeqno:
          value = op.value.substr(0, op.value.size() - 8);
          break;
        case ValueType::kMerge:
          value = value.value_or("nothing") + "+" + op.value;
          break;
        case ValueType::kRangeDeletion:
          break;  // Seen above.
        default:
          value.reset();
      }
    }
    return value;
  }

  Entries ExpectedEntries(Sequence at) const {
    Entries entries;
    for (const std::string& key : Keys()) {
      if (std::optional<std::string> value = Expected(key, at)) entries.emplace_back(key, *value);
    }
    return entries;
  }

  // All keys ever named, in order.
  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const Operation& op : operations_) keys.push_back(op.key);
    std::sort(keys.begin(), keys.end(), [this](const std::string& a, const std::string& b) {
      return comparator_->Compare(a, b) < 0;
    });
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  Sequence last() const { return last_; }
  const std::vector<Operation>& operations() const { return operations_; }
  const Comparator& comparator() const { return *comparator_; }

 private:
  const Comparator* comparator_;
  JoinOperator merge_operator_;
  Sequence last_ = 0;
  std::vector<Operation> operations_;
  std::shared_ptr<MemTable> memtable_;
  std::vector<std::shared_ptr<MemTable>> sealed_;
};

}  // namespace varve
