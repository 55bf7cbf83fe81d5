// SPDX-License-Identifier: Apache-2.0
// Determines the blob files of a family. Input: what its tables point to, by file, and the
// MANIFEST's metadata of the files. Output: additions to the family's edit.
#pragma once

#include <map>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/version/blob_reader.h"
#include "core/version/version.h"
#include "varve/status.h"

namespace varve {

// Adds the `wanted` files: with the MANIFEST's metadata (`known`) unless the file contradicts it,
// otherwise with that of the file if it is intact, or of the values that are needed of it: tables
// point to no others of a damaged file. IoError if a file cannot be read.
Status AddBlobs(const BlobReader& blobs, const std::vector<BlobFileMetadata>& known,
                const std::map<FileNumber, BlobReader::Summary>& wanted, VersionEdit* edit);

}  // namespace varve
