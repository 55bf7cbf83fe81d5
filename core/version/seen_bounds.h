// SPDX-License-Identifier: Apache-2.0
// The bounds of the entries of a table, as they are seen one by one: what its description in the
// MANIFEST has to say.
#pragma once

#include <string>

#include "core/format/internal_key.h"
#include "core/format/manifest/file_description.h"
#include "varve/comparator.h"
#include "varve/types.h"

namespace varve {

// One thread. The comparator must outlive it.
class SeenBounds {
 public:
  explicit SeenBounds(const Comparator& order) : order_(order) {}

  void Cover(const InternalKey& key);
  void CoverSequence(Sequence sequence);

  bool empty() const { return smallest_.empty(); }  // No key was covered.
  // Encoded internal keys.
  const std::string& smallest() const { return smallest_; }
  const std::string& largest() const { return largest_; }
  Sequence first_sequence() const { return first_; }
  Sequence last_sequence() const { return last_; }

  // Sets the bounds and sequences of *out. Requires !empty().
  void Describe(FileDescription* out) const;

 private:
  int Compare(const InternalKey& key, const std::string& encoded) const;

  const Comparator& order_;
  std::string smallest_, largest_;
  Sequence first_ = kMaxSequence, last_ = 0;
};

}  // namespace varve
