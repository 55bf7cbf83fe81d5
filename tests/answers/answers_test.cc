// SPDX-License-Identifier: Apache-2.0
// One answer, whoever asks. Over every database and table of the hostile inputs and the fixtures,
// and over changes of theirs whose checksums are made right again, so that nothing but the meaning
// of the bytes is wrong:
//
//   sound for the verifier  <=>  opens, scans alike both ways, and each key is got as it was scanned
//   an explained get         =   the get: found or not, its value, its failure
//   an explained multiget    =   the multiget, key by key: likewise
//   an explained scan        =   the scan: rows, first and last key, its failure
//   what repair makes of it  ->  is sound, opens, and scans both ways
//
// The verifier may know more than reads meet: such findings are listed (kBeyondReads), and nothing
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
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/byte_writer.h"
#include "core/base/inline_executor.h"
#include "core/format/file_name.h"
#include "core/format/log/log_record.h"
#include "core/format/stored_value.h"
#include "core/format/table/block_trailer.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/explain/explain.h"
#include "core/inspect/explain/explain_scan.h"
#include "core/inspect/verify/verify.h"
#include "core/repair/database_repair.h"
#include "core/table/read/table_state.h"
#include "varve/db.h"
#include "varve/environment.h"

namespace varve {
namespace {

constexpr uint64_t kFileBytesMax = 16 << 20;
constexpr size_t kExplainedKeys = 12;
constexpr uint64_t kFailuresShown = 400, kFailuresShownEach = 2;
// Of more rows than this, some that are spread evenly are sought and got.
constexpr size_t kRowsAllAsked = 5000;
constexpr size_t kAskedKeys = 100;
// Beyond this size, an input is about what reading it costs, which tests/cost looks at.
constexpr uint64_t kSubjectBytesMax = 256 << 10;

// What the verifier finds and no read of the contents has to meet.
constexpr std::array<std::string_view, 18> kBeyondReads = {
    "the properties say",  // A count of what was read well.
    "the bounds that the MANIFEST gives",
    "has sequence numbers outside",
    "begins within",  // Two blocks share bytes.
    "the index points back",
    "its separator in the index is not behind",
    "its last key is after its separator",       // By its sequence: a snapshot's read may miss it.
    "goes on behind its own separator",          // Likewise, or no key is between the two.
    "begins before the separator",               // Likewise.
    "its first key is not after the separator",  // Searches go on in the next block.
    "the index: a block's entry",                // One that was decoded forwards at open.
    "a range deletion begins after its end",
    "the trailer says",  // Of a filter, or a block that only other readers use.
    "its trailer says",
    "is missing",  // A blob file that no entry of the present state points to.
    "the MANIFEST says",
    "filter",
    "wide columns: ",  // Of a version that a later one hides.
};

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

std::string ReadAll(FileSystem& fs, const std::string& path) {
  auto bytes = ReadFileToString(fs, path, kFileBytesMax);
  if (!bytes.ok()) Die(bytes.status().ToString());
  return *std::move(bytes);
}

void Write(FileSystem& fs, const std::string& path, std::string_view bytes) {
  auto file = fs.Create(path, /*direct=*/false);
  if (!file.ok() || !(*file)->Append(bytes).ok()) Die("cannot write " + path);
}

std::vector<std::string> Names(const std::string& path, bool directories) {
  const auto entries = Disk().List(path);
  if (!entries.ok()) Die(entries.status().ToString());
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory == directories) names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// ------------------------------------------------------------------------------ what was answered

// Between the rows that are asked about. One question may cost as much as all keys of a block.
size_t Step(size_t rows) { return rows <= kRowsAllAsked ? 1 : rows / kAskedKeys + 1; }

using Row = std::pair<std::string, std::string>;

// The first failure of a row of questions, and whether some feature kept one from being answered.
struct Answers {
  std::string wrong = {};  // Two answers differ, or a read failed.
  bool unsupported = false;

