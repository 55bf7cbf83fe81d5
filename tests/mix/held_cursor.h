// SPDX-License-Identifier: Apache-2.0
// A cursor that is kept open while the database changes, and what it should show.
#pragma once

#include <memory>
#include <string>

#include "tests/mix/database.h"
#include "tests/mix/dice.h"
#include "tests/mix/model.h"

namespace varve::mix {

class HeldCursor {
 public:
  // `contents` are those of the family at the moment that the cursor stands at.
  HeldCursor(std::unique_ptr<Cursor> cursor, std::string family, Range range,
             std::shared_ptr<const Snapshot> snapshot, const Contents& contents);

  const std::string& family() const { return family_; }
  bool at_snapshot() const { return at_snapshot_; }

  void LetGoOfSnapshot() { snapshot_.reset(); }
  // One move, drawn, and a look at where it got to. Returns what is wrong there.
  Trouble Move(Model* model, Dice* dice);
  Trouble ScanForwards();
  Trouble ScanBackwards();
  Trouble Refresh(const Contents& contents);

 private:
  Trouble Look(const std::string& move) const;
  Contents::const_iterator Before(Contents::const_iterator at) const;

  std::shared_ptr<const Snapshot> snapshot_;  // Kept as long as the cursor.
  std::unique_ptr<Cursor> cursor_;
  const std::string family_;
  const Range range_;
  bool at_snapshot_;
  Contents contents_;  // In the range.
  Contents::const_iterator at_;
};

}  // namespace varve::mix
