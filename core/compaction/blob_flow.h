// SPDX-License-Identifier: Apache-2.0
// What a compaction reads and keeps of each blob file: what it does not keep is garbage there, and
// the MANIFEST has to say so.
//
//   inputs --counting iterator--> read            garbage = read - kept
//   outputs that still refer to the same blob --> kept
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/iterator/internal_iterator.h"
#include "varve/comparator.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

// Blobs of each file. One thread.
class BlobFlow {
 public:
  // Counts the blob of an entry of type kBlobIndex. Corruption: `blob_index` is none of that key.
  Status Add(std::string_view user_key, std::string_view blob_index);
  void Add(const BlobFlow& other);
  bool empty() const { return files_.empty(); }

  // What is in this one and not in `kept`, by file. Requires that nothing is in `kept` alone.
  std::vector<BlobFileGarbage> Without(const BlobFlow& kept) const;

 private:
  struct Blobs {
    uint64_t count = 0;
    uint64_t bytes = 0;
  };
  std::map<FileNumber, Blobs> files_;
};

// `input`, whose blobs before user key `end` are added to *flow as it passes them. All but the
// input must outlive the result. Forwards only.
std::unique_ptr<InternalIterator> NewBlobCountingIterator(std::unique_ptr<InternalIterator> input,
                                                          const Comparator& comparator,
                                                          std::optional<std::string> end,
                                                          BlobFlow* flow);

}  // namespace varve
