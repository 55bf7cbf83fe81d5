// SPDX-License-Identifier: Apache-2.0
// One answer, whoever asks. Over every database and table of the hostile inputs and the fixtures,
// and over changes of theirs whose checksums are made right again, so that nothing but the meaning
// of the bytes is wrong:
//
//   sound for the verifier  <=>  opens, scans alike both ways, and each key is got as it is scanned
//   an explained get         =   the get: found or not, its value, its failure
//   an explained multiget    =   the multiget, key by key: likewise
//   an explained scan        =   the scan: rows, first and last key, its failure
//   what repair makes of it  ->  is sound, opens, and scans both ways
//
// The verifier may know more than reads meet: such findings are listed (judge.cc), and nothing
// else may be found where all reads succeed.
//
//   answers_test [--seed=N] [--changes=N] [--only=TEXT] [--keep=FOLDER] FIXTURES HOSTILE
//
// --keep writes each input that is answered differently into FOLDER.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/log/log_record.h"
#include "core/format/table/block_trailer.h"
#include "core/fs/memory_fs.h"
#include "core/table/read/table_state.h"
#include "tests/answers/judge.h"
#include "tests/answers/questions.h"
#include "tests/replay/replay.h"
#include "tests/test_files.h"
#include "varve/environment.h"

namespace varve {
namespace {
constexpr uint64_t kFailuresShown = 400;
// Beyond this size, an input is about what reading it costs, which tests/cost looks at.
constexpr uint64_t kSubjectBytesMax = 256 << 10;

struct Settings {
  uint64_t seed = 1;
  size_t changes = 4;  // Of each subject.
  std::string only, keep, fixtures, hostile;
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "answers_test: %s\n", what.c_str());
  std::exit(1);
}

FileSystem& Disk() { return *NativeEnvironment().file_system; }

// ----------------------------------------------------------- changes with checksums made right

// A byte of a block or record, chosen so that lengths, counts, offsets and types are hit.
void ChangeBytes(std::mt19937_64& random, char* bytes, size_t size) {
  constexpr std::array<uint8_t, 10> kTelling = {0, 1, 2, 7, 8, 0x0f, 0x11, 0x16, 0x7f, 0xff};
  // Blocks end in restarts and counts; entries begin with their lengths.
  const size_t from = random() % 3 == 0 && size > 16 ? size - 16 : 0;
  char& byte = bytes[from + random() % (size - from)];
  switch (random() % 3) {
    case 0:
      byte = static_cast<char>(byte ^ (1 << random() % 8));
      break;
    case 1:
      byte = static_cast<char>(kTelling[random() % kTelling.size()]);
      break;
    default:
      byte = static_cast<char>(byte + (random() % 2 == 0 ? 1 : -1));
  }
}

std::vector<BlockHandle> BlocksOf(const TableReader::Impl& table) {
  std::vector<BlockHandle> blocks = {table.index.handle, table.fetcher.footer().metaindex};
  for (const auto& [name, handle] : table.metaindex) blocks.push_back(handle);
  const auto add = [&](const Block& top) {
    IndexBlockCursor cursor;
    cursor.Attach(top, table.index.encoding);
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) blocks.push_back(cursor.handle());
  };
  if (table.index.two_levels) add(*table.index.top);
  if (table.filter.top() != nullptr) add(*table.filter.top());
  IndexCursor data(table.index, table.fetcher, {});
  for (bool on = data.SeekToFirst(); on; on = data.Next()) blocks.push_back(data.handle());
  return blocks;
}

