// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_description.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/format/internal_key.h"
#include "core/table/read/unique_id_check.h"

namespace varve {
namespace {

// The MANIFEST's bounds also end the table's range deletions: RocksDB writes these whole into each
// of the tables that they are split between. So the bounds are kept, except for points outside of
// them, and trimmed to the existing data. False: there are points outside.
bool SetBounds(const TableSurvey& survey, FileDescription* description) {
  const VirtualOrder order{survey.reader->comparator()};
  const auto before = [&](const std::string& a, const std::string& b) {
    return CompareInternalKeys(order, *DecodeInternalKey(a), *DecodeInternalKey(b)) < 0;
  };
  const FileDescription& found = survey.description;
  std::string smallest = std::max(description->smallest, found.smallest, before);
  std::string largest = std::min(description->largest, found.largest, before);
  bool right = true;
  if (!survey.smallest_point.empty()) {
    right = !before(survey.smallest_point, smallest) && !before(largest, survey.largest_point);
    smallest = std::min(smallest, survey.smallest_point, before);
    largest = std::max(largest, survey.largest_point, before);
  } else if (before(largest, smallest)) {
    right = false;
    smallest = found.smallest;
    largest = found.largest;
  }
  DCHECK(!before(largest, smallest));
  description->smallest = std::move(smallest);
  description->largest = std::move(largest);
  return right;
}

}  // namespace

FileDescription DescribeAsFound(const FileDescription& stored, const TableSurvey& survey,
                                bool salvaged, std::string* why) {
  CHECK(survey.reader != nullptr);
  const FileDescription& found = survey.description;
  FileDescription description = stored;
  const auto say = [why](const std::string& what) { *why += (why->empty() ? "" : "; ") + what; };
  if (!salvaged && stored.size != found.size) {
    say("the MANIFEST says " + std::to_string(stored.size) + " bytes");
  }
  description.size = found.size;
  if (!SetBounds(survey, &description)) say("the MANIFEST gives other bounds");
  if (found.smallest_sequence < stored.smallest_sequence ||
      found.largest_sequence > stored.largest_sequence) {
    if (!survey.reader->is_leveldb()) say("the MANIFEST gives other sequence numbers");
  }
  description.smallest_sequence = found.smallest_sequence;
  description.largest_sequence = found.largest_sequence;
  description.sequences_known = true;
  if (salvaged || !CheckUniqueId(*survey.reader, stored.number, stored.unique_id).ok()) {
    description.unique_id = {0, 0};
    description.file_checksum.clear();
    description.file_checksum_function.clear();
    description.tail_size = 0;
  }
  return description;
}

}  // namespace varve
