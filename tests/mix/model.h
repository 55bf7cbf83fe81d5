// SPDX-License-Identifier: Apache-2.0
// What a database should hold, and random changes to it. A change is applied here when it is drawn.
//
// Families whose names start with "r" run backwards, the others bytewise. Merges append with ",".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mix/dice.h"
#include "tests/mix/operation.h"

namespace varve::mix {

inline bool RunsBackwards(std::string_view family) { return family.starts_with('r'); }

struct Order {
  bool backwards = false;
  bool operator()(std::string_view a, std::string_view b) const {
    return backwards ? b < a : a < b;
  }
  using is_transparent = void;
};
using Contents = std::map<std::string, std::string, Order>;
using Moment = std::map<std::string, Contents>;  // All families, by name.

// What the database holds after `op`.
void Apply(const Operation& op, Moment* moment);

// Which keys may be deleted singly. In either case only those that were put at most once, and not
// merged or deleted otherwise, since a deletion that counts.
enum class SingleDeletes : uint8_t {
  kVarve,    // A range deletion counts, and a key that is absent may be deleted singly.
  kRocksDb,  // Neither.
};

class Model {
 public:
  Model(Dice* dice, SingleDeletes single_deletes);

  const Moment& now() const { return now_; }
  const Contents& of(const std::string& family) const { return now_.at(family); }

  // --- drawn
  std::string AnyFamily();
  std::string Key();
  std::string Value();
  // A pair of keys in the family's order.
  std::pair<std::string, std::string> KeyRange(const std::string& family);
  Group NextGroup();
  // Tables whose keys do not overlap, at least one, each with at least one entry.
  std::vector<Group> NextTables(const std::string& family);
  std::string UnusedFamilyName();  // Often that of a family that was dropped.

  void Create(const std::string& family);
  void Drop(const std::string& family);

 private:
  using Puts = std::map<std::string, int>;

  Operation Draw(const std::string& family, const std::string& key);
  bool MayDeleteSingly(const Puts& puts, const std::string& key) const;
  void Change(const Operation& op);  // What there is, and the puts.
  void CountDeleteRange(const Operation& op);
  void DrawTable(const std::string& family, const std::vector<std::string>& keys, Group* table);

  Dice& dice_;
  const SingleDeletes single_deletes_;
  const uint64_t key_count_;
  Moment now_;
  std::map<std::string, Puts> puts_;  // By family, for single deletes.
};

}  // namespace varve::mix
