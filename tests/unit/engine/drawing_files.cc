// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/engine/drawing_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "core/format/file_name.h"
#include "core/format/log/write_batch_format.h"
#include "core/format/manifest/current_file.h"
#include "core/table/block/clock_cache.h"
#include "core/table/cache/table_cache.h"
#include "core/table/write/table_builder.h"
#include "core/version/manifest_reader.h"
#include "core/version/version.h"
#include "core/wal/log_reader.h"
#include "core/wal/log_writer.h"
#include "varve/merge_operator.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

constexpr uint64_t kFileBytesMax = 1 << 24;
constexpr FileNumber kManifestNumber = 1;

const Comparator& OrderOf(const Options& options) {
  return options.family.comparator == nullptr ? *BytewiseComparator() : *options.family.comparator;
}

std::unique_ptr<WritableFile> NewFile(FileSystem& fs, const std::string& path) {
  auto file = fs.Create(path, /*direct=*/false);
  REQUIRE(file.ok());
  return *std::move(file);
}

// "words: the rest".
std::pair<std::string, std::string> CutAtColon(const std::string& line) {
  const size_t colon = line.find(": ");
  if (colon != std::string::npos) return {line.substr(0, colon), line.substr(colon + 2)};
  REQUIRE_MESSAGE(line.ends_with(':'), "no colon: " << line);
  return {line.substr(0, line.size() - 1), ""};
}

// What "name=value" says of `name`.
std::optional<std::string> Named(const std::string& word, std::string_view name) {
  if (!word.starts_with(std::string(name) + "=")) return std::nullopt;
  return word.substr(name.size() + 1);
}

std::string BoundsText(const FileMetadata& file) {
  return "[" + BytesText(file.smallest.user_key) + ".." + BytesText(file.largest.user_key) +
         (file.ends_before_largest() ? ")" : "]");
}

std::set<FileNumber> TablesOf(const DatabaseState& state) {
  std::set<FileNumber> numbers;
  for (const FamilyState& family : state.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) numbers.insert(file->number());
    }
  }
  return numbers;
}

// Sorted as a table has them; range deletions apart.
struct TableContents {
  std::vector<DrawnEntry> points, deletions;
};

TableContents Sorted(std::vector<DrawnEntry> entries, const Comparator& order) {
  TableContents contents;
  for (DrawnEntry& entry : entries) {
    REQUIRE_MESSAGE(entry.sequence.has_value(), "a table's entry without sequence: " << entry.key);
    auto& list = entry.type == ValueType::kRangeDeletion ? contents.deletions : contents.points;
    list.push_back(std::move(entry));
  }
  const auto before = [&](const DrawnEntry& a, const DrawnEntry& b) {
    const InternalKey left{a.key, *a.sequence, a.type}, right{b.key, *b.sequence, b.type};
    const int c = order.Compare(left.user_key, right.user_key);
    return c != 0 ? c < 0 : left.packed() > right.packed();
  };
  std::sort(contents.points.begin(), contents.points.end(), before);
  return contents;
}

// The bounds that points and deletions have together, and their sequences.
void Describe(const TableContents& contents, const Comparator& order, FileDescription* table) {
  const auto widen = [&](const InternalKey& first, const InternalKey& last) {
    const auto precedes = [&](const InternalKey& a, const InternalKey& b) {
      const int c = order.Compare(a.user_key, b.user_key);
      return c != 0 ? c < 0 : a.packed() > b.packed();
    };
    if (table->smallest.empty() || precedes(first, *DecodeInternalKey(table->smallest))) {
      table->smallest = EncodeInternalKey(first);
    }
    if (table->largest.empty() || precedes(*DecodeInternalKey(table->largest), last)) {
      table->largest = EncodeInternalKey(last);
    }
  };
  table->smallest_sequence = kMaxSequence;
  const auto count = [&](Sequence sequence) {
    table->smallest_sequence = std::min(table->smallest_sequence, sequence);
    table->largest_sequence = std::max(table->largest_sequence, sequence);
  };
  for (const DrawnEntry& e : contents.points) {
    const InternalKey key{e.key, *e.sequence, e.type};
    widen(key, key);
    count(*e.sequence);
  }
  for (const DrawnEntry& e : contents.deletions) {
    widen({e.key, *e.sequence, e.type}, {e.value, kMaxSequence, e.type});
    count(*e.sequence);
  }
}

}  // namespace

