// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/engine/drawing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/engine/jobs/checkpoint.h"
#include "core/engine/jobs/ingest.h"
#include "core/engine/read/get.h"
#include "core/engine/read/multiget.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

constexpr std::string_view kAnswer = " -> ";
constexpr std::string_view kAnswerLine = "    ";
constexpr std::string_view kRule = "----";

std::string TextOf(const Status& status) { return status.ok() ? "" : status.ToString(); }

std::string TextOf(const Result<std::optional<Value>>& value) {
  if (!value.ok()) return value.status().ToString();
  if (!value->has_value()) return "none";
  return (**value).view().empty() ? "(empty)" : BytesText((**value).view());
}

// The words of `options` lines go into the options, the others stay.
std::vector<std::string> WithoutOptions(const std::vector<std::string>& setup, Options* options) {
  std::vector<std::string> rest;
  for (const std::string& line : setup) {
    if (!line.starts_with("options ")) {
      rest.push_back(line);
      continue;
    }
    for (const std::string& word : WordsOf(line.substr(8))) {
      const size_t equals = word.find('=');
      const OptionRow* const row = FindOption(word.substr(0, equals));
      REQUIRE_MESSAGE(row != nullptr, "no such option: " << word);
      const Status set = row->set(options, std::string_view(word).substr(equals + 1));
      REQUIRE_MESSAGE(set.ok(), set.ToString());
    }
  }
  return rest;
}

bool TakeWord(DrawnDatabase::Words* words, const std::string& word) {
  const auto at = std::find(words->begin(), words->end(), word);
  if (at == words->end()) return false;
  words->erase(at);
  return true;
}

// Of "name argument" among the words: the argument.
std::optional<std::string> TakeNamed(DrawnDatabase::Words* words, const std::string& name) {
  const auto at = std::find(words->begin(), words->end(), name);
  if (at == words->end()) return std::nullopt;
  REQUIRE(at + 1 != words->end());
  const std::string argument = *(at + 1);
  words->erase(at, at + 2);
  return argument;
}

WalRecoveryMode ModeOf(const std::string& name) {
  if (name == "absolute") return WalRecoveryMode::kAbsoluteConsistency;
  if (name == "tolerate") return WalRecoveryMode::kTolerateCorruptedTail;
  if (name == "skip") return WalRecoveryMode::kSkipAnyCorrupted;
  FAIL("no mode of recovery: " << name);
  return WalRecoveryMode::kPointInTime;
}

std::string LossText(const RecoveryLoss& loss) {
  return loss.file + "@" + std::to_string(loss.offset) + ": " + std::to_string(loss.bytes) +
         " bytes, " + loss.reason + (loss.damage ? " (damage)" : "");
}

std::string WhereIs(const DbIterator& it) {
  if (it.Valid()) return BytesText(it.key()) + "=" + BytesText(it.value());
  return it.status().ok() ? "end" : it.status().ToString();
}

}  // namespace

// What a read is told, and the bytes that it looks at.
struct DrawnDatabase::Read {
  std::string family = "default";
  DrawnRange bounds;
  std::optional<std::string> prefix;
  const Snapshot* snapshot = nullptr;

  ReadOptions Options() const {
    ReadOptions options;
    options.snapshot = snapshot;
    if (bounds.first) options.lower_bound = *bounds.first;
    if (bounds.second) options.upper_bound = *bounds.second;
    if (prefix) options.prefix = *prefix;
    return options;
  }
};

DrawnDatabase::DrawnDatabase(const std::vector<std::string>& setup, const Extras& extras)
    : files_(options_), extras_(extras) {
  options_.env = NativeEnvironment();
  options_.env.file_system = &files_.fs();
  options_.env.executor = &executor_;
  options_.family.merge_operator = MergeOperatorByName("stringappend");
  options_.family.disable_auto_compactions = true;
  options_.family.table.compression = CompressionType::kNone;
  files_.Write(WithoutOptions(setup, &options_));
}

DrawnDatabase::~DrawnDatabase() { Close(); }

void DrawnDatabase::Close() {
  iterators_.clear();
  snapshots_.clear();
  if (engine_ != nullptr) CHECK(engine_->Close().ok());
  engine_.reset();
}

Engine& DrawnDatabase::engine() {
  if (engine_ == nullptr) {
    const std::string opened = Open({});
    REQUIRE_MESSAGE(opened.empty(), opened);
  }
  return *engine_;
}

Family& DrawnDatabase::FamilyOf(const std::string& name) {
  const auto id = engine().FindFamily(name);
  REQUIRE_MESSAGE(id.has_value(), "there is no family " << name);
  return *engine().FindFamily(*id);
}

