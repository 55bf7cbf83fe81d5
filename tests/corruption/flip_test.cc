// SPDX-License-Identifier: Apache-2.0
// Flips bytes of every table, MANIFEST, WAL, CURRENT, OPTIONS, IDENTITY and blob file of the
// fixtures, one at a time, and holds the verifier to its promise: a finding that names the file and
// the block, record or line that was hit, or else contents that are the same as before.
//
//   flip_test [--exhaustive] [--seed=N] [--samples=N] [--only=TEXT] FIXTURES
//
// Small files are flipped byte by byte, larger ones at places drawn from the seed; --exhaustive
// flips every bit of every byte of every file.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/format/file_name.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/verify/verify.h"
#include "core/table/read/table_state.h"
#include "core/wal/log_reader.h"
#include "tests/replay/replay.h"
#include "tests/test_files.h"
#include "varve/environment.h"

namespace varve {
namespace {

constexpr size_t kSmallFile = 1300;  // Flipped at each byte.

struct Settings {
  bool exhaustive = false;
  uint64_t seed = 1;
  size_t samples = 60;
  std::string only;
  std::string fixtures;
};

FileSystem& Disk() { return *NativeEnvironment().file_system; }

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "flip_test: %s\n", what.c_str());
  std::exit(1);
}

// Every entry as stored; the failure's code where they cannot be read.
std::string Entries(Result<EntryStream> stream) {
  if (!stream.ok()) {
    // Features that are not implemented stay so, whatever is flipped elsewhere.
    return stream.status().code() == Code::kNotSupported ? "unsupported" : "unreadable";
  }
  std::string text;
  StoredEntry entry;
  while (stream->Next(&entry)) {
    text.append(entry.key).append(1, '\0').append(std::to_string(entry.sequence));
    text.append(entry.type).append(1, '\0').append(entry.value).append(1, '\n');
  }
  return stream->status().ok() ? text : "unreadable";
}

std::string TableContents(FileSystem& fs, const std::string& path) {
  return Entries(EntryStream::OpenTable(fs, path, {}));
}

std::string DatabaseContents(FileSystem& fs, const std::string& path) {
  const Result<LsmReport> report = ReportLsm(fs, path);
  if (!report.ok()) return "unreadable";
  std::string text = std::to_string(report->last_sequence) + "\n";
  for (const FamilyReport& family : report->families) {
    text += std::to_string(family.id) + family.name + "\n" + family.comparator + "\n";
    text += Entries(EntryStream::OpenDatabase(fs, path, family.name, {}));
  }
  return text;
}

// Where the parts of a file begin: blocks of a table, records of a log, lines of a text. A finding
// is near a byte if it points into the same part.
using Parts = std::vector<uint64_t>;

void AddBlocks(const TableReader::Impl& table, Parts* parts) {
  const auto add_all = [&](const Block& top) {
    IndexBlockCursor cursor;
    cursor.Attach(top, table.index.encoding);
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      parts->push_back(cursor.handle().offset);
    }
  };
  for (const auto& [name, handle] : table.metaindex) parts->push_back(handle.offset);
  parts->push_back(table.index.handle.offset);
  parts->push_back(table.fetcher.footer().metaindex.offset);
  parts->push_back(table.fetcher.footer().offset);
  add_all(*table.index.top);
  if (table.filter.top() != nullptr) add_all(*table.filter.top());
  IndexCursor cursor(table.index, table.fetcher, {});
  for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
    parts->push_back(cursor.handle().offset);
  }
}

Parts PartsOfTable(FileSystem& fs, const std::string& path) {
  Parts parts = {0};
  auto file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok()) Die(path);
  const auto reader = TableReader::Open(*std::move(file), {});
  if (reader.ok()) AddBlocks((*reader)->impl(), &parts);
  std::sort(parts.begin(), parts.end());
  return parts;
}