  void Fail(const std::string& what) {
    if (wrong.empty()) wrong = what;
  }
  // True: go on.
  bool Take(const Status& status, const std::string& what) {
    if (status.ok()) return true;
    if (status.code() == Code::kNotSupported) {
      unsupported = true;
    } else {
      Fail(what + ": " + status.ToString());
    }
    return false;
  }
};

bool IsBeyondReads(const Finding& finding) {
  return std::any_of(kBeyondReads.begin(), kBeyondReads.end(), [&](std::string_view known) {
    return finding.what.find(known) != std::string::npos;
  });
}

class Judge {
 public:
  void Begin(std::string name) {
    here_ = 0;
    name_ = std::move(name);
  }

  // The verifier's word against what reading gave.
  void Compare(const VerifyReport& report, const Answers& reads) {
    ++compared_;
    const auto worst = report.worst();
    if (worst == Finding::Severity::kWarning) {
      if (!reads.wrong.empty()) Fail("sound, but " + reads.wrong);
      return;
    }
    if (worst != Finding::Severity::kError) return;
    ++damaged_;
    if (!reads.wrong.empty() || reads.unsupported) return;
    for (const Finding& finding : report.findings) {
      if (finding.severity != Finding::Severity::kError || IsBeyondReads(finding)) continue;
      return Fail("all reads succeed, but " + finding.layer + " " + finding.file + ": " +
                  finding.what);
    }
  }
  void Fail(const std::string& what) {
    ++failures_;
    if (++here_ <= kFailuresShownEach && failures_ <= kFailuresShown)
      std::fprintf(stderr, "%s: %s\n", name_.c_str(), what.c_str());
  }

  uint64_t compared() const { return compared_; }
  uint64_t damaged() const { return damaged_; }
  uint64_t failures() const { return failures_; }

 private:
  std::string name_;
  uint64_t here_ = 0;  // Failures of the subject at hand.
  uint64_t compared_ = 0, damaged_ = 0, failures_ = 0;
};

// ------------------------------------------------------------------------------------ of a table

struct StoredRow {
  std::string key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;
};

class TableQuestions {
 public:
  explicit TableQuestions(const TableReader& table) : table_(table) {}

  Answers Ask() {
    if (Scan()) {
      Seek();
      Get();
    }
    return std::move(answers_);
  }

 private:
  bool Scan() {
    const auto it = table_.NewIterator({.fill_cache = false});
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      const InternalKey& key = it->key();
      rows_.push_back(
          {std::string(key.user_key), key.sequence, key.type, std::string(it->value())});
      answers_.Take(CheckStoredValue(key.user_key, key.type, it->value()), "a value");
    }
    if (!answers_.Take(it->status(), "scan")) return false;
    size_t left = rows_.size();
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      if (left == 0 || rows_[left - 1].key != it->key().user_key ||
          rows_[left - 1].value != it->value()) {
        answers_.Fail("backwards another entry comes than forwards");
        return false;
      }
      --left;
    }
    if (answers_.Take(it->status(), "scan backwards") && left != 0) {
      answers_.Fail("backwards entries are left out");
    }
    return answers_.wrong.empty();
  }

  void Seek() {
    if (table_.comparator() == nullptr) return;
    const auto it = table_.NewIterator({.fill_cache = false});
    for (size_t i = 0; i < rows_.size(); i += Step(rows_.size())) {
      const StoredRow& row = rows_[i];
      it->Seek({row.key, row.sequence, row.type});
      const bool there = it->Valid() && it->key().user_key == row.key && it->value() == row.value;
      if (!answers_.Take(it->status(), "seek")) return;
      if (!there) return answers_.Fail("a seek of " + row.key + " misses it");
    }
  }

  void Get() {
    if (table_.comparator() == nullptr) return;
    for (size_t i = 0; i < rows_.size(); i += Step(rows_.size())) {
      const StoredRow& row = rows_[i];
      Lookup lookup(row.key, row.sequence);
      table_.Get({}, &lookup, FilterVerdict::kNotAsked);
      if (!answers_.Take(lookup.status, "get")) return;
      if (lookup.state == Lookup::State::kSearching) {
        return answers_.Fail("a get of " + row.key + " does not find it");
      }
      if (row.type == ValueType::kValue && lookup.state == Lookup::State::kFound &&
          lookup.value.view() != row.value) {
        return answers_.Fail("a get of " + row.key + " has another value");
      }
    }
  }

