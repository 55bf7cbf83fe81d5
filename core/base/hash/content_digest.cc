// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash/content_digest.h"

#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"
#include "core/base/text/text.h"

namespace varve {

void ContentDigest::Add(std::string_view family, std::string_view key, std::string_view value) {
  buffer_.clear();
  AppendFixed64(&buffer_, state_);
  AppendLengthPrefixed(&buffer_, family);
  AppendLengthPrefixed(&buffer_, key);
  AppendLengthPrefixed(&buffer_, value);
  state_ = Xxh3_64(buffer_);
  ++count_;
}

std::string ContentDigest::hex() const { return Hex(state_, 16); }

}  // namespace varve
