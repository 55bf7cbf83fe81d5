// SPDX-License-Identifier: Apache-2.0
// A blob file that RocksDB wrote. tests/cli/ldb_test.py compares more of them with its own tool.
#include "core/inspect/table/blob_report.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/scratch_directory.h"
#include "tests/test_files.h"
#include "varve/environment.h"

namespace varve {
namespace {

constexpr uint64_t kHeaderSize = 30, kRecordHeaderSize = 32, kFooterSize = 32;

FileSystem& Fs() { return *NativeEnvironment().file_system; }
std::string OfRocksDb() {
  return std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/blob/000013.blob";
}

// The records up to the end or an error.
uint64_t Count(BlobStream& stream) {
  StoredBlob blob;
  uint64_t count = 0, end = kHeaderSize;
  for (; stream.Next(&blob); ++count) {
    CHECK(blob.offset == end);
    end += kRecordHeaderSize + blob.key.size() + blob.value.size();
    CHECK(blob.key.size() == 9);
    const Result<Value> value = stream.ReadValue(blob);
    REQUIRE(value.ok());
    CHECK(value->view() == blob.value);
  }
  return count;
}

TEST_CASE("A blob file is read to its footer, or to what a crash left of it") {
  Result<BlobStream> whole = BlobStream::Open(Fs(), OfRocksDb());
  REQUIRE(whole.ok());
  CHECK(whole->compression() == CompressionType::kNone);
  CHECK(whole->family() == 0);
  REQUIRE(whole->blobs().has_value());
  CHECK(Count(*whole) == *whole->blobs());
  CHECK(whole->status().ok());

  const std::string bytes = ReadFile(Fs(), OfRocksDb());
  const ScratchDirectory scratch(ScratchDirectory::kMemory);
  const std::string cut = scratch.path() + "/000013.blob";
  WriteFile(Fs(), cut, bytes.substr(0, bytes.size() - kFooterSize));
  Result<BlobStream> unfinished = BlobStream::Open(Fs(), cut);
  REQUIRE(unfinished.ok());
  CHECK(!unfinished->blobs());
  CHECK(Count(*unfinished) == *whole->blobs());
  CHECK(unfinished->status().ok());

  WriteFile(Fs(), cut, bytes.substr(0, bytes.size() - kFooterSize - 1));
  Result<BlobStream> torn = BlobStream::Open(Fs(), cut);
  REQUIRE(torn.ok());
  CHECK(Count(*torn) == *whole->blobs() - 1);
  CHECK(torn->status().code() == Code::kCorruption);
}

TEST_CASE("A blob index says where the value is") {
  const std::string index("\x01\x07\x50\x05\x01", 5);
  const Result<BlobReference> at = ReportBlobIndex("key", index);
  REQUIRE(at.ok());
  CHECK(at->file == 7);
  CHECK(at->offset == 0x50);
  CHECK(at->size == 5);
  CHECK(at->compression == CompressionType::kSnappy);
  CHECK(ReportBlobIndex("key", index.substr(0, 4)).status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