Parts PartsOfLog(FileSystem& fs, const std::string& path, uint64_t number) {
  Parts parts = {0};
  const auto file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok()) Die(path);
  LogReader reader(**file, *(*file)->Size(), number);
  while (reader.Next() == LogReader::Event::kRecord) {
    parts.push_back(reader.record_offset());
    parts.push_back(reader.end_offset());
  }
  return parts;
}

Parts PartsOfText(std::string_view text) {
  Parts parts = {0};
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') parts.push_back(at + 1);
  }
  return parts;
}

bool SamePart(const Parts& parts, uint64_t a, uint64_t b) {
  return std::upper_bound(parts.begin(), parts.end(), a) ==
         std::upper_bound(parts.begin(), parts.end(), b);
}

// A file under test, in a directory or on its own.
struct Subject {
  std::string name;       // For messages, and for --only.
  std::string file;       // As findings name it.
  std::string path;       // In the memory file system.
  std::string directory;  // Of the database; empty: a table on its own.
};

struct Tally {
  uint64_t flips = 0, found = 0, harmless = 0, warned_only = 0;
};

class Flipper {
 public:
  explicit Flipper(const Settings& settings) : settings_(settings) {}

  void Run(FileSystem& fs, const Subject& subject, const Parts& parts) {
    if (subject.name.find(settings_.only) == std::string::npos) return;
    fs_ = &fs;
    subject_ = &subject;
    parts_ = &parts;
    const std::string good = ReadFile(fs, subject.path);
    contents_ = Contents();
    for (const auto& [at, mask] : Places(good.size())) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ mask);
      WriteFile(fs, subject.path, bad);
      Check(at, mask);
    }
    WriteFile(fs, subject.path, good);
  }

  const Tally& tally() const { return tally_; }
  uint64_t failures() const { return failures_; }

 private:
  std::string Contents() const {
    return subject_->directory.empty() ? TableContents(*fs_, subject_->path)
                                       : DatabaseContents(*fs_, subject_->directory);
  }

  std::vector<std::pair<size_t, int>> Places(size_t size) const {
    std::vector<std::pair<size_t, int>> places;
    std::mt19937_64 random(settings_.seed * 1000003 + std::hash<std::string>()(subject_->name));
    if (settings_.exhaustive) {
      for (size_t at = 0; at < size; ++at) {
        for (int bit = 0; bit < 8; ++bit) places.emplace_back(at, 1 << bit);
      }
    } else if (size <= kSmallFile) {
      for (size_t at = 0; at < size; ++at) places.emplace_back(at, 1 << random() % 8);
    } else {
      // Half of them where the parts are small and many: at the end.
      for (size_t i = 0; i < settings_.samples; ++i) {
        const size_t from = i % 2 == 0 ? 0 : size - std::min<size_t>(size, 1500);
        places.emplace_back(from + random() % (size - from), 1 << random() % 8);
      }
    }
    return places;
  }

  void Check(size_t at, int mask) {
    ++tally_.flips;
    const Result<VerifyReport> report = subject_->directory.empty()
                                            ? VerifyTable(*fs_, subject_->path, nullptr)
                                            : VerifyDatabase(*fs_, subject_->directory, nullptr);
    if (!report.ok()) return Fail(at, mask, "verify gave up: " + report.status().ToString());
    bool near = false, error = false;
    for (const Finding& finding : report->findings) {
      if (finding.file != subject_->file) continue;
      // The format's one way to be without a guard; that it is so, is said.
      near |= finding.what.starts_with("has no checksums");
      if (!finding.offset) continue;
      if (!SamePart(*parts_, *finding.offset, at)) continue;
      near = true;
      error |= finding.severity != Finding::Severity::kWarning;
    }
    if (near) {
      ++tally_.found;
      tally_.warned_only += !error;
      return;
    }
    if (Contents() == contents_) {
      ++tally_.harmless;
      return;
    }
    std::string findings;
    for (const Finding& finding : report->findings) {
      findings += "\n    " + finding.file +
                  (finding.offset ? "@" + std::to_string(*finding.offset) : "") + ": " +
                  finding.what;
    }
    Fail(at, mask, "changes the contents and is not found where it is" + findings);
  }

  void Fail(size_t at, int mask, const std::string& why) {
    if (++failures_ <= 40) {
      std::fprintf(stderr, "%s: byte %zu ^ %02x: %s\n", subject_->name.c_str(), at,
                   static_cast<unsigned>(mask), why.c_str());
    }
  }

  const Settings& settings_;
  FileSystem* fs_ = nullptr;
  const Subject* subject_ = nullptr;
  const Parts* parts_ = nullptr;
  std::string contents_;
  Tally tally_;
  uint64_t failures_ = 0;
};