DrawnFiles::DrawnFiles(const Options& options) : options_(options) {
  for (const char* directory : {"db", "in"}) REQUIRE(fs_->CreateDirectory(directory).ok());
}

// --- from a drawing

void DrawnFiles::Write(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    INFO(line);
    TakeLine(line);
  }
  WriteManifest();
}

void DrawnFiles::TakeLine(const std::string& line) {
  if (line.starts_with("family ")) return TakeFamily(line);
  if (line.starts_with("log ")) return TakeLog(line);
  if (line.starts_with("edit ")) return TakeEdit(line);
  if (line.starts_with("last ")) {
    last_sequence_ = ParseNumber(line.substr(5));
    return;
  }
  TakeTable(line);
}

// family two log=7
void DrawnFiles::TakeFamily(const std::string& line) {
  const std::vector<std::string> words = WordsOf(line);
  DrawnFamily family;
  family.name = words[1];
  family.id = static_cast<ColumnFamilyId>(families_.size());
  if (family.name == "default") {
    REQUIRE_EQ(families_.size(), 1);
    families_.clear();
    family.id = 0;
  }
  for (const std::string& word : words) {
    if (const auto log = Named(word, "log")) family.log_number = ParseNumber(*log);
  }
  families_.push_back(std::move(family));
}

// L1 10 [a..f): a@9=x     or, in no level: table 10: a@9=x
void DrawnFiles::TakeTable(const std::string& line) {
  const std::string place = WordsOf(line)[0];
  FileDescription table = WriteTable(line.substr(place.size() + 1));
  if (place == "table") {
    loose_tables_[table.number] = table;
    return;
  }
  REQUIRE_MESSAGE((place.size() >= 2 && place[0] == 'L'), "not a line of a drawing");
  families_.back().tables.new_files.push_back(
      {static_cast<int>(ParseNumber(place.substr(1))), std::move(table)});
}

FileDescription DrawnFiles::WriteTable(const std::string& line) {
  const auto [head, rest] = CutAtColon(line);
  const std::vector<std::string> words = WordsOf(head);
  FileDescription table;
  table.number = ParseNumber(words[0]);
  table.epoch = next_epoch_--;
  NoteNumber(table.number);
  std::vector<DrawnEntry> entries;
  for (const std::string& word : WordsOf(rest)) entries.push_back(ParseEntry(word));
  const TableContents contents = Sorted(std::move(entries), OrderOf(options_));
  Describe(contents, OrderOf(options_), &table);
  last_sequence_ = std::max(last_sequence_, table.largest_sequence);

  TableOrigin origin;
  origin.file_number = table.number;
  origin.family_id = families_.back().id;
  origin.family_name = families_.back().name;
  origin.for_ingestion = std::find(words.begin(), words.end(), "ingested") != words.end();
  if (options_.family.merge_operator != nullptr) {
    origin.merge_operator = options_.family.merge_operator->name();
  }
  const auto stored = [&](const DrawnEntry& e) { return origin.for_ingestion ? 0 : *e.sequence; };
  const auto file = NewFile(*fs_, JoinPath(directory_, TableFileName(table.number)));
  TableBuilder builder(options_.family.table, OrderOf(options_), origin, file.get());
  for (const DrawnEntry& e : contents.points) {
    REQUIRE(builder.Add({e.key, stored(e), e.type}, e.value).ok());
  }
  for (const DrawnEntry& e : contents.deletions) {
    REQUIRE(builder.AddRangeTombstone(e.key, e.value, stored(e)).ok());
  }
  REQUIRE(builder.Finish().ok());
  REQUIRE(file->Close().ok());
  table.size = builder.file_size();
  for (const std::string& word : words) {
    if (word.starts_with('[')) CutBounds(word, &table);
  }
  return table;
}