  const TableReader& table_;
  Answers answers_;
  std::vector<StoredRow> rows_;
};

void CheckTable(FileSystem& fs, const std::string& path, Judge* judge) {
  const auto report = VerifyTable(fs, path, nullptr);
  if (!report.ok()) {
    if (report.status().code() != Code::kNotSupported) judge->Fail(report.status().ToString());
    return;
  }
  Answers answers;
  auto file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok()) Die(path);
  const auto table = TableReader::Open(*std::move(file), {});
  if (answers.Take(table.status(), "open")) answers = TableQuestions(**table).Ask();
  judge->Compare(*report, answers);
}

// --------------------------------------------------------------------------------- of a database

class DatabaseQuestions {
 public:
  DatabaseQuestions(FileSystem& fs, Judge* judge) : fs_(fs), judge_(judge) {
    environment_ = NativeEnvironment();
    environment_.file_system = &fs;
    environment_.executor = &executor_;
  }

  Answers Ask(const std::string& path) {
    path_ = path;
    Options options;
    options.env = environment_;
    options.block_cache_bytes = 1 << 20;
    RecoveryReport recovery;
    const auto db = DB::OpenReadOnly(options, path, &recovery);
    if (!answers_.Take(db.status(), "open")) {
      ExplainAgainstRefusal(db.status());
      return std::move(answers_);
    }
    // What recovery left out, everybody leaves out; whether that is damage is not asked here.
    if (!recovery.losses.empty()) answers_.unsupported = true;
    for (const FamilyInfo& family : (*db)->Families()) {
      if (ComparatorByName(family.comparator) == nullptr) {
        answers_.unsupported = true;
        continue;
      }
      AskFamily(**db, family);
    }
    return std::move(answers_);
  }

  // Makes "repaired", and asks it.
  void Repair(const std::string& path) {
    const auto repaired = RepairDatabase(environment_, path, "repaired", {});
    if (!repaired.ok()) return;  // It says what it cannot repair.
    Options options;
    options.env = environment_;
    options.block_cache_bytes = 1 << 20;
    options.wal_recovery_mode = WalRecoveryMode::kSkipAnyCorrupted;
    {
      const auto db = DB::Open(options, "repaired");
      if (!db.ok()) {
        // A batch with a right checksum that is none, or a MANIFEST that wants a log again which was
        // flushed: the command says so and leaves all as it was.
        const bool of_log = db.status().message().find(".log") != std::string_view::npos ||
                            db.status().message().find("do not follow") != std::string_view::npos;
        if (db.status().code() != Code::kNotSupported && !of_log) {
          judge_->Fail("the repaired database does not open: " + db.status().ToString());
        }
        return;
      }
      if (const Status closed = (*db)->Close(); !closed.ok()) judge_->Fail(closed.ToString());
    }
    const auto report = VerifyDatabase(fs_, "repaired", nullptr);
    if (!report.ok()) return judge_->Fail("repaired: " + report.status().ToString());
    for (const Finding& finding : report->findings) {
      if (finding.severity != Finding::Severity::kError) continue;
      return judge_->Fail("the repaired database has damage: " + finding.file + ": " +
                          finding.what);
    }
    const Answers reads = DatabaseQuestions(fs_, judge_).Ask("repaired");
    if (!reads.wrong.empty()) judge_->Fail("repaired: " + reads.wrong);
  }

 private:
  // What does not open is not explained either.
  void ExplainAgainstRefusal(const Status& refused) {
    const auto explained = ExplainGet(fs_, path_, {.key = "abc", .cache_bytes = 0});
    if (explained.ok() && explained->failure.ok() && refused.code() == Code::kCorruption &&
        refused.message().find(".log") != std::string_view::npos) {
      judge_->Fail("a get is explained that is refused: " + refused.ToString());
    }
  }