DrawnDatabase::Read DrawnDatabase::ReadOf(Words* words) {
  Read read;
  read.family = TakeNamed(words, "of").value_or("default");
  if (const auto name = TakeNamed(words, "at")) {
    REQUIRE_MESSAGE(snapshots_.contains(*name), "there is no snapshot " << *name);
    read.snapshot = &snapshots_[*name];
  }
  std::erase_if(*words, [&](const std::string& word) {
    if (word.starts_with("prefix=")) {
      read.prefix = ParseBytes(word.substr(7));
    } else if (!word.starts_with('[') && word.find("..") != std::string::npos) {
      read.bounds = ParseRange(word);
    } else {
      return false;
    }
    return true;
  });
  return read;
}

// --- operations

std::string DrawnDatabase::Run(const std::string& operation) {
  Words words = WordsOf(operation);
  const std::string verb = words[0];
  words.erase(words.begin());
  if (const auto extra = extras_.find(verb); extra != extras_.end()) {
    return extra->second(*this, words);
  }
  if (verb == "open") return Open(words);
  if (verb == "write") return Write(words, Durability::kBuffered);
  if (verb == "write-unlogged") return Write(words, Durability::kNone);
  if (verb == "flush") return Flush(words);
  if (verb == "compact") return Compact(words);
  if (verb == "wait") return TextOf(engine().WaitForBackgroundWork());
  if (verb == "get") return Get(words);
  if (verb == "scan") return Scan(words);
  if (verb == "iterator") return NewIterator(words);
  if (verb == "move") return Move(words);
  if (verb == "ingest") return Ingest(words);
  if (verb == "set") return Set(words);
  if (verb == "edits") {
    if (TakeWord(&words, "all")) files_.ForgetEdits();
    return files_.DrawNewEdits();
  }
  if (verb == "logs") return files_.DrawLogs();
  if (verb == "cut" || verb == "flip" || verb == "append" || verb == "remove") {
    return Damage(verb, words);
  }
  if (verb == "close") {
    Close();
  } else if (verb == "crash") {
    engine();
    files_.CopyTo("crashed");
    Close();
    files_.MoveTo("crashed");
  } else if (verb == "checkpoint") {
    const Status made = WriteCheckpoint(&engine(), "copy");
    Close();
    files_.MoveTo("copy");
    return TextOf(made);
  } else if (verb == "snapshot") {
    snapshots_[words[0]] = engine().snapshots()->Take();
  } else if (verb == "release") {
    CHECK_EQ(snapshots_.erase(words[0]) + iterators_.erase(words[0]), 1);
  } else if (verb == "create") {
    return TextOf(engine().CreateColumnFamily(words[0], options_.family).status());
  } else if (verb == "drop") {
    return TextOf(engine().DropColumnFamily(FamilyOf(words[0]).id()));
  } else {
    FAIL("no such operation: " << operation);
  }
  return "";
}

std::string DrawnDatabase::Open(const Words& words) {
  Close();
  Options options = options_;
  options.env.file_system = &files_.fs();
  read_only_ = false;
  for (const std::string& word : words) {
    if (word == "read-only") {
      read_only_ = true;
    } else if (word == "accept-loss") {
      options.accept_loss = true;
    } else {
      options.wal_recovery_mode = ModeOf(word);
    }
  }
  RecoveryReport report;
  auto opened = Engine::Open(options, {}, files_.directory(),
                             read_only_ ? OpenMode::kReadOnly : OpenMode::kReadWrite, &report);
  std::string text;
  for (const RecoveryLoss& loss : report.losses) text += LossText(loss) + "\n";
  if (!opened.ok()) return text + opened.status().ToString();
  engine_ = *std::move(opened);
  files_.DrawNewEdits();  // Of the opening: seen.
  return text;
}

std::string DrawnDatabase::Write(const Words& words, Durability durability) {
  WriteBatch batch;
  for (const std::string& word : words) {
    const DrawnEntry entry = ParseEntry(word);
    AddTo(&batch, FamilyOf(entry.family).id(), entry);
  }
  return TextOf(engine().Write({.durability = durability}, &batch));
}

std::string DrawnDatabase::Flush(const Words& words) {
  const std::string family = words.empty() ? "default" : words[0];
  if (family == "all") return TextOf(engine().FlushAll());
  return TextOf(engine().Flush({}, FamilyOf(family).id()));
}

std::string DrawnDatabase::Compact(const Words& given) {
  Words words = given;
  const bool force = TakeWord(&words, "force");
  const Read read = ReadOf(&words);
  REQUIRE(words.empty());
  return TextOf(engine().CompactRange({.force_bottommost = force}, read.bounds.first,
                                      read.bounds.second, FamilyOf(read.family).id()));
}

