// SPDX-License-Identifier: Apache-2.0
#include "core/wal/log_reader.h"

#include <doctest/doctest.h>

#include "core/base/codec/compression.h"
#include "core/format/log/log_record.h"
#include "tests/test_bytes.h"
#include "tests/unit/wal/log_bytes.h"

namespace varve {
namespace {

using namespace std::string_literals;
using Event = LogReader::Event;

std::string Zstd(std::string_view raw) {
  std::string frame;
  (*Compressor::Create(CompressionType::kZstd, 3, ""))->Compress(raw, &frame);
  return frame;
}

TEST_CASE("LogReader: an empty file ends at once and stays there") {
  const StringFile file("");
  LogReader reader(file, 0, 7);
  CHECK(reader.Next() == Event::kEnd);
  CHECK(reader.Next() == Event::kEnd);
}

TEST_CASE("LogReader: a file cut at every length gives whole records and says what is lost") {
  const std::vector<std::string> records = {Noise(50, 1), "", Noise(40000, 2), Noise(9, 3)};
  const std::string bytes = Written(records);
  const std::vector<Step> whole = ReadSteps(bytes);
  REQUIRE(Shape(whole) == "RRRRE");
  for (size_t size = 0; size < bytes.size(); ++size) {
    if (size > 200 && size % 97 != 0 && size % kLogBlockSize > 20 && size < 39900) continue;
    const std::vector<Step> steps = ReadSteps(bytes.substr(0, size));
    size_t complete = 0;
    while (whole[complete].end <= size) ++complete;
    const uint64_t end = complete == 0 ? 0 : whole[complete - 1].end;
    REQUIRE(Records(steps).size() == complete);
    REQUIRE(Shape(steps).back() == (size == end ? 'E' : 'T'));
    CHECK(steps.back().dropped == size - end);
    CHECK(steps.back().offset == end);
    CHECK(steps.back().inside_fragment == (complete == 2 && size >= kLogBlockSize));
  }
}

TEST_CASE("LogReader: any flipped bit of a record costs at most the rest of its block") {
  const std::string first = Physical(1, "first"), second = Physical(1, "second");
  const std::string bytes = first + second + Physical(1, "third");
  for (size_t bit = 0; bit < second.size() * 8; ++bit) {
    std::string damaged = bytes;
    char& byte = damaged[first.size() + bit / 8];
    byte = static_cast<char>(byte ^ (1 << bit % 8));
    const std::vector<Step> steps = ReadSteps(damaged);
    REQUIRE(steps.size() >= 2);
    CHECK(steps[0].record == "first");
    CHECK(steps[1].event != Event::kRecord);
    CHECK(steps[1].event != Event::kEnd);
    CHECK(steps[1].offset == first.size());
    CHECK(!steps[1].reason.empty());
  }
}

TEST_CASE("LogReader: a wrong checksum is reported with both values and its block dropped") {
  std::string bytes = Written({"first", "second", Noise(70000, 1), "last"});
  bytes[12 + 7] ^= 1;
  const std::vector<Step> steps = ReadSteps(bytes);
  // The block that goes holds the FIRST of the large record too, so its MIDDLE and LAST are
  // orphans.
  REQUIRE(Shape(steps) == "RBBBRE");
  CHECK(steps[1].offset == 12);
  CHECK(steps[1].dropped == kLogBlockSize - 12);
  CHECK(steps[1].reason.starts_with("checksum is "));
  CHECK(!steps[1].disorder);
  CHECK(steps[2].disorder);
  CHECK(Records(steps) == std::vector<std::string>{"first", "last"});
}

TEST_CASE("LogReader: a length beyond the block is bad, beyond a partial last block truncated") {
  std::string record = Physical(1, "x");
  record[4] = '\xff';
  record[5] = '\xff';
  CHECK(Shape(ReadSteps(record)) == "T");
  std::string full = record + std::string(kLogBlockSize - record.size(), '\0');
  CHECK(Shape(ReadSteps(full)) == "BE");  // The file ends with a block: not a torn tail.
  CHECK(Shape(ReadSteps(full + Physical(1, "y"))) == "BRE");
}

TEST_CASE("LogReader: zeros are the unwritten rest of a preallocated file") {
  CHECK(Shape(ReadSteps(Physical(1, "x") + std::string(100000, '\0'))) == "RE");
  CHECK(Shape(ReadSteps(Physical(1, "x") + std::string(6, '\0'))) == "RT");
  CHECK(Shape(ReadSteps(Physical(2, "x") + std::string(100, '\0'))) == "BE");
  CHECK(Shape(ReadSteps(Physical(0, "x"))) == "BE");  // Type 0 with a payload.
}

TEST_CASE("LogReader: a block's last bytes are skipped whatever they are") {
  for (size_t left = 1; left < kLogHeaderSize; ++left) {
    const std::string body = Physical(1, Noise(kLogBlockSize - kLogHeaderSize - left, 1));
    CHECK(Shape(ReadSteps(body + std::string(left, '\xee') + Physical(1, "x"))) == "RRE");
    CHECK(Shape(ReadSteps(body + std::string(left, '\xee'))) == "RE");
  }
}

TEST_CASE("LogReader: fragments out of order cost the fragments, not their neighbours") {
  const std::string full = Physical(1, "full"), first = Physical(2, "fi"),
                    middle = Physical(3, "mid"), last = Physical(4, "la");
  CHECK(Records(ReadSteps(first + middle + last)) == std::vector<std::string>{"fimidla"});
  CHECK(Shape(ReadSteps(middle + full)) == "BRE");
  CHECK(Shape(ReadSteps(last + full)) == "BRE");
  CHECK(Shape(ReadSteps(first)) == "T");
  const std::vector<Step> unfinished = ReadSteps(first + full + last);
  REQUIRE(Shape(unfinished) == "BRBE");
  CHECK(unfinished[0].disorder);
  CHECK(unfinished[0].inside_fragment);
  CHECK(unfinished[0].dropped == first.size());
  CHECK(unfinished[0].end == first.size());
  CHECK(Records(ReadSteps(first + first + last)) == std::vector<std::string>{"fila"});
}

TEST_CASE("LogReader: a first fragment of length 0 may be followed by anything that starts") {
  const std::string empty = Physical(2, "");
  CHECK(Shape(ReadSteps(empty + Physical(1, "x"))) == "RE");
  CHECK(Records(ReadSteps(empty + Physical(2, "a") + Physical(4, "b"))) ==
        std::vector<std::string>{"ab"});
  CHECK(Records(ReadSteps(empty + Physical(4, "b"))) == std::vector<std::string>{"b"});
}

TEST_CASE("LogReader: recyclable headers are read, and end at another log's records") {
  const std::string mine =
      Physical(6, "a") + Physical(7, "b") + Physical(8, "c") + Physical(5, "d");
  const std::vector<Step> steps = ReadSteps(mine + Physical(5, "old", 3) + Physical(5, "e"));
  REQUIRE(Shape(steps) == "RRORE");
  CHECK(steps[2].reason == "the record belongs to log 3");
  CHECK(!steps[2].inside_fragment);
  const std::vector<Step> cut = ReadSteps(Physical(6, "a") + Physical(5, "old", 3));
  REQUIRE(Shape(cut) == "OE");
  CHECK(cut[0].inside_fragment);
  // Only the low half of the number is stored.
  CHECK(Shape(ReadSteps(Physical(5, "a"), (uint64_t{9} << 32) + 7)) == "RE");
}

TEST_CASE("LogReader: a recyclable header after legacy records is bad") {
  const std::vector<Step> steps = ReadSteps(Physical(1, "a") + Physical(5, "b"));
  CHECK(Shape(steps) == "RBE");
  CHECK(Shape(ReadSteps(Physical(5, "a") + Physical(1, "b"))) == "RRE");
}

TEST_CASE(
    "LogReader: a recyclable header that the end of the file cuts off is truncated, else bad") {
  const std::string type_only = "\0\0\0\0\0\0\x05"s;
  CHECK(Shape(ReadSteps(Physical(5, "a") + type_only + "\x07\0"s)) == "RT");
  const std::string body = Physical(5, Noise(kLogBlockSize - kRecyclableLogHeaderSize - 8, 1));
  CHECK(Shape(ReadSteps(body + type_only + "\x07" + Physical(5, "b"))) == "RBRE");
}

TEST_CASE("LogReader: records about the file are skipped") {
  const std::string predecessor = Physical(130, Noise(24, 1));
  const std::string sizes = Physical(10, "\x01\0\0\0\x08\0"s);
  CHECK(Records(ReadSteps(predecessor + sizes + Physical(1, "x"))) ==
        std::vector<std::string>{"x"});
  CHECK(Records(ReadSteps(Physical(131, Noise(24, 1)) + Physical(11, "") + Physical(5, "x"))) ==
        std::vector<std::string>{"x"});
}

TEST_CASE("LogReader: an unknown type is skipped with its high bit and bad without") {
  for (const int type : {12, 64, 127}) {
    const std::vector<Step> steps = ReadSteps(Physical(type, "?") + Physical(1, "x"));
    CHECK(Shape(steps) == "BRE");
    CHECK(steps[0].reason == "unknown record type " + std::to_string(type));
  }
  for (const int type : {128, 129, 132, 255}) {
    CHECK(Shape(ReadSteps(Physical(type, "?") + Physical(1, "x"))) == "RE");
    CHECK(Shape(ReadSteps(Physical(2, "f") + Physical(type, "?") + Physical(4, "l"))) == "BBE");
  }
}

TEST_CASE("LogReader: compressed records are inflated one by one") {
  const std::string zstd = Physical(9, "\x07\0\0\0"s);
  const std::string raw = std::string(100000, 'r'), frame = Zstd(raw);
  const size_t half = frame.size() / 2;
  const std::string log = zstd + Physical(1, frame) + Physical(2, frame.substr(0, half)) +
                          Physical(4, frame.substr(half));
  CHECK(Records(ReadSteps(log)) == std::vector<std::string>{raw, raw});
  const std::vector<Step> broken = ReadSteps(zstd + Physical(1, "no frame") + Physical(1, frame));
  CHECK(Shape(broken) == "BRE");
  CHECK(broken[0].disorder);
  CHECK(Shape(ReadSteps(zstd + Physical(1, frame.substr(0, half)))) == "BE");
  CHECK(Shape(ReadSteps(zstd + Physical(1, frame + "x"))) == "BE");
}

TEST_CASE("LogReader: a compression record must be first, whole and known") {
  const std::string zstd = Physical(9, "\x07\0\0\0"s);
  CHECK(Shape(ReadSteps(Physical(9, "\0\0\0\0"s) + Physical(1, "x"))) == "RE");
  CHECK(Shape(ReadSteps(Physical(1, "x") + zstd + Physical(1, "y"))) == "RBRE");
  CHECK(Shape(ReadSteps(zstd + zstd)) == "BE");
  CHECK(Shape(ReadSteps(Physical(9, "\x07"))) == "BE");
  const std::vector<Step> steps = ReadSteps(Physical(9, "\x04\0\0\0"s) + Physical(1, "x"));
  CHECK(Shape(steps) == "I");
  CHECK(steps[0].reason == "000007.log@0: log compression 4");
}

TEST_CASE("LogReader: a frame that would fill the memory is refused") {
  // 256 MiB of zeros in about 8 KB: more than kBlockExpansionMax allows.
  std::string bomb = Zstd(std::string(size_t{256} << 20, '\0'));
  const std::string log = Written({bomb});
  const std::vector<Step> steps = ReadSteps(Physical(9, "\x07\0\0\0"s) + Physical(1, bomb));
  CHECK(Shape(steps) == "I");  // No damage that a mode of recovery may leave out.
  CHECK(steps[0].reason == "000007.log@11: zstd: the frame holds more than 67108864 bytes");
  CHECK(ReadSteps(log)[0].record == bomb);
}

TEST_CASE("LogReader: a failed read says so and is not the end of the log") {
  const std::string bytes = Written({Noise(600000, 1)});
  StringFile file(bytes);
  file.broken_at = 300000;
  LogReader reader(file, bytes.size(), 7);
  CHECK(reader.Next() == Event::kIoError);
  CHECK(reader.status().code() == Code::kIoError);
  CHECK(reader.Next() == Event::kIoError);

  const StringFile shrunk(bytes.substr(0, 1000));
  LogReader other(shrunk, bytes.size(), 7);
  CHECK(other.Next() == Event::kIoError);
  CHECK(other.status().message() ==
        "000007.log@1000: the file ends here, it had " + std::to_string(bytes.size()) + " bytes");
}

TEST_CASE("LogReader: any bytes end in finitely many steps") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string bytes = Noise(70000, seed);
    for (size_t at = 6; at < bytes.size(); at += 300) bytes[at] = static_cast<char>(at % 12);
    CHECK(ReadSteps(bytes).size() < 20000);
  }
}

