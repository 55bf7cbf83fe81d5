// SPDX-License-Identifier: Apache-2.0
#include "core/format/manifest/current_file.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using namespace std::string_view_literals;

TEST_CASE("CurrentFile: what is written is read, in RocksDB's form") {
  CHECK(EncodeCurrentFile(5) == "MANIFEST-000005\n");
  for (const FileNumber number : {FileNumber{1}, FileNumber{1234567}, ~FileNumber{0}}) {
    CHECK(*DecodeCurrentFile(EncodeCurrentFile(number)) == number);
  }
}

TEST_CASE("CurrentFile: nothing but exactly one MANIFEST's name and a newline is accepted") {
  for (const std::string_view contents :
       {""sv, "\n"sv, "MANIFEST-000005"sv, "MANIFEST-000005\n\n"sv, "MANIFEST-000005\r\n"sv,
        " MANIFEST-000005\n"sv, "MANIFEST-\n"sv, "MANIFEST-5x\n"sv, "000005.log\n"sv,
        "OPTIONS-000005\n"sv, "./MANIFEST-000005\n"sv, "MANIFEST-000005\n\0"sv,
        "MANIFEST-99999999999999999999\n"sv, "MANIFEST--5\n"sv, "MANIFEST-000005.dbtmp\n"sv}) {
    CHECK(DecodeCurrentFile(contents).status().code() == Code::kCorruption);
  }
}

}  // namespace
}  // namespace varve