// One key by one and all at once must agree.
std::string DrawnDatabase::Get(const Words& given) {
  Words words = given;
  const Read read = ReadOf(&words);
  const auto view = FamilyOf(read.family).views().Current();
  const ReadOptions options = read.Options();
  const Sequence at =
      read.snapshot != nullptr ? read.snapshot->sequence() : engine().visible().load();
  std::vector<std::string> keys;
  for (const std::string& word : words) keys.push_back(ParseBytes(word));
  const std::vector<std::string_view> batch(keys.begin(), keys.end());
  const auto together = MultiGetFromView(*view, options, batch, at);
  std::vector<std::string> answers;
  for (size_t i = 0; i < keys.size(); ++i) {
    answers.push_back(TextOf(GetFromView(*view, options, keys[i], at)));
    CHECK_EQ(TextOf(together[i]), answers.back());
  }
  return Joined(answers);
}

// Both ways must agree.
std::string DrawnDatabase::Scan(const Words& given) {
  Words words = given;
  const Read read = ReadOf(&words);
  REQUIRE(words.empty());
  const ReadViewHolder& views = FamilyOf(read.family).views();
  const auto it = DbIterator::Create(views, views.Acquire(), engine().visible(), read.Options());
  std::vector<std::string> forward, backward;
  for (it->SeekToFirst(); it->Valid(); it->Next()) forward.push_back(WhereIs(*it));
  if (!it->status().ok()) return it->status().ToString();
  for (it->SeekToLast(); it->Valid(); it->Prev()) backward.push_back(WhereIs(*it));
  std::reverse(backward.begin(), backward.end());
  CHECK_EQ(Joined(forward), Joined(backward));
  return forward.empty() ? "nothing" : Joined(forward);
}

std::string DrawnDatabase::NewIterator(const Words& given) {
  Words words = given;
  const Read read = ReadOf(&words);
  REQUIRE_EQ(words.size(), 1);
  const ReadViewHolder& views = FamilyOf(read.family).views();
  iterators_[words[0]] =
      DbIterator::Create(views, views.Acquire(), engine().visible(), read.Options());
  return "";
}

std::string DrawnDatabase::Move(const Words& words) {
  const auto found = iterators_.find(words[0]);
  REQUIRE_MESSAGE(found != iterators_.end(), "there is no iterator " << words[0]);
  DbIterator& it = *found->second;
  std::vector<std::string> positions;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& step = words[i];
    const size_t equals = step.find('=');
    const std::string target =
        ParseBytes(equals == std::string::npos ? "" : step.substr(equals + 1));
    if (step == "first") {
      it.SeekToFirst();
    } else if (step == "last") {
      it.SeekToLast();
    } else if (step == "next") {
      it.Next();
    } else if (step == "prev") {
      it.Prev();
    } else if (step.starts_with("seek=")) {
      it.Seek(target);
    } else if (step.starts_with("back-from=")) {
      it.SeekForPrev(target);
    } else if (step == "refresh") {
      REQUIRE(it.Refresh().ok());
      continue;
    } else {
      FAIL("no such step: " << step);
    }
    positions.push_back(WhereIs(it));
  }
  return Joined(positions);
}

// ingest a=1 b=2 | x=1 no-overlap of two
std::string DrawnDatabase::Ingest(const Words& given) {
  Words words = given;
  IngestOptions options;
  options.allow_overlap = !TakeWord(&words, "no-overlap");
  options.move_files = true;
  const Read read = ReadOf(&words);
  std::vector<std::string> paths;
  std::vector<DrawnEntry> entries;
  words.emplace_back("|");
  for (const std::string& word : words) {
    if (word == "|") {
      paths.push_back(files_.WriteIngestible(std::exchange(entries, {})));
    } else {
      entries.push_back(ParseEntry(word));
    }
  }
  const FamilyTables tables{FamilyOf(read.family).id(), paths};
  return TextOf(IngestTables(&engine(), options, {&tables, 1}));
}

std::string DrawnDatabase::Set(const Words& given) {
  Words words = given;
  const Read read = ReadOf(&words);
  std::vector<std::pair<std::string, std::string>> changes;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    changes.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return TextOf(engine().SetOptions(changes, FamilyOf(read.family).id()));
}

