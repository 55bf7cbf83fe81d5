// SPDX-License-Identifier: Apache-2.0
#include "core/format/log/two_phase.h"

#include <doctest/doctest.h>

#include <string>

#include "core/format/log/write_batch_format.h"

namespace varve {
namespace {

using namespace std::string_literals;

// As RocksDB 7.8.3 wrote them, tests/fixtures/db/rocksdb-7.8.3/twopc/000004.log.
TEST_CASE("PreparedSection, CommitMark, RollbackMark: the bytes that RocksDB writes") {
  WriteBatch batch;
  batch.Put("r1", "1");
  StampBatch(&batch.mutable_bytes(), 2);
  CHECK(PreparedSection(batch, "txn-rolledback").bytes() ==
        "\x02\0\0\0\0\0\0\0\x01\0\0\0\x09\x01\x02r1\x01"
        "1\x0a\x0etxn-rolledback"s);
  CHECK(CommitMark("txn").bytes() == "\0\0\0\0\0\0\0\0\0\0\0\0\x0b\x03txn"s);
  CHECK(RollbackMark("txn").bytes() == "\0\0\0\0\0\0\0\0\0\0\0\0\x0c\x03txn"s);
}

TEST_CASE("PreparedSection: of a batch without changes, also of one that was moved from") {
  const std::string expected = "\0\0\0\0\0\0\0\0\0\0\0\0\x09\x0a\x01t"s;
  CHECK(PreparedSection(WriteBatch(), "t").bytes() == expected);
  CHECK(PreparedSection(WriteBatch(std::string()), "t").bytes() == expected);
}

}  // namespace
}  // namespace varve