// As RocksDB leaves range deletions: whole in the table, and the MANIFEST says where they end.
void DrawnFiles::CutBounds(const std::string& range, FileDescription* table) const {
  const DrawnRange keys = ParseRange(std::string_view(range).substr(1, range.size() - 2));
  REQUIRE(keys.first.has_value());
  REQUIRE(keys.second.has_value());
  if (DecodeInternalKey(table->smallest)->user_key != *keys.first) {
    table->smallest =
        EncodeInternalKey({*keys.first, table->largest_sequence, ValueType::kRangeDeletion});
  }
  if (range.ends_with(')')) {
    table->largest = EncodeInternalKey({*keys.second, kMaxSequence, ValueType::kRangeDeletion});
  } else if (DecodeInternalKey(table->largest)->user_key != *keys.second) {
    table->largest = EncodeInternalKey({*keys.second, table->smallest_sequence, ValueType::kValue});
  }
}

// log 5: {a=1 b-}@10 {two:c=2}@12
void DrawnFiles::TakeLog(const std::string& line) {
  const auto [head, rest] = CutAtColon(line);
  const uint64_t number = ParseNumber(WordsOf(head)[1]);
  NoteNumber(number);
  logs_.insert(number);
  LogWriter log(NewFile(*fs_, JoinPath(directory_, WalFileName(number))));
  std::string_view batches = rest;
  while (!batches.empty()) {
    const size_t end = batches.find('}');
    REQUIRE(batches.starts_with('{'));
    REQUIRE_NE(end, std::string_view::npos);
    WriteBatch batch;
    for (const std::string& word : WordsOf(batches.substr(1, end - 1))) {
      const DrawnEntry entry = ParseEntry(word);
      AddTo(&batch, FamilyId(entry.family), entry);
    }
    const size_t next = std::min(batches.size(), batches.find(' ', end));
    REQUIRE_EQ(batches[end + 1], '@');
    StampBatch(&batch.mutable_bytes(), ParseNumber(batches.substr(end + 2, next - end - 2)));
    REQUIRE(log.Append(batch.bytes()).ok());
    batches.remove_prefix(std::min(batches.size(), next + 1));
  }
  REQUIRE(log.Sync().ok());
}

// edit two: -L0/12 +L1/13 log=9 last=30 add drop group=1     tables as in `table`
void DrawnFiles::TakeEdit(const std::string& line) {
  const auto [head, rest] = CutAtColon(line);
  const std::string name = WordsOf(head)[1];
  VersionEdit edit;
  for (const std::string& word : WordsOf(rest)) {
    const size_t slash = word.find('/');
    if (word[0] == '-' || word[0] == '+') {
      const int level = static_cast<int>(ParseNumber(word.substr(2, slash - 2)));
      const FileNumber number = ParseNumber(word.substr(slash + 1));
      if (word[0] == '-') {
        edit.deleted_files.push_back({level, number});
      } else {
        REQUIRE_MESSAGE(loose_tables_.contains(number), "no line says: table " << number);
        edit.new_files.push_back({level, loose_tables_[number]});
      }
    } else if (word == "add") {
      families_.push_back({.id = static_cast<ColumnFamilyId>(families_.size()),
                           .name = name,
                           .log_number = {},
                           .tables = {}});
      edit.add_family = name;
      edit.comparator = OrderOf(options_).name();
    } else if (word == "drop") {
      edit.drop_family = true;
    } else if (const auto log = Named(word, "log")) {
      edit.log_number = ParseNumber(*log);
    } else if (const auto last = Named(word, "last")) {
      edit.last_sequence = ParseNumber(*last);
    } else if (const auto keep = Named(word, "keep-logs-from")) {
      edit.min_log_number_to_keep = ParseNumber(*keep);
    } else if (const auto remaining = Named(word, "group")) {
      edit.atomic_group_remaining = static_cast<uint32_t>(ParseNumber(*remaining));
    } else {
      FAIL("no edit says " << word);
    }
  }
  edit.family = FamilyId(name);
  edits_.push_back(std::move(edit));
}