// Changes a block that is stored as it is. False: this table has none where it was looked.
bool ChangeTable(FileSystem& fs, const std::string& path, std::mt19937_64& random) {
  auto file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok()) Die(path);
  const auto table = TableReader::Open(*std::move(file), {});
  if (!table.ok()) return false;
  const TableReader::Impl& impl = (*table)->impl();
  const std::vector<BlockHandle> blocks = BlocksOf(impl);
  const Footer& footer = impl.fetcher.footer();
  std::string bytes = ReadFile(fs, path);
  for (int tries = 0; tries < 8; ++tries) {
    // The first ones are index, metaindex and the like: as often as all data blocks together.
    const size_t few = std::min<size_t>(blocks.size(), 6);
    const BlockHandle block = blocks[random() % (random() % 2 == 0 ? few : blocks.size())];
    if (block.size == 0 || !block.FitsBelow(footer.offset)) continue;
    char* const payload = bytes.data() + block.offset;
    const auto type = static_cast<uint8_t>(payload[block.size]);
    if (type != 0) continue;
    for (uint64_t changes = 1 + random() % 2; changes > 0; --changes) {
      ChangeBytes(random, payload, block.size);
    }
    const uint32_t sum = ComputeBlockChecksum(footer.checksum, {payload, block.size}, type,
                                              footer.base_context_checksum, block.offset);
    std::memcpy(payload + block.size + 1, &sum, sizeof(sum));
    WriteFile(fs, path, bytes);
    return true;
  }
  return false;
}

bool ChangeLog(FileSystem& fs, const std::string& path, std::mt19937_64& random) {
  std::string bytes = ReadFile(fs, path);
  std::vector<std::pair<size_t, size_t>> records;  // Offset and size, header included.
  for (size_t at = 0; at + kLogHeaderSize <= bytes.size();) {
    const LogRecordHeader header = DecodeLogRecordHeader(std::string_view(bytes).substr(at));
    const size_t size = header.size() + header.length;
    const size_t left = kLogBlockSize - at % kLogBlockSize;
    if (header.type == 0 || size > left || at + size > bytes.size()) {
      at += left;
      continue;
    }
    if (header.length > 0) records.emplace_back(at, size);
    at += size;
    if (kLogBlockSize - at % kLogBlockSize < kLogHeaderSize)
      at += kLogBlockSize - at % kLogBlockSize;
  }
  if (records.empty()) return false;
  const auto [at, size] = records[random() % records.size()];
  char* const record = bytes.data() + at;
  const uint64_t header = DecodeLogRecordHeader({record, size}).size();
  ChangeBytes(random, record + header, size - header);
  const uint32_t crc = ComputeLogRecordCrc({record, size}).value;
  std::memcpy(record, &crc, sizeof(crc));
  WriteFile(fs, path, bytes);
  return true;
}

// ------------------------------------------------------------------------------------- subjects

class Run {
 public:
  explicit Run(const Settings& settings) : settings_(settings) {}

  void Tables(const std::string& folder, bool changed) {
    for (const std::string& name : NamesIn(Disk(), folder)) {
      if (!name.ends_with(".sst") && !name.ends_with(".ldb")) continue;
      if (name.find(settings_.only) == std::string::npos) continue;
      const std::string bytes = ReadFile(Disk(), folder + "/" + name);
      if (bytes.size() > kSubjectBytesMax) continue;
      for (size_t round = 0; round <= (changed ? settings_.changes : 0); ++round) {
        const auto fs = NewMemoryFileSystem();
        WriteFile(*fs, name, bytes);
        if (!Begin(name, round)) continue;
        if (round > 0 && !ChangeTable(*fs, name, random_)) continue;
        const uint64_t before = judge_.failures();
        CheckTable(*fs, name, &judge_);
        if (judge_.failures() > before) Keep(*fs, {name}, "", round);
      }
    }
  }

  void Databases(const std::string& folder, bool changed) {
    for (const std::string& name : NamesIn(Disk(), folder, /*directories=*/true)) {
      if (name.find(settings_.only) == std::string::npos) continue;
      uint64_t bytes = 0;
      for (const std::string& file : NamesIn(Disk(), folder + "/" + name, false)) {
        bytes += *Disk().FileSize(folder + "/" + name + "/" + file);
      }
      if (bytes > kSubjectBytesMax) continue;
      for (size_t round = 0; round <= (changed ? settings_.changes : 0); ++round) {
        const auto fs = Copy(folder + "/" + name);
        Begin(name, round);
        if (round > 0 && !ChangeDatabase(*fs)) continue;
        const uint64_t before = judge_.failures();
        CheckDatabase(*fs, &judge_);
        CheckRepaired(*fs, &judge_);
        if (judge_.failures() > before) {
          Keep(*fs, NamesIn(*fs, "db"), name + "@" + std::to_string(round), round);
        }
      }
    }
  }

