// SPDX-License-Identifier: Apache-2.0
#include "core/repair/family_blobs.h"

#include <algorithm>

namespace varve {
namespace {

void AddAsKnown(const BlobFileMetadata& known, VersionEdit* edit) {
  edit->blob_additions.push_back({.number = known.number,
                                  .blobs = known.blobs,
                                  .bytes = known.bytes,
                                  .checksum_method = known.checksum_method,
                                  .checksum_value = known.checksum_value});
  if (known.garbage_blobs == 0) return;
  edit->blob_garbage.push_back({known.number, known.garbage_blobs, known.garbage_bytes});
}

}  // namespace

Status AddBlobs(const BlobReader& blobs, const std::vector<BlobFileMetadata>& known,
                const std::map<FileNumber, BlobReader::Summary>& wanted, VersionEdit* edit) {
  for (const auto& [number, used] : wanted) {
    const auto summary = blobs.Verify(number);
    if (summary.status().code() == Code::kIoError) return summary.status();
    const auto stored = std::find_if(known.begin(), known.end(), [&](const BlobFileMetadata& blob) {
      return blob.number == number;
    });
    const bool fits =
        stored != known.end() &&
        (!summary.ok() || (summary->blobs == stored->blobs && summary->bytes == stored->bytes));
    if (fits) {
      AddAsKnown(*stored, edit);
    } else {
      const BlobReader::Summary counted = summary.ok() ? *summary : used;
      edit->blob_additions.push_back({.number = number,
                                      .blobs = counted.blobs,
                                      .bytes = counted.bytes,
                                      .checksum_method = "",
                                      .checksum_value = ""});
    }
  }
  return Status::Ok();
}

}  // namespace varve
