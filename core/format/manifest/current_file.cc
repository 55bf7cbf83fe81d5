// SPDX-License-Identifier: Apache-2.0
#include "core/format/manifest/current_file.h"

#include <optional>

#include "core/format/file_name.h"

namespace varve {

std::string EncodeCurrentFile(FileNumber manifest) { return ManifestFileName(manifest) + "\n"; }

Result<FileNumber> DecodeCurrentFile(std::string_view contents) {
  if (!contents.ends_with('\n')) {
    return Status::Corruption("CURRENT does not end with a newline");
  }
  const std::string_view name = contents.substr(0, contents.size() - 1);
  const std::optional<FileName> parsed = ParseFileName(name);
  if (!parsed || parsed->kind != FileKind::kManifest) {
    return Status::Corruption("CURRENT does not name a MANIFEST");
  }
  return parsed->number;
}

}  // namespace varve