  void AskFamily(DB& db, const FamilyInfo& family) {
    rows_.clear();
    const Status scanned = Scan(db, family.id);
    ExplainScanAgainst(scanned, family.name);
    for (size_t i = 0; i < rows_.size(); i += Step(rows_.size())) {
      const auto value = db.Get({}, rows_[i].first, family.id);
      if (!answers_.Take(value.status(), "get")) break;
      if (!*value) {
        answers_.Fail("a get of " + rows_[i].first + " does not find it");
      } else if ((*value)->view() != rows_[i].second) {
        answers_.Fail("a get of " + rows_[i].first + " has another value");
      }
    }
    const size_t step = rows_.size() / kExplainedKeys + 1;
    std::vector<std::string> keys;
    for (size_t i = 0; i < rows_.size(); i += step) keys.push_back(rows_[i].first);
    keys.emplace_back("abc");
    for (const std::string& key : keys) ExplainGetAgainst(db, family, key);
    ExplainMultiGetAgainst(db, family, keys);
  }

  Status Scan(DB& db, ColumnFamilyId family) {
    auto it = db.NewIterator({}, family);
    if (!answers_.Take(it.status(), "scan")) return it.status();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows_.emplace_back(std::string(it->key()), std::string(it->value()));
    }
    const Status forwards = it->status();
    const bool whole = answers_.Take(forwards, "scan");
    size_t left = rows_.size();
    for (it->SeekToLast(); whole && it->Valid(); it->Prev()) {
      if (left == 0 || rows_[left - 1].first != it->key() ||
          rows_[left - 1].second != it->value()) {
        answers_.Fail("backwards another row comes than forwards");
        return forwards;
      }
      --left;
    }
    if (whole && answers_.Take(it->status(), "scan backwards") && left != 0) {
      answers_.Fail("backwards rows are left out");
    }
    return forwards;
  }

  void ExplainScanAgainst(const Status& scanned, const std::string& family) {
    const auto explained =
        ExplainScan(fs_, path_, {.family = family, .limit = ~uint64_t{0}, .cache_bytes = 1 << 20});
    if (!explained.ok()) return judge_->Fail("explain scan: " + explained.status().ToString());
    Status problem;
    for (const ScanPart& part : explained->parts) {
      if (problem.ok()) problem = part.problem;
    }
    if (problem.code() != scanned.code()) {
      judge_->Fail("a scan: " + scanned.ToString() + "; explained: " + problem.ToString());
    } else if (scanned.ok() && explained->rows != rows_.size()) {
      judge_->Fail("a scan has " + std::to_string(rows_.size()) +
                   " rows; explained: " + std::to_string(explained->rows));
    }
  }

  void ExplainGetAgainst(DB& db, const FamilyInfo& family, const std::string& key) {
    const auto got = db.Get({}, key, family.id);
    const auto explained =
        ExplainGet(fs_, path_, {.family = family.name, .key = key, .cache_bytes = 0});
    if (!explained.ok()) return judge_->Fail("explain get: " + explained.status().ToString());
    CompareGot("a get of " + key, got, *explained);
  }

  void ExplainMultiGetAgainst(DB& db, const FamilyInfo& family,
                              const std::vector<std::string>& keys) {
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const auto got = db.MultiGet({}, views, family.id);
    const auto explained =
        ExplainMultiGet(fs_, path_, {.family = family.name, .cache_bytes = 0}, keys);
    if (!explained.ok()) return judge_->Fail("explain multiget: " + explained.status().ToString());
    if (explained->keys.size() != keys.size()) {
      return judge_->Fail("explain multiget has " + std::to_string(explained->keys.size()) +
                          " answers for " + std::to_string(keys.size()) + " keys");
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      CompareGot("a multiget of " + keys[i], got.at(i), explained->keys[i]);
    }
  }

  void CompareGot(const std::string& what, const Result<std::optional<Value>>& got,
                  const ExplainedGet& explained) {
    if (got.status().code() != explained.failure.code()) {
      return judge_->Fail(what + ": " + got.status().ToString() +
                          "; explained: " + explained.failure.ToString());
    }
    if (!got.ok()) return;
    if (got->has_value() != explained.found) {
      judge_->Fail(what + (*got ? " finds it" : " does not find it") + ", explained otherwise");
    } else if (*got && (*got)->view() != explained.value) {
      judge_->Fail(what + " and its explanation differ in the value");
    }
  }

  FileSystem& fs_;
  Judge* const judge_;
  InlineExecutor executor_;
  Environment environment_;
  std::string path_;
  Answers answers_;
  std::vector<Row> rows_;
};