void DrawnFiles::WriteManifest() {
  const uint64_t first_log = logs_.empty() ? next_file_number_ : *logs_.begin();
  std::vector<VersionEdit> edits;
  for (const DrawnFamily& family : families_) {
    const bool added_later =
        std::any_of(edits_.begin(), edits_.end(),
                    [&](const VersionEdit& edit) { return edit.add_family == family.name; });
    if (added_later) continue;
    VersionEdit edit;
    edit.family = family.id;
    edit.comparator = OrderOf(options_).name();
    if (family.id == 0) {
      edit.db_id = "drawn";
      edit.next_file_number = next_file_number_;
      edit.last_sequence = last_sequence_;
      edit.max_family = static_cast<ColumnFamilyId>(families_.size() - 1);
    } else {
      edit.add_family = family.name;
    }
    edits.push_back(edit);
    VersionEdit tables = family.tables;
    tables.family = family.id;
    tables.log_number = family.log_number.value_or(first_log);
    edits.push_back(std::move(tables));
  }
  edits.insert(edits.end(), edits_.begin(), edits_.end());
  LogWriter manifest(NewFile(*fs_, JoinPath(directory_, ManifestFileName(kManifestNumber))));
  for (const VersionEdit& edit : edits) {
    std::string record;
    EncodeVersionEdit(edit, &record);
    REQUIRE(manifest.Append(record).ok());
  }
  REQUIRE(manifest.Sync().ok());
  REQUIRE(NewFile(*fs_, JoinPath(directory_, kCurrentFileName))
              ->Append(EncodeCurrentFile(kManifestNumber))
              .ok());
  manifest_drawn_ = kManifestNumber;
  edits_drawn_ = edits.size();
}

void DrawnFiles::NoteNumber(FileNumber number) {
  drawn_.insert(number);
  next_file_number_ = std::max(next_file_number_, number + 1);
}

ColumnFamilyId DrawnFiles::FamilyId(const std::string& name) const {
  for (const DrawnFamily& family : families_) {
    if (family.name == name) return family.id;
  }
  FAIL("no family of the drawing is called " << name);
  return 0;
}

std::string DrawnFiles::WriteIngestible(const std::vector<DrawnEntry>& entries) {
  const std::string path = "in/" + std::to_string(++ingestible_);
  Environment env = NativeEnvironment();
  env.file_system = fs_.get();
  auto writer = SstFileWriter::Create(env, options_.family, path);
  REQUIRE(writer.ok());
  const auto add = [&](const DrawnEntry& e) {
    switch (e.type) {
      case ValueType::kValue:
        return writer->Put(e.key, e.value);
      case ValueType::kDeletion:
        return writer->Delete(e.key);
      case ValueType::kMerge:
        return writer->Merge(e.key, e.value);
      case ValueType::kRangeDeletion:
        return writer->DeleteRange(e.key, e.value);
      default:
        return Status::InvalidArgument("no entry of such a table");
    }
  };
  for (const DrawnEntry& entry : entries) {
    const Status added = add(entry);
    REQUIRE_MESSAGE(added.ok(), added.ToString());
  }
  REQUIRE(writer->Finish().ok());
  return path;
}

// --- to a drawing

std::string DrawnFiles::NameOf(FileNumber number) {
  if (drawn_.contains(number)) return std::to_string(number);
  const auto [it, is_new] = new_names_.try_emplace(number);
  if (is_new) it->second = std::string(1, static_cast<char>('A' + new_names_.size() - 1));
  return it->second;
}

std::vector<std::string> DrawnFiles::Names(const std::string& directory) {
  std::vector<std::string> names;
  const auto entries = fs_->List(directory);
  if (!entries.ok()) return names;
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.is_directory) names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string DrawnFiles::Draw(bool logs) {
  TableCache tables(*fs_, directory_, std::make_shared<ClockCache>(1 << 20), -1,
                    /*direct_reads=*/false);
  const auto manifest = ReadManifest(*fs_, directory_, options_, &tables);
  if (!manifest.ok()) return manifest.status().ToString() + "\n";
  const std::set<FileNumber> live = TablesOf(manifest->state);
  for (const FileNumber number : live) NameOf(number);  // The older, the earlier its letter.
  std::string text;
  for (const FamilyState& family : manifest->state.families.all()) {
    if (family.id != 0) text += "family " + family.name + "\n";
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        text += "L" + std::to_string(level) + " " + FileText(*file, &tables) + "\n";
      }
    }
  }
  for (const std::string& name : Names(directory_)) {
    const auto parsed = ParseFileName(name);
    if (parsed && parsed->kind == FileKind::kTable && !live.contains(parsed->number)) {
      text += "table " + NameOf(parsed->number) + " is in no level\n";
    }
  }
  if (logs) text += DrawLogs();
  for (const std::string& name : Names(JoinPath(directory_, "lost"))) {
    text += "lost/" + name + "\n";
  }
  return text;
}

