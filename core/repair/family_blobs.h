// SPDX-License-Identifier: Apache-2.0
// Determines the blob files of a family. Input: the files that its tables name, and the MANIFEST's
// metadata of them. Output: additions to the family's edit.
#pragma once

#include <set>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/version/blob_reader.h"
#include "core/version/version.h"
#include "varve/status.h"

namespace varve {

// Adds the `wanted` files: with the MANIFEST's metadata (`known`) unless the file contradicts it,
// otherwise with that of the file if it is intact. IoError if a file cannot be read.
Status AddBlobs(const BlobReader& blobs, const std::vector<BlobFileMetadata>& known,
                const std::set<FileNumber>& wanted, VersionEdit* edit);

}  // namespace varve