void CheckDatabase(FileSystem& fs, Judge* judge) {
  const auto report = VerifyDatabase(fs, "db", nullptr);
  const Answers reads = DatabaseQuestions(fs, judge).Ask("db");
  if (report.ok()) {
    judge->Compare(*report, reads);
  } else if (report.status().code() != Code::kNotSupported && reads.wrong.empty()) {
    judge->Fail("verify gave up: " + report.status().ToString());
  }
  DatabaseQuestions(fs, judge).Repair("db");
}

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
  std::string bytes = ReadAll(fs, path);
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
    Write(fs, path, bytes);
    return true;
  }
  return false;
}

bool ChangeLog(FileSystem& fs, const std::string& path, std::mt19937_64& random) {
  std::string bytes = ReadAll(fs, path);
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
  Write(fs, path, bytes);
  return true;
}

// ------------------------------------------------------------------------------------- subjects

class Run {
 public:
  explicit Run(const Settings& settings) : settings_(settings) {}

  void Tables(const std::string& folder, bool changed) {
    for (const std::string& name : Names(folder, /*directories=*/false)) {
      if (!name.ends_with(".sst") && !name.ends_with(".ldb")) continue;
      if (name.find(settings_.only) == std::string::npos) continue;
      const std::string bytes = ReadAll(Disk(), folder + "/" + name);
      if (bytes.size() > kSubjectBytesMax) continue;
      for (size_t round = 0; round <= (changed ? settings_.changes : 0); ++round) {
        const auto fs = NewMemoryFileSystem();
        Write(*fs, name, bytes);
        if (!Begin(name, round)) continue;
        if (round > 0 && !ChangeTable(*fs, name, random_)) continue;
        const uint64_t before = judge_.failures();
        CheckTable(*fs, name, &judge_);
        if (judge_.failures() > before) Keep(*fs, {name}, "", round);
      }
    }
  }

  void Databases(const std::string& folder, bool changed) {
    for (const std::string& name : Names(folder, /*directories=*/true)) {
      if (name.find(settings_.only) == std::string::npos) continue;
      uint64_t bytes = 0;
      for (const std::string& file : Names(folder + "/" + name, false)) {
        bytes += *Disk().FileSize(folder + "/" + name + "/" + file);
      }
      if (bytes > kSubjectBytesMax) continue;
      for (size_t round = 0; round <= (changed ? settings_.changes : 0); ++round) {
        const auto fs = Copy(folder + "/" + name);
        Begin(name, round);
        if (round > 0 && !ChangeDatabase(*fs)) continue;
        const uint64_t before = judge_.failures();
        CheckDatabase(*fs, &judge_);
        if (judge_.failures() > before) {
          Keep(*fs, AllIn(*fs), name + "@" + std::to_string(round), round);
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
      Write(Disk(), to + "/" + name, ReadAll(fs, folder.empty() ? file : "db/" + file));
    }
  }
  static std::vector<std::string> AllIn(FileSystem& fs) {
    std::vector<std::string> names;
    const auto entries = fs.List("db");
    if (!entries.ok()) Die("db");
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }

  static std::unique_ptr<FileSystem> Copy(const std::string& folder) {
    auto fs = NewMemoryFileSystem();
    if (!fs->CreateDirectory("db").ok()) Die("db");
    for (const std::string& name : Names(folder, false)) {
      Write(*fs, "db/" + name, ReadAll(Disk(), folder + "/" + name));
    }
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
  Judge judge_;
};

int Main(const Settings& settings) {
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