std::string DrawnFiles::FileText(const FileMetadata& file, TableCache* tables) {
  std::string text = NameOf(file.number());
  const auto table = tables->Find(ToOpen(file, &OrderOf(options_)));
  if (!table.ok()) {
    const bool missing = table.status().code() == Code::kNotFound;
    return text + " " + BoundsText(file) + (missing ? " is missing" : " is damaged");
  }
  const bool ingested = (*table)->properties().external_version.has_value();
  if (ingested) text += " ingested";
  text += " " + BoundsText(file) + ":";
  const auto check = [&](Sequence sequence) {
    CHECK_LE(file.description.smallest_sequence, sequence);
    CHECK_GE(file.description.largest_sequence, sequence);
  };
  const auto it = (*table)->NewIterator({});
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text += " " + EntryText(it->key(), it->value());
    if (it->key().sequence != 0) check(it->key().sequence);
  }
  if (!it->status().ok()) text += " " + it->status().ToString();
  for (const RangeTombstone& t : (*table)->RawTombstones()) {
    const Sequence sequence = ingested ? file.description.largest_sequence : t.sequence;
    text += " " + EntryText({t.begin, sequence, ValueType::kRangeDeletion}, t.end);
    check(sequence);
  }
  return text;
}

std::string DrawnFiles::DrawLogs() {
  std::string text;
  for (const std::string& name : Names(directory_)) {
    const auto parsed = ParseFileName(name);
    if (!parsed || parsed->kind != FileKind::kWal) continue;
    const std::string contents = LogText(parsed->number);
    if (!contents.empty()) text += "log " + NameOf(parsed->number) + ":" + contents + "\n";
  }
  return text;
}

std::string DrawnFiles::LogText(uint64_t number) {
  const std::string path = JoinPath(directory_, WalFileName(number));
  const auto file = fs_->OpenForRead(path, /*direct=*/false);
  REQUIRE(file.ok());
  LogReader log(**file, *(*file)->Size(), number);
  std::string text;
  for (;;) {
    switch (log.Next()) {
      case LogReader::Event::kRecord:
        text += " " + BatchText(log.record());
        break;
      case LogReader::Event::kTruncated:
        return text + " and a part of a batch";
      case LogReader::Event::kBad:
        text += " (" + std::to_string(log.dropped_bytes()) + " bad bytes)";
        break;
      default:
        return text;
    }
  }
}

std::string DrawnFiles::BatchText(std::string_view batch) {
  BatchReader in(batch);
  BatchRecord record;
  std::vector<std::string> entries;
  while (in.Next(&record)) {
    const std::string family = record.family == 0 ? "" : FamilyName(record.family) + ":";
    entries.push_back(family + EntryText({record.key, 0, record.type}, record.value,
                                         /*with_sequence=*/false));
  }
  REQUIRE(in.status().ok());
  return "{" + Joined(entries) + "}@" + std::to_string(in.header().sequence);
}

// As in the MANIFEST, or else in the drawing; its number if neither has that family.
std::string DrawnFiles::FamilyName(ColumnFamilyId id) const {
  const auto manifest = ReadManifest(*fs_, directory_, options_, nullptr);
  if (manifest.ok()) {
    const FamilyState* family = manifest->state.families.Find(id);
    if (family != nullptr) return family->name;
  }
  for (const DrawnFamily& family : families_) {
    if (family.id == id) return family.name;
  }
  return "family " + std::to_string(id);
}

