// SPDX-License-Identifier: Apache-2.0
#include "core/engine/options_store.h"

#include <algorithm>
#include <utility>

#include "core/base/try.h"
#include "core/engine/family_options.h"
#include "core/format/limits.h"
#include "core/fs/durable.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

// Of one opening; a file may have any number of families with any number of wrong values.
constexpr size_t kNotesMax = 50;
// The MANIFEST of a new database is number 1.
constexpr FileNumber kFirstOptionsNumber = 2;
constexpr int kReadTriesMax = 10;
constexpr std::string_view kFamilyKind = "CFOptions";

std::string NameOf(const MergeOperator* merge_operator) {
  return merge_operator == nullptr ? std::string() : std::string(merge_operator->name());
}

Status WriteFile(const EngineContext& context, const OptionsFile& file, FileNumber number) {
  return ReplaceFileDurably(context.fs(), context.PathOf(OptionsTemporaryFileName(number)),
                            context.PathOf(OptionsFileName(number)), FormatOptionsFile(file));
}

}  // namespace

OptionsStore::OptionsStore(const EngineContext& context) : context_(context), sections_(file_) {}

Status OptionsStore::Create(const EngineContext& context) {
  const ColumnFamilyOptions& options = OptionsOf(context.options, "default");
  const Comparator& order =
      options.comparator == nullptr ? *BytewiseComparator() : *options.comparator;
  const FamilyNames names[] = {
      {"default", std::string(order.name()), NameOf(options.merge_operator), options.num_levels}};
  OptionsFile file = MakeOptionsFile(names, {});
  StoreDatabaseOptions(context.options, &file);
  StoreFamilyOptions(options, "default", &file);
  return WriteFile(context, file, kFirstOptionsNumber);
}

std::vector<OptionsStore::Found> OptionsStore::List() const {
  std::vector<Found> files;
  const auto entries = context_.fs().List(context_.directory);
  if (!entries.ok()) return files;  // Whoever needs the directory says what is wrong with it.
  for (const DirectoryEntry& entry : *entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kOptions) files.push_back({name->number, entry.name});
  }
  std::sort(files.begin(), files.end(),
            [](const Found& a, const Found& b) { return a.number > b.number; });
  return files;
}

Result<OptionsFile> OptionsStore::Read(const Found& found) const {
  ASSIGN_OR_RETURN(const std::string text, ReadFileToString(context_.fs(), context_.PathOf(found.name),
                                                            kOptionsFileSizeMax));
  return ParseOptionsFile(text);
}

bool OptionsStore::ReadNewest() {
  for (const Found& found : List()) {
    Result<OptionsFile> read = Read(found);
    if (read.ok()) {
      name_ = found.name;
      file_ = *std::move(read);
      sections_ = FamilySections(file_);
      return true;
    }
    if (read.status().code() == Code::kNotFound) return false;
    unreadable_ = true;
    Note(found.name + ": " + std::string(read.status().message()) +
         "; the options that it keeps are not known");
  }
  return true;
}

void OptionsStore::Load(Options* options) {
  // Whoever writes to the database replaces the file now and then; a reader holds no lock.
  for (int tries = 0; tries < kReadTriesMax && !ReadNewest(); ++tries) {
    unreadable_ = false;
    notes_.clear();
  }
  if (options->source == OptionSource::kDatabase) NoteAll(CompleteDatabaseOptions(file_, options));
}

void OptionsStore::CompleteFamilies(Options* options) {
  if (options->source != OptionSource::kDatabase) return;
  for (const OptionsSection& section : file_.sections) {
    if (section.kind != kFamilyKind) continue;
    ColumnFamilyOptions completed = OptionsOf(*options, section.family);
    NoteAll(CompleteFamilyOptions(sections_.Of(section.family), options->chosen, &completed));
    options->families[section.family] = std::move(completed);
  }
}

bool OptionsStore::NamesMergeOperator(std::string_view family) const {
  const OptionsSection* const section = sections_.Of(family).family;
  const std::string* const text = section == nullptr ? nullptr : section->Find("merge_operator");
  return text != nullptr && varve::NamesMergeOperator(*text);
}

OptionsFile OptionsStore::FileOf(std::span<const FamilyNames> families) const {
  return MakeOptionsFile(families, file_);
}

Status OptionsStore::Write(OptionsFile file, FileNumber number) {
  if (file == file_) return Status::Ok();
  const std::vector<Found> before = List();
  RETURN_IF_ERROR(WriteFile(context_, file, number));
  for (size_t i = 1; i < before.size(); ++i) {
    RemoveObsoleteFile(context_.fs(), context_.PathOf(before[i].name));
  }
  file_ = std::move(file);
  sections_ = FamilySections(file_);
  name_ = OptionsFileName(number);
  unreadable_ = false;
  return Status::Ok();
}

void OptionsStore::Note(std::string sentence) {
  if (notes_.size() < kNotesMax) notes_.push_back(std::move(sentence));
}

void OptionsStore::NoteAll(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) Note(name_ + ", " + sentence);
}

}  // namespace varve