// As RocksDB's log_writer.cc: too little for a header is left of a block, and filled with zeros.
TEST_CASE("LogReader: the blocks of a log with recyclable headers end in up to 10 zeros") {
  for (size_t left = 0; left <= kRecyclableLogHeaderSize; ++left) {
    CAPTURE(left);
    const size_t payload = kLogBlockSize - kRecyclableLogHeaderSize - left;
    std::string log = Physical(5, Noise(payload, 1), 7);
    if (left < kRecyclableLogHeaderSize) {
      log.append(left, '\0');
    } else {
      log += Physical(6, "", 7);  // A header fits, though nothing else.
    }
    log += Physical(left < kRecyclableLogHeaderSize ? 5 : 8, "next", 7);
    CHECK(Shape(ReadSteps(log)) == "RRE");
    // The same at the end of the file.
    if (left < kRecyclableLogHeaderSize) {
      CHECK(Shape(ReadSteps(log.substr(0, kLogBlockSize))) == "RE");
    }
  }
  // A legacy header would have fit.
  const std::string legacy = Physical(1, Noise(kLogBlockSize - 7 - 8, 1)) + std::string(8, '\0');
  CHECK(Shape(ReadSteps(legacy + Physical(1, "next"))) == "RBRE");
}

TEST_CASE("LogReader: a record of a previous life is one only if it is intact") {
  std::string old = Physical(5, "old", 3);
  CHECK(Shape(ReadSteps(Physical(5, "own", 7) + old)) == "ROE");
  old.back() ^= 1;
  CHECK(Shape(ReadSteps(Physical(5, "own", 7) + old)) == "RBE");
}

// What its writer cuts off when it closes the file is the previous life.
TEST_CASE("LogReader: a reused file may become shorter while it is read, another may not") {
  const std::string own = Physical(5, "own", 7);
  const auto read = [](const std::string& bytes, uint64_t size) {
    const StringFile file(bytes);
    LogReader log(file, size, 7);
    std::string shape;
    for (LogReader::Event event = LogReader::Event::kRecord;
         event == LogReader::Event::kRecord || event == LogReader::Event::kOld;) {
      event = log.Next();
      shape += "RETBOI"[static_cast<int>(event)];
    }
    return shape;
  };
  CHECK(read(own, 1000) == "RE");
  CHECK(read(own + own, 20 * kLogBlockSize) == "RRE");
  CHECK(read(own + own.substr(0, 12), 1000) == "RT");
  CHECK(read(Physical(1, "own"), 1000) == "I");
  CHECK(read("", 1000) == "I");
}

}  // namespace
}  // namespace varve
