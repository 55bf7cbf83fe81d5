// SPDX-License-Identifier: Apache-2.0
// BlobSeparator decides which values of a flush or compaction go to blob files, and writes them
// there (ColumnFamilyOptions::blobs):
//
//   put with a large value             -> blob, and an entry that refers to it
//   refers to a blob in an old file    -> the blob is read and written again, or becomes a put
//   refers to any other blob           -> stays as it is, and is counted
//   anything else                      -> stays as it is
//
// A value that the codec does not make smaller goes to another file, which is not compressed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/codec/compression.h"
#include "core/compaction/blob_flow.h"
#include "core/compaction/blob_output.h"
#include "core/compaction/job_context.h"
#include "core/format/internal_key.h"
#include "core/version/file_metadata.h"
#include "varve/result.h"
#include "varve/value.h"

namespace varve {

class BlobSeparator {
 public:
  // `level`: of the tables that the entries are for. `job` must outlive the separator. Blobs in
  // files with numbers below `collect_below` are written again; 0: none.
  BlobSeparator(const JobContext& job, int level, FileNumber collect_below);
  ~BlobSeparator();

  // Changes the entry into what belongs into the table. Both are valid until the next call.
  Status Separate(InternalKey* key, std::string_view* value);

  // Completes the files. On failure call Abandon().
  Status Finish();
  // Of Finish(): new files, and the blobs of others that the entries still refer to.
  std::vector<BlobFileAddition> TakeFiles() { return std::exchange(files_, {}); }
  const BlobFlow& kept() const { return kept_; }
  // No file remains.
  void Abandon();

 private:
  Status WriteBlob(InternalKey* key, std::string_view* value);
  Status Collect(InternalKey* key, std::string_view* value);
  Status Close(std::unique_ptr<BlobOutput>* output);

  const JobContext& job_;
  const BlobOptions& options_;
  const FileNumber collect_below_;
  const bool writes_;                       // Large values become blobs.
  std::unique_ptr<Compressor> compressor_;  // Null: none is wanted, or was needed yet.
  std::unique_ptr<BlobOutput> compressed_, plain_;
  std::vector<BlobFileAddition> files_;
  BlobFlow kept_;
  Value collected_;  // What was read of an old file.
  std::string packed_, index_;
};

// Blobs in files with lower numbers are to be written again: in the oldest `age_cutoff` of `files`,
// which are the family's, ascending. 0: in none.
FileNumber CollectBlobsBelow(const std::vector<BlobFileMetadata>& files,
                             const BlobOptions& options);

}  // namespace varve
