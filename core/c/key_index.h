// SPDX-License-Identifier: Apache-2.0
// KeyIndex finds what a write batch does to a key. It is brought up to date when it is read: a
// batch that is only written costs nothing more. Thread-compatible.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/comparator.h"
#include "varve/status.h"
#include "varve/types.h"
#include "varve/write_batch.h"

namespace varve::c {

class KeyIndex {
 public:
  // The order of a family's keys; the bytewise one unless it is set.
  void SetOrder(ColumnFamilyId family, const Comparator* comparator);
  // Takes in what was added to `batch` since the last call. Call it before reading.
  void CatchUp(const WriteBatch& batch);
  // Forgets all changes: the batch became shorter.
  void Reset();

  // What the batch leaves of a key: a base, and operands to be merged onto it.
  struct Effect {
    enum class Base : uint8_t { kUnchanged, kValue, kDeleted };
    Base base = Base::kUnchanged;
    std::string value = {};                  // Of kValue.
    std::vector<std::string> operands = {};  // Oldest first.
  };
  // Null: the batch does nothing to the key. Valid until the next call that changes the index.
  const Effect* Find(ColumnFamilyId family, std::string_view key) const;

  // Changed keys, in the family's order; nullopt if there is none. They are copies, so a position
  // survives every change of the batch.
  using Key = std::optional<std::string>;
  Key First(ColumnFamilyId family) const;
  Key Last(ColumnFamilyId family) const;
  Key AtOrAfter(ColumnFamilyId family, std::string_view key) const;
  Key After(ColumnFamilyId family, std::string_view key) const;
  Key AtOrBefore(ColumnFamilyId family, std::string_view key) const;
  Key Before(ColumnFamilyId family, std::string_view key) const;

 private:
  struct Less {
    using is_transparent = void;
    const Comparator* comparator = BytewiseComparator();
    bool operator()(std::string_view a, std::string_view b) const {
      return comparator->Compare(a, b) < 0;
    }
  };
  using Effects = std::map<std::string, Effect, Less>;

  Effects& EffectsOf(ColumnFamilyId family);
  const Effects* FindEffects(ColumnFamilyId family) const;

  std::map<ColumnFamilyId, const Comparator*> orders_;
  std::map<ColumnFamilyId, Effects> families_;
  size_t taken_bytes_ = 0;  // Of the batch that are in the index.
  uint32_t taken_changes_ = 0;
};

}  // namespace varve::c
