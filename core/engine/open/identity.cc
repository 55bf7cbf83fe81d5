// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/identity.h"

#include <cstdint>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/fs/durable.h"

namespace varve {

std::string NewDatabaseId(Random& random) {
  std::string id;
  uint64_t bits = 0;
  for (int i = 0; i < 32; ++i, bits >>= 4) {
    if (i % 16 == 0) bits = random.Next64();
    if (i == 8 || i == 12 || i == 16 || i == 20) id.push_back('-');
    uint64_t digit = bits & 15;
    if (i == 12) digit = 4;                // Version: random.
    if (i == 16) digit = 8 | (digit & 3);  // Variant.
    id.push_back("0123456789abcdef"[digit]);
  }
  return id;
}

Result<std::string> ReadIdentity(FileSystem& fs, const std::string& directory) {
  const std::string path = JoinPath(directory, kIdentityFileName);
  if (!fs.Exists(path)) return std::string();
  ASSIGN_OR_RETURN(std::string id, ReadFileToString(fs, path, kIdentityFileSizeMax));
  if (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

Status WriteIdentity(FileSystem& fs, const std::string& directory, const std::string& db_id) {
  return ReplaceFileDurably(fs, JoinPath(directory, TemporaryFileName(0)),
                            JoinPath(directory, kIdentityFileName), db_id);
}

}  // namespace varve