std::string DrawnFiles::DrawNewEdits() {
  const auto current = ReadCurrent(*fs_, directory_);
  if (!current.ok()) return current.status().ToString() + "\n";
  std::string text;
  if (*current != manifest_drawn_) {
    text += "a new MANIFEST\n";
    manifest_drawn_ = *current;
    edits_drawn_ = 0;
  }
  const auto scanner =
      ManifestScanner::Open(*fs_, JoinPath(directory_, ManifestFileName(*current)));
  REQUIRE(scanner.ok());
  for (;;) {
    const auto record = (*scanner)->Next();
    if (!record.ok()) return text + record.status().ToString() + "\n";
    if (!record->has_value()) break;
    if ((*record)->index >= edits_drawn_) {
      text += EditText((*record)->edit) + "\n";
      edits_drawn_ = (*record)->index + 1;
    }
  }
  if ((*scanner)->torn_bytes() > 0) text += "and a part of an edit\n";
  return text;
}

// All that it says, but for numbers that only count on.
std::string DrawnFiles::EditText(const VersionEdit& edit) {
  std::vector<std::string> words;
  if (edit.db_id) words.emplace_back("id");
  if (edit.atomic_group_remaining) {
    words.push_back("group=" + std::to_string(*edit.atomic_group_remaining));
  }
  if (edit.comparator) words.push_back("comparator=" + *edit.comparator);
  if (edit.add_family) words.push_back("add=" + *edit.add_family);
  if (edit.drop_family) words.push_back("drop");
  for (const VersionEdit::DeletedFile& file : edit.deleted_files) {
    words.push_back("-L" + std::to_string(file.level) + "/" + NameOf(file.number));
  }
  for (const VersionEdit::NewFile& added : edit.new_files) {
    words.push_back("+L" + std::to_string(added.level) + "/" + NameOf(added.file.number) +
                    BoundsText(FileMetadata(added.file)));
  }
  if (edit.log_number) words.push_back("log");
  if (edit.min_log_number_to_keep) words.push_back("keep-logs-from");
  if (edit.max_family) words.push_back("max-family=" + std::to_string(*edit.max_family));
  if (edit.last_sequence) words.push_back("last=" + std::to_string(*edit.last_sequence));
  const std::string family =
      edit.family == 0 ? "default" : edit.add_family.value_or(FamilyName(edit.family));
  return "edit " + family + ": " + Joined(words);
}

// --- the files themselves

void DrawnFiles::MoveTo(const std::string& directory) { directory_ = directory; }

void DrawnFiles::CopyTo(const std::string& directory) {
  REQUIRE(fs_->CreateDirectory(directory).ok());
  for (const std::string& name : Names(directory_)) {
    const auto bytes = ReadFileToString(*fs_, JoinPath(directory_, name), kFileBytesMax);
    REQUIRE(bytes.ok());
    REQUIRE(NewFile(*fs_, JoinPath(directory, name))->Append(*bytes).ok());
  }
}

std::string DrawnFiles::PathOf(const std::string& word) {
  const size_t colon = word.find(':');
  const std::string kind = word.substr(0, colon);
  const auto number = [&] { return ParseNumber(word.substr(colon + 1)); };
  if (kind == "current") return JoinPath(directory_, kCurrentFileName);
  if (kind == "table") return JoinPath(directory_, TableFileName(number()));
  if (kind == "log" && colon != std::string::npos) {
    return JoinPath(directory_, WalFileName(number()));
  }
  std::string found;
  for (const std::string& name : Names(directory_)) {
    const auto parsed = ParseFileName(name);
    if (!parsed) continue;
    const bool wanted = (kind == "manifest" && parsed->kind == FileKind::kManifest) ||
                        (kind == "options" && parsed->kind == FileKind::kOptions) ||
                        (kind == "log" && parsed->kind == FileKind::kWal &&
                         *fs_->FileSize(JoinPath(directory_, name)) > 0);
    if (wanted) found = JoinPath(directory_, name);
  }
  REQUIRE_MESSAGE(!found.empty(), "there is no " << word);
  return found;
}

}  // namespace varve
