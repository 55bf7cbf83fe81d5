// SPDX-License-Identifier: Apache-2.0
#include "tests/mix/model.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace varve::mix {
namespace {

constexpr int kNeverSingly = 2;  // Puts, merges and deletions: too many for a single delete.

}  // namespace

Model::Model(Dice* dice, SingleDeletes single_deletes)
    : dice_(*dice),
      single_deletes_(single_deletes),
      // Few enough to meet often, many enough to fill levels.
      key_count_(dice_.Of<uint64_t>({12, 60, 300, 300})) {
  Create("default");
}

std::string Model::AnyFamily() {
  return std::next(now_.begin(), static_cast<ptrdiff_t>(dice_.Pick(now_.size())))->first;
}

// Keys that are prefixes of keys; the smallest and the largest; zeros.
std::string Model::Key() {
  if (dice_.OneIn(60)) return {};
  if (dice_.OneIn(40)) return std::string(1 + dice_.Pick(3), dice_.OneIn(2) ? '\xff' : '\0');
  std::string key = "key" + std::to_string(dice_.Pick(dice_.OneIn(4) ? 12 : key_count_));
  if (dice_.OneIn(8)) key.append(dice_.Pick(3), '\0');
  if (dice_.OneIn(12)) key.append(dice_.Pick(40), 'x');
  return dice_.OneIn(30) ? key.substr(0, dice_.Pick(4)) : key;
}

std::string Model::Value() {
  return std::to_string(dice_.Pick(1000)) + std::string(dice_.Pick(dice_.OneIn(4) ? 400 : 30), 'v');
}

std::pair<std::string, std::string> Model::KeyRange(const std::string& family) {
  std::string begin = Key(), end = Key();
  if (Order{RunsBackwards(family)}(end, begin)) std::swap(begin, end);
  return {begin, end};
}

bool Model::MayDeleteSingly(const Puts& puts, const std::string& key) const {
  const auto found = puts.find(key);
  if (found == puts.end()) return single_deletes_ == SingleDeletes::kVarve;
  return found->second == 1;
}

Operation Model::Draw(const std::string& family, const std::string& key) {
  using Kind = Operation::Kind;
  switch (dice_.Pick(24)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {Kind::kDelete, family, key, {}};
    case 4:
    case 5:
      if (!MayDeleteSingly(puts_[family], key)) break;
      return {Kind::kSingleDelete, family, key, {}};
    case 6:
    case 7:
    case 8:
    case 9:
      return {Kind::kMerge, family, key, Value()};
    case 10: {
      const auto [begin, end] = KeyRange(family);
      if (begin == end) break;
      return {Kind::kDeleteRange, family, begin, end};
    }
    default:
      break;
  }
  return {Kind::kPut, family, key, Value()};
}

void Model::CountDeleteRange(const Operation& op) {
  const Order before{RunsBackwards(op.family)};
  Puts& puts = puts_[op.family];
  for (auto at = puts.begin(); at != puts.end();) {
    if (before(at->first, op.key) || !before(at->first, op.value)) {
      ++at;
    } else if (single_deletes_ == SingleDeletes::kVarve) {
      at = puts.erase(at);
    } else {
      (at++)->second = kNeverSingly;
    }
  }
}

void Apply(const Operation& op, Moment* moment) {
  Contents& contents =
      moment->try_emplace(op.family, Contents(Order{RunsBackwards(op.family)})).first->second;
  switch (op.kind) {
    case Operation::Kind::kPut:
      contents[op.key] = op.value;
      return;
    case Operation::Kind::kDelete:
    case Operation::Kind::kSingleDelete:
      contents.erase(op.key);
      return;
    case Operation::Kind::kDeleteRange:
      contents.erase(contents.lower_bound(op.key), contents.lower_bound(op.value));
      return;
    case Operation::Kind::kMerge: {
      const auto [at, is_new] = contents.try_emplace(op.key, op.value);
      if (!is_new) at->second += "," + op.value;
      return;
    }
  }
}

void Model::Change(const Operation& op) {
  Apply(op, &now_);
  Puts& puts = puts_[op.family];
  switch (op.kind) {
    case Operation::Kind::kPut:
      ++puts[op.key];
      return;
    case Operation::Kind::kDelete:
    case Operation::Kind::kMerge:
      puts[op.key] = kNeverSingly;
      return;
    case Operation::Kind::kSingleDelete:
      puts.erase(op.key);
      return;
    case Operation::Kind::kDeleteRange:
      return CountDeleteRange(op);
  }
}

Group Model::NextGroup() {
  Group group(dice_.OneIn(5) ? dice_.Pick(30) : 1);
  for (Operation& op : group) {
    op = Draw(AnyFamily(), Key());
    Change(op);
  }
  return group;
}

// `keys` are sorted. A range deletion in a table deletes older entries, not those of the table.
void Model::DrawTable(const std::string& family, const std::vector<std::string>& keys,
                      Group* table) {
  using Kind = Operation::Kind;
  for (uint64_t ranges = keys.size() < 2 ? 0 : dice_.Pick(3); ranges > 0; --ranges) {
    const size_t begin = dice_.Pick(keys.size() - 1);
    const size_t end = begin + 1 + dice_.Pick(keys.size() - begin - 1);
    table->push_back({Kind::kDeleteRange, family, keys[begin], keys[end]});
  }
  for (const std::string& key : keys) {
    const Kind kind = dice_.Of({Kind::kPut, Kind::kPut, Kind::kPut, Kind::kDelete, Kind::kMerge});
    if (dice_.OneIn(5) && !table->empty()) continue;  // A gap under the range deletions.
    table->push_back({kind, family, key, kind == Kind::kDelete ? "" : Value()});
  }
  for (const Operation& op : *table) Change(op);
}

std::vector<Group> Model::NextTables(const std::string& family) {
  std::set<std::string, Order> drawn(Order{RunsBackwards(family)});
  for (uint64_t i = 1 + dice_.Pick(25); i > 0; --i) drawn.insert(Key());
  const std::vector<std::string> keys(drawn.begin(), drawn.end());
  std::vector<Group> tables(1 + dice_.Pick(std::min<size_t>(3, keys.size())));
  for (size_t i = 0; i < tables.size(); ++i) {
    const auto from = keys.begin() + static_cast<ptrdiff_t>(keys.size() * i / tables.size());
    const auto to = keys.begin() + static_cast<ptrdiff_t>(keys.size() * (i + 1) / tables.size());
    DrawTable(family, std::vector<std::string>(from, to), &tables[i]);
  }
  return tables;
}

std::string Model::UnusedFamilyName() {
  for (;;) {
    const std::string name = dice_.Of({"f", "r"}) + std::to_string(dice_.Pick(4));
    if (!now_.contains(name)) return name;
  }
}

void Model::Create(const std::string& family) {
  now_.emplace(family, Contents(Order{RunsBackwards(family)}));
  puts_[family].clear();
}

void Model::Drop(const std::string& family) {
  now_.erase(family);
  puts_.erase(family);
}

}  // namespace varve::mix
