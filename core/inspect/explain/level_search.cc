// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/level_search.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

std::vector<FilePtr> FilesUpTo(std::span<const std::string> largest) {
  DCHECK(std::is_sorted(largest.begin(), largest.end()));
  std::vector<FilePtr> files;
  for (const std::string& key : largest) {
    FileDescription file;
    file.number = files.size() + 1;
    file.smallest = file.largest = EncodeInternalKey({key, 1, ValueType::kValue});
    files.push_back(std::make_shared<FileMetadata>(std::move(file)));
  }
  return files;
}

}  // namespace

LevelSearch::LevelSearch(std::span<const std::string> largest, std::vector<std::string> targets,
                         FileSearch search)
    : targets_(std::move(targets)), index_(*BytewiseComparator(), FilesUpTo(largest), search) {
  for (const std::string& target : targets_) keys_.push_back(LookupKey(target, 1));
}

}  // namespace varve
