// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/footer.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

constexpr uint64_t kOffset = 10000;

Footer SomeFooter(uint32_t format_version) {
  Footer footer;
  footer.format_version = format_version;
  footer.checksum = ChecksumType::kXxh3;
  footer.metaindex = {kOffset - 5 - 105, 105};
  footer.offset = kOffset;
  if (format_version >= 6) {
    footer.base_context_checksum = 0x3f062031;
  } else {
    footer.index = BlockHandle{9000, 400};
  }
  return footer;
}

std::string Encode(const Footer& footer) {
  std::string bytes;
  AppendFooter(&bytes, footer);
  return bytes;
}

Code Refusal(const std::string& bytes) {
  const ExactBytes exact(bytes);
  return DecodeFooter(exact.view(), kOffset + bytes.size()).status().code();
}

}  // namespace

TEST_CASE("Footer: decoding inverts encoding for format_version 2 to 7") {
  for (uint32_t version = 2; version <= 7; ++version) {
    const Footer footer = SomeFooter(version);
    const std::string bytes = Encode(footer);
    CHECK(bytes.size() == kFooterSize);
    const Footer decoded = Must(DecodeFooter(bytes, kOffset + kFooterSize));
    CHECK(decoded.format_version == version);
    CHECK(decoded.checksum == footer.checksum);
    CHECK(decoded.metaindex == footer.metaindex);
    CHECK(decoded.index == footer.index);
    CHECK(decoded.base_context_checksum == footer.base_context_checksum);
    CHECK(decoded.offset == kOffset);
    CHECK_FALSE(decoded.legacy_magic);
  }
}

TEST_CASE("Footer: RocksDB's own bytes of format_version 7 decode and come out again") {
  const std::string bytes = FromHex(
      "043e007a009c07dbcd3120063f69000000000000000000000000000000000000000000000000000000"
      "07000000f7cff485b741e288");
  const Footer footer = Must(DecodeFooter(bytes, 9925 + kFooterSize));
  CHECK(footer.format_version == 7);
  CHECK(footer.base_context_checksum == 0x3f062031);
  CHECK(footer.metaindex == BlockHandle{9815, 105});
  CHECK_FALSE(footer.index.has_value());
  CHECK(Encode(footer) == bytes);
}

TEST_CASE("Footer: RocksDB's own bytes of format_version 5 come out again") {
  const TableFile table("r78_tiny.sst");
  CHECK(table.footer().metaindex == BlockHandle{961, 32});
  CHECK(table.footer().index == BlockHandle{71, 18});
  CHECK(table.footer().checksum == ChecksumType::kCrc32c);
  CHECK(Encode(table.footer()) == table.bytes().substr(table.footer().offset));
}

TEST_CASE("Footer: LevelDB's is 48 bytes without version or checksum type") {
  const TableFile table("ldb123_bloom.ldb");
  CHECK(table.footer().legacy_magic);
  CHECK(table.footer().format_version == 0);
  CHECK(table.footer().checksum == ChecksumType::kCrc32c);
  CHECK(table.footer().offset == table.bytes().size() - kLegacyFooterSize);
}

TEST_CASE("Footer: other kinds of tables are refused by name") {
  for (const auto& [file, name] : {std::pair{"sst/r78_plain_table.sst", "PlainTable"},
                                   {"sst/r78_cuckoo_table.sst", "Cuckoo"}}) {
    const std::string bytes = ReadFixture(file);
    const auto footer =
        DecodeFooter(std::string_view(bytes).substr(bytes.size() - kFooterSize), bytes.size());
    REQUIRE_FALSE(footer.ok());
    CHECK(footer.status().code() == Code::kNotSupported);
    CHECK(footer.status().message().find(name) != std::string_view::npos);
  }
}

TEST_CASE("Footer: newer versions and checksum types are unsupported, not corrupt") {
  std::string bytes = Encode(SomeFooter(5));
  bytes[41] = 8;
  CHECK(Refusal(bytes) == Code::kNotSupported);
  bytes = Encode(SomeFooter(5));
  bytes[0] = 5;
  CHECK(Refusal(bytes) == Code::kNotSupported);
}

TEST_CASE("Footer: a damaged byte of format_version 6 is found, the 16 ignored ones too") {
  const std::string bytes = Encode(SomeFooter(6));
  for (size_t i = 0; i < 45; ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    CHECK_FALSE(DecodeFooter(damaged, kOffset + kFooterSize).ok());
  }
  CHECK(Refusal(bytes.substr(0, 9) + std::string(4, '\0') + bytes.substr(13)) == Code::kCorruption);
  CHECK_FALSE(DecodeFooter(bytes, kOffset + kFooterSize + 1).ok());  // Moved by a byte.
}

TEST_CASE("Footer: handles beyond the footer are corruption") {
  Footer footer = SomeFooter(5);
  footer.index = BlockHandle{kOffset - 404, 400};
  CHECK(Refusal(Encode(footer)) == Code::kCorruption);
  footer = SomeFooter(5);
  footer.metaindex = BlockHandle{~uint64_t{0}, ~uint64_t{0}};
  CHECK(Refusal(Encode(footer)) == Code::kCorruption);
}

TEST_CASE("Footer: files too short for one are corruption at every length") {
  const std::string bytes = Encode(SomeFooter(5));
  for (size_t size = 0; size < kFooterSize; ++size) {
    const ExactBytes end(bytes.substr(bytes.size() - size));
    CHECK(DecodeFooter(end.view(), size).status().code() == Code::kCorruption);
  }
}

}  // namespace varve
