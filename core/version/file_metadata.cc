// SPDX-License-Identifier: Apache-2.0
#include "core/version/file_metadata.h"

#include <optional>
#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

InternalKey Bound(const std::string& encoded) {
  const std::optional<InternalKey> key = DecodeInternalKey(encoded);
  CHECK(key.has_value());
  return *key;
}

}  // namespace

FileMetadata::FileMetadata(FileDescription d)
    : description(std::move(d)),
      smallest(Bound(description.smallest)),
      largest(Bound(description.largest)) {}

}  // namespace varve