void FlipTables(const Settings& settings, Flipper* flipper) {
  const std::string folder = settings.fixtures + "/sst";
  for (const std::string& name : NamesIn(Disk(), folder)) {
    if (!name.ends_with(".sst") && !name.ends_with(".ldb")) continue;
    const auto fs = NewMemoryFileSystem();
    WriteFile(*fs, name, ReadFile(Disk(), folder + "/" + name));
    flipper->Run(*fs, {"sst/" + name, name, name, ""}, PartsOfTable(*fs, name));
  }
}

void FlipDatabase(const std::string& group, const std::string& folder, Flipper* flipper) {
  const auto fs = NewMemoryFileSystem();
  CopyFiles(Disk(), folder, *fs, "db");
  for (const std::string& name : NamesIn(*fs, "db")) {
    const auto kind = ParseFileName(name);
    if (!kind) continue;
    const std::string path = "db/" + name;
    Parts parts = {0};
    if (kind->kind == FileKind::kTable || kind->kind == FileKind::kTableLdb) {
      parts = PartsOfTable(*fs, path);
    } else if (kind->kind == FileKind::kManifest || kind->kind == FileKind::kWal) {
      parts = PartsOfLog(*fs, path, kind->kind == FileKind::kWal ? kind->number : 0);
    } else if (kind->kind == FileKind::kOptions) {
      parts = PartsOfText(ReadFile(*fs, path));
    }
    flipper->Run(*fs, {group + "/" + name, name, path, "db"}, parts);
  }
}

int Main(const Settings& settings) {
  const std::string line =
      "corruption --seed=" + std::to_string(settings.seed) +
      (settings.exhaustive ? " --exhaustive" : " --samples=" + std::to_string(settings.samples));
  replay::At(line);
  Flipper flipper(settings);
  FlipTables(settings, &flipper);
  for (const std::string group : {"rocksdb-7.8.3", "rocksdb-11.9", "leveldb-1.23", "hand"}) {
    for (const std::string& name :
         NamesIn(Disk(), settings.fixtures + "/db/" + group, /*directories=*/true)) {
      FlipDatabase("db/" + group + "/" + name, settings.fixtures + "/db/" + group + "/" + name,
                   &flipper);
    }
  }
  const Tally& tally = flipper.tally();
  std::printf("%llu flips: %llu found (%llu as warnings only), %llu harmless, %llu wrong\n",
              static_cast<unsigned long long>(tally.flips),
              static_cast<unsigned long long>(tally.found),
              static_cast<unsigned long long>(tally.warned_only),
              static_cast<unsigned long long>(tally.harmless),
              static_cast<unsigned long long>(flipper.failures()));
  if (tally.flips == 0) Die("nothing was flipped");
  if (flipper.failures() > 0) replay::Print(line);
  return flipper.failures() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  varve::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string value = word.substr(word.find('=') + 1);
    if (word == "--exhaustive") {
      settings.exhaustive = true;
    } else if (word.starts_with("--seed=")) {
      settings.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word.starts_with("--samples=")) {
      settings.samples = std::strtoull(value.c_str(), nullptr, 10);
    } else if (word.starts_with("--only=")) {
      settings.only = value;
    } else {
      settings.fixtures = word;
    }
  }
  return varve::Main(settings);
}