  const Judge& judge() const { return judge_; }

 private:
  bool Begin(const std::string& name, size_t round) {
    random_.seed(settings_.seed * 1000003 + std::hash<std::string>()(name) + round);
    judge_.Begin(name + (round == 0 ? "" : ", change " + std::to_string(round)));
    return true;
  }

  // What was answered differently, for a look at it.
  void Keep(FileSystem& fs, const std::vector<std::string>& files, const std::string& folder,
            size_t round) {
    if (settings_.keep.empty()) return;
    std::string to = settings_.keep + "/" + folder;
    if (!folder.empty() && !Disk().CreateDirectory(to).ok()) Die(to);
    for (const std::string& file : files) {
      const std::string name = folder.empty() ? file + "@" + std::to_string(round) : file;
      WriteFile(Disk(), to + "/" + name, ReadFile(fs, folder.empty() ? file : "db/" + file));
    }
  }
  static std::unique_ptr<FileSystem> Copy(const std::string& folder) {
    auto fs = NewMemoryFileSystem();
    CopyFiles(Disk(), folder, *fs, "db");
    return fs;
  }

  bool ChangeDatabase(FileSystem& fs) {
    std::vector<std::string> tables, logs;
    const auto entries = fs.List("db");
    if (!entries.ok()) Die(entries.status().ToString());
    for (const DirectoryEntry& entry : *entries) {
      const auto name = ParseFileName(entry.name);
      if (!name || entry.size == 0) continue;
      const bool table = name->kind == FileKind::kTable || name->kind == FileKind::kTableLdb;
      if (table) tables.push_back("db/" + entry.name);
      if (name->kind == FileKind::kWal || name->kind == FileKind::kManifest) {
        logs.push_back("db/" + entry.name);
      }
    }
    if (!tables.empty() && random_() % 2 == 0) {
      return ChangeTable(fs, tables[random_() % tables.size()], random_);
    }
    return !logs.empty() && ChangeLog(fs, logs[random_() % logs.size()], random_);
  }

  const Settings& settings_;
  std::mt19937_64 random_;
  Judge judge_{kFailuresShown};
};

int Main(const Settings& settings) {
  const std::string line = "answers --seed=" + std::to_string(settings.seed) +
                           " --changes=" + std::to_string(settings.changes);
  replay::At(line);
  Run run(settings);
  run.Tables(settings.fixtures + "/sst", true);
  for (const std::string group :
       {"rocksdb-7.8.3", "rocksdb-11.9", "leveldb-1.23", "hand", "damaged"}) {
    run.Databases(settings.fixtures + "/db/" + group, true);
  }
  run.Tables(settings.hostile, false);
  run.Databases(settings.hostile, false);
  const Judge& judge = run.judge();
  std::printf("%llu questions, %llu of damaged ones, %llu answered differently (--seed=%llu)\n",
              static_cast<unsigned long long>(judge.compared()),
              static_cast<unsigned long long>(judge.damaged()),
              static_cast<unsigned long long>(judge.failures()),
              static_cast<unsigned long long>(settings.seed));
  if (judge.compared() == 0) Die("nothing was asked");
  if (judge.failures() > 0) replay::Print(line);
  return judge.failures() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  varve::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string value = word.substr(word.find('=') + 1);
    if (word.starts_with("--seed=")) {
      settings.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word.starts_with("--changes=")) {
      settings.changes = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word.starts_with("--only=")) {
      settings.only = value;
    } else if (word.starts_with("--keep=")) {
      settings.keep = value;
    } else if (settings.fixtures.empty()) {
      settings.fixtures = word;
    } else {
      settings.hostile = word;
    }
  }
  return varve::Main(settings);
}
