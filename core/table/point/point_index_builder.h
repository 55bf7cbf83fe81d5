// SPDX-License-Identifier: Apache-2.0
// PointIndexBuilder makes the point index of a table as it is written, of the form that the options
// and the keys allow, or says why the table has none. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/format/table/table_properties.h"
#include "core/table/point/hash_index_builder.h"
#include "core/table/point/integer_index_builder.h"
#include "varve/options.h"

namespace varve {

class PointIndexBuilder {
 public:
  // Requires kInteger or kAny.
  explicit PointIndexBuilder(PointIndexKind kind);

  // In bytewise order. `is_new`: the key differs from the previous entry's. `hash`: Xxph3_64() of
  // a new key, if it is known.
  void Add(std::string_view user_key, bool is_new, std::optional<uint64_t> hash);
  // The entries added since the last call are a data block.
  void EndBlock();
  // Of the blocks, in order; may come later.
  void AddHandle(BlockHandle handle);

  // Of the index so far, roughly.
  uint64_t EstimatedSize() const;

  struct Built {
    std::string_view name;  // In the metaindex.
    std::string bytes;      // Empty: there is no index.
    std::string what;       // The form, or why there is none.
  };
  Built Finish();

 private:
  IntegerIndexBuilder integer_;
  std::optional<HashIndexBuilder> hash_;  // With kAny.
};

// What a table with these properties was written with: another with the same keys gets the same.
PointIndexKind PointIndexLike(const TableProperties& properties);

}  // namespace varve