// Of a closed database:  cut log 3   flip log:5 20   append log 7   remove table:12
std::string DrawnDatabase::Damage(const std::string& verb, const Words& words) {
  REQUIRE(engine_ == nullptr);
  FileSystem& fs = files_.fs();
  const std::string path = files_.PathOf(words[0]);
  if (verb == "remove") {
    REQUIRE(fs.Remove(path).ok());
    return "";
  }
  auto bytes = ReadFileToString(fs, path, 1 << 20);
  REQUIRE(bytes.ok());
  const bool from_end = words[1][0] == '-';
  const uint64_t number = ParseNumber(words[1].substr(from_end ? 1 : 0));
  if (verb == "append") {
    bytes->append(number, '\0');
  } else {
    const uint64_t at = verb == "cut" || from_end ? bytes->size() - number : number;
    REQUIRE_LT(at, bytes->size());
    if (verb == "cut") {
      bytes->resize(at);
    } else {
      (*bytes)[at] ^= 1;
    }
  }
  auto file = fs.Create(path, /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(*bytes).ok());
  return "";
}

// --- drawing

std::string DrawnDatabase::Draw() {
  const bool shows_memory = engine_ != nullptr;
  return files_.Draw(/*logs=*/!shows_memory) + (shows_memory ? MemoryText() : "");
}

// Newest first, as a reader meets them.
std::string DrawnDatabase::MemoryText() {
  std::string text;
  const auto draw = [&](const std::string& what, const MemTable& memtable) {
    if (memtable.empty()) return;
    text += what + ":";
    const auto it = memtable.NewIterator();
    for (it->SeekToFirst(); it->Valid(); it->Next())
      text += " " + EntryText(it->key(), it->value());
    if (const auto lists = memtable.Tombstones()) {
      for (const auto& list : *lists) {
        for (size_t i = 0; i < list->size(); ++i) {
          const auto t = list->tombstone(i);
          text += " " + EntryText({t.begin, t.sequence, ValueType::kRangeDeletion}, t.end);
        }
      }
    }
    text += "\n";
  };
  for (const FamilyInfo& info : engine_->Families()) {
    const std::string of = info.id == 0 ? "" : " of " + info.name;
    const auto view = engine_->FindFamily(info.id)->views().Current();
    if (view->memtable != nullptr) draw("memtable" + of, *view->memtable);
    for (const auto& sealed : view->immutables) draw("sealed" + of, *sealed);
  }
  return text;
}

// --- cases

namespace {

bool IsAnswerLine(const std::string& line) { return line.starts_with(kAnswerLine); }

// The operation with its answer: on its line if that is one line, else below it.
std::string WithAnswer(const std::string& operation, const std::string& answer) {
  const std::vector<std::string> lines = LinesOf(answer);
  if (lines.empty()) return operation + "\n";
  if (lines.size() == 1) return operation + std::string(kAnswer) + lines[0] + "\n";
  std::string text = operation + "\n";
  for (const std::string& line : lines) text += std::string(kAnswerLine) + line + "\n";
  return text;
}

// Drawings and operations take turns.
std::string RunCase(const std::vector<std::vector<std::string>>& parts,
                    const DrawnDatabase::Extras& extras) {
  std::vector<std::string> setup;
  std::string result;
  for (const std::string& line : parts[0]) {
    result += line + "\n";
    if (!line.starts_with('#')) setup.push_back(line);
  }
  CAPTURE(result);
  DrawnDatabase database(setup, extras);
  for (size_t i = 1; i < parts.size(); i += 2) {
    result += std::string(kRule) + "\n";
    for (const std::string& line : parts[i]) {
      if (IsAnswerLine(line)) continue;
      const std::string operation = line.substr(0, line.find(kAnswer));
      CAPTURE(operation);
      result += WithAnswer(operation, line.starts_with('#') ? "" : database.Run(operation));
    }
    result += std::string(kRule) + "\n" + database.Draw();
  }
  return result;
}

// Cases are parted by an empty line, their parts by rules.
std::string RunCases(const std::string& text, const DrawnDatabase::Extras& extras) {
  std::string result;
  std::vector<std::vector<std::string>> parts = {{}};
  const auto finish = [&] {
    if (parts.size() > 1) result += (result.empty() ? "" : "\n") + RunCase(parts, extras);
    parts = {{}};
  };
  for (const std::string& line : LinesOf(text)) {
    if (line.empty()) {
      finish();
    } else if (line == kRule) {
      parts.emplace_back();
    } else {
      parts.back().push_back(line);
    }
  }
  finish();
  return result;
}

}  // namespace

void CheckDrawings(const std::string& subject, const DrawnDatabase::Extras& extras) {
  const std::string path =
      std::string(VARVE_FIXTURES) + "/../snapshot/drawings/" + subject + ".txt";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  REQUIRE_FALSE(text.str().empty());
  const std::string result = RunCases(text.str(), extras);
  if (std::getenv("VARVE_UPDATE_SNAPSHOTS") != nullptr) std::ofstream(path) << result;
  CHECK_EQ(result, text.str());
}

}  // namespace varve
