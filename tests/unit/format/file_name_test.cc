// SPDX-License-Identifier: Apache-2.0
#include "core/format/file_name.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

TEST_CASE("FileName: every name that is made is parsed") {
  for (const FileNumber n : {FileNumber{0}, FileNumber{7}, FileNumber{1234567}, ~FileNumber{0}}) {
    CHECK(ParseFileName(ManifestFileName(n)) == FileName{FileKind::kManifest, n});
    CHECK(ParseFileName(WalFileName(n)) == FileName{FileKind::kWal, n});
    CHECK(ParseFileName(TableFileName(n)) == FileName{FileKind::kTable, n});
    CHECK(ParseFileName(TableLdbFileName(n)) == FileName{FileKind::kTableLdb, n});
    CHECK(ParseFileName(BlobFileName(n)) == FileName{FileKind::kBlob, n});
    CHECK(ParseFileName(TemporaryFileName(n)) == FileName{FileKind::kTemporary, n});
    CHECK(ParseFileName(OptionsFileName(n)) == FileName{FileKind::kOptions, n});
    CHECK(ParseFileName(OptionsTemporaryFileName(n)) == FileName{FileKind::kOptionsTemporary, n});
  }
}

TEST_CASE("FileName: names are RocksDB's") {
  CHECK(ManifestFileName(5) == "MANIFEST-000005");
  CHECK(WalFileName(11) == "000011.log");
  CHECK(TableFileName(1234567) == "1234567.sst");
  CHECK(TableLdbFileName(5) == "000005.ldb");
  CHECK(BlobFileName(13) == "000013.blob");
  CHECK(TemporaryFileName(0) == "000000.dbtmp");
  CHECK(OptionsFileName(9) == "OPTIONS-000009");
  CHECK(OptionsTemporaryFileName(9) == "OPTIONS-000009.dbtmp");
  CHECK(JoinPath("/db", "LOCK") == "/db/LOCK");
  CHECK(JoinPath("/db/", "LOCK") == "/db/LOCK");
}

TEST_CASE("FileName: the names without a number of their own") {
  CHECK(ParseFileName("CURRENT") == FileName{FileKind::kCurrent, 0});
  CHECK(ParseFileName("IDENTITY") == FileName{FileKind::kIdentity, 0});
  CHECK(ParseFileName("LOCK") == FileName{FileKind::kLock, 0});
  CHECK(ParseFileName("LOG") == FileName{FileKind::kInfoLog, 0});
  CHECK(ParseFileName("LOG.old") == FileName{FileKind::kInfoLog, 0});
  CHECK(ParseFileName("LOG.old.1700000000") == FileName{FileKind::kInfoLog, 1700000000});
  CHECK(ParseFileName("COMPACTION_PROGRESS-12.dbtmp") ==
        FileName{FileKind::kCompactionProgress, 12});
  CHECK(ParseFileName("METADB-3") == FileName{FileKind::kMetaDatabase, 3});
}

TEST_CASE("FileName: everything else is not ours") {
  for (const char* const name : {"",
                                 "current",
                                 "CURRENT ",
                                 "LOGX",
                                 "LOG.",
                                 "LOG.old.",
                                 "LOG.old.x",
                                 "LOG.new",
                                 "MANIFEST",
                                 "MANIFEST-",
                                 "MANIFEST-x",
                                 "MANIFEST-1.dbtmp",
                                 "OPTIONS-",
                                 "OPTIONS-1.tmp",
                                 ".log",
                                 "x.log",
                                 "1.log.trash",
                                 "000001.trash",
                                 "1x.sst",
                                 "-1.sst",
                                 "+1.sst",
                                 " 1.sst",
                                 "1.SST",
                                 "lost",
                                 "7.log",
                                 "0000007.log",
                                 "99.sst",
                                 "0000099.sst",
                                 "99.blob",
                                 "MANIFEST-5",
                                 "OPTIONS-7",
                                 "18446744073709551616.sst",
                                 "MYENGINE-STATE",
                                 "1.sst ",
                                 "METADB-1.dbtmp",
                                 "..",
                                 "a/1.sst"}) {
    CAPTURE(name);
    CHECK(!ParseFileName(name));
  }
}

}  // namespace
}  // namespace varve
