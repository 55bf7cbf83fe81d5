// SPDX-License-Identifier: Apache-2.0
#include "core/format/manifest/remote_compaction.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/format/internal_key.h"

namespace varve {
namespace {

FileDescription Table(FileNumber number, const std::string& first, const std::string& last) {
  FileDescription table;
  table.number = number;
  table.size = 1000 * number;
  table.smallest = EncodeInternalKey({first, 7, ValueType::kValue});
  table.largest = EncodeInternalKey({last, 3, ValueType::kDeletion});
  table.smallest_sequence = 3;
  table.largest_sequence = 7;
  table.unique_id = {number, 99};
  return table;
}

RemoteJob SomeJob() {
  RemoteJob job;
  job.id = "0123abcd-SESSION-7";
  job.directory = "/db";
  job.paths = {"/fast", "/slow"};
  job.db_id = "an id";
  job.family = 3;
  job.family_name = std::string("nul\0 in it", 10);
  job.comparator = "leveldb.BytewiseComparator";
  job.merge_operator = "MaxOperator";
  job.compaction_filter = "expired";
  job.input_level = 0;
  job.output_level = 5;
  job.bottommost = job.full = job.point_index = true;
  job.compression = CompressionType::kZstd;
  job.point_index_kind = PointIndexKind::kAny;
  job.target_file_size = 1 << 26;
  job.readahead_size = 1 << 21;
  job.subcompactions = 4;
  job.last_sequence = kMaxSequence;
  job.snapshots = {1, 5, kMaxSequence};
  job.full_history_ts_low = "12345678";
  job.options = {{"block_size", "8192"}, {"checksum", "kXXH3"}};
  job.files.family = 3;
  job.files.new_files = {{0, Table(9, "a", "k")}, {5, Table(4, "c", "f")}, {6, Table(2, "a", "z")}};
  return job;
}

RemoteResult SomeResult() {
  RemoteResult result;
  result.job_id = SomeJob().id;
  result.job_crc = {0xfedcba98};
  result.worker = "host:12";
  result.session = "ABCDEFGHIJ0123456789";
  result.entries_read = 1000;
  result.bytes_read = 1 << 20;
  result.micros = 5;
  result.entries = {10, 20};
  result.edit.family = 3;
  result.edit.deleted_files = {{0, 9}, {5, 4}};
  result.edit.new_files = {{5, Table(1, "a", "d")}, {5, Table(2, "e", "k")}};
  return result;
}

// With the checksum that its body has.
std::string Sealed(std::string file) {
  StoreFixed32(file.data() + 12, Mask(ComputeCrc32c(std::string_view(file).substr(16))).value);
  return file;
}

TEST_CASE("Jobs and results are what they were before they were encoded") {
  const auto job = DecodeRemoteJob("JOB", EncodeRemoteJob(SomeJob()));
  REQUIRE_MESSAGE(job.ok(), job.status().ToString());
  CHECK(*job == SomeJob());
  const auto result = DecodeRemoteResult("RESULT", EncodeRemoteResult(SomeResult()));
  REQUIRE_MESSAGE(result.ok(), result.status().ToString());
  CHECK(*result == SomeResult());
  CHECK(EncodeRemoteJob(SomeJob()).size() < 500);
}

TEST_CASE("A file that is cut, changed or of another kind is refused, with the place") {
  for (const std::string& file : {EncodeRemoteJob(SomeJob()), EncodeRemoteResult(SomeResult())}) {
    const bool is_job = file.starts_with("VARVEJOB");
    const auto status = [&](std::string_view bytes) {
      return is_job ? DecodeRemoteJob("x", bytes).status()
                    : DecodeRemoteResult("x", bytes).status();
    };
    REQUIRE(status(file).ok());
    for (size_t size = 0; size < file.size(); ++size) {
      CAPTURE(size);
      CHECK(status(file.substr(0, size)).code() == Code::kCorruption);
      if (size < 16) continue;
      const Status cut = status(Sealed(file.substr(0, size)));
      CHECK(cut.code() == Code::kCorruption);
      CHECK_MESSAGE(cut.message().starts_with("x@"), cut.ToString());
    }
    CHECK(status(Sealed(file + 'x')).message().find("bytes follow") != std::string::npos);
    for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
      std::string changed = file;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
      CAPTURE(bit);
      CHECK(!status(changed).ok());
    }
    std::string newer = file;
    newer[8] = 2;
    CHECK(status(newer).code() == Code::kNotSupported);
    CHECK(DecodeRemoteJob("x", file).ok() == is_job);
  }
}

TEST_CASE("Any bytes with the right checksum are decoded or refused, with the place") {
  std::mt19937_64 random(1);
  size_t decoded = 0;
  for (int round = 0; round < 20000; ++round) {
    const bool is_job = round % 2 == 0;
    std::string file = is_job ? EncodeRemoteJob(SomeJob()) : EncodeRemoteResult(SomeResult());
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      file[16 + random() % (file.size() - 16)] = static_cast<char>(random());
    }
    file = Sealed(file);
    const Status status =
        is_job ? DecodeRemoteJob("x", file).status() : DecodeRemoteResult("x", file).status();
    if (status.ok()) ++decoded;
    if (!status.ok()) CHECK_MESSAGE(status.message().starts_with("x@"), status.ToString());
  }
  CHECK(decoded > 0);
}

TEST_CASE("An id is no path") {
  CHECK(IsRemoteJobId("a-1"));
  for (const char* id : {"", "..", "a/b", "-a", "a b", "a.job"}) CHECK(!IsRemoteJobId(id));
  CHECK(!IsRemoteJobId(std::string(101, 'a')));
  RemoteJob job = SomeJob();
  job.id = "../x";
  CHECK(DecodeRemoteJob("x", EncodeRemoteJob(job)).status().message().starts_with("x@"));
  RemoteResult result = SomeResult();
  result.session = "../../../../../../ab";
  CHECK(DecodeRemoteResult("x", EncodeRemoteResult(result)).status().message().starts_with("x@"));
}

}  // namespace
}  // namespace varve
