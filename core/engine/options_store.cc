// SPDX-License-Identifier: Apache-2.0
#include "core/engine/options_store.h"

#include <algorithm>
#include <iterator>
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

OptionsStore::OptionsStore(const EngineContext& context) : context_(context), sections_(kept_) {}

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
    if (!name) continue;
    const bool unfinished = name->kind == FileKind::kOptionsTemporary;
    if (!unfinished && name->kind != FileKind::kOptions) continue;
    files.push_back({name->number, entry.name, unfinished});
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
  std::vector<OptionsFile> others;  // At most two: an unfinished one, and the one before.
  bool found_newest = false;
  for (const Found& found : List()) {
    if (found.unfinished && (found_newest || !others.empty())) continue;
    Result<OptionsFile> read = Read(found);
    if (read.ok() && (found.unfinished || found_newest)) {
      others.push_back(*std::move(read));
      if (found_newest) break;
    } else if (read.ok()) {
      name_ = found.name;
      file_ = *std::move(read);
      found_newest = true;
    } else if (read.status().code() == Code::kNotFound && !found_newest) {
      return false;
    } else if (!found.unfinished && !found_newest) {
      unreadable_ = true;
      Note(found.name + ": " + std::string(read.status().message()) +
           "; the options that it keeps are not known");
    }
  }
  Keep(file_);
  for (OptionsFile& other : others) KeepOthersOf(std::move(other));
  return true;
}

void OptionsStore::Keep(OptionsFile file) {
  kept_ = std::move(file);
  sections_ = FamilySections(kept_);
}

void OptionsStore::KeepOthersOf(OptionsFile file) {
  std::vector<OptionsSection> unknown;
  for (OptionsSection& section : file.sections) {
    const bool of_family = !section.family.empty();
    if (of_family && sections_.Of(section.family).family == nullptr) {
      unknown.push_back(std::move(section));
    }
  }
  std::move(unknown.begin(), unknown.end(), std::back_inserter(kept_.sections));
  sections_ = FamilySections(kept_);
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
  for (const OptionsSection& section : kept_.sections) {
    if (section.kind != kFamilyKind) continue;
    ColumnFamilyOptions completed = OptionsOf(*options, section.family);
    const std::vector<std::string> sentences =
        CompleteFamilyOptions(sections_.Of(section.family), options->chosen, &completed);
    // Whether there are families that only another file lists is not known yet.
    const bool listed = &section - kept_.sections.data() < std::ssize(file_.sections);
    if (listed) NoteAll(sentences);
    options->families[section.family] = std::move(completed);
  }
}

bool OptionsStore::NamesMergeOperator(std::string_view family) const {
  const OptionsSection* const section = sections_.Of(family).family;
  const std::string* const text = section == nullptr ? nullptr : section->Find("merge_operator");
  return text != nullptr && varve::NamesMergeOperator(*text);
}

OptionsFile OptionsStore::FileOf(std::span<const FamilyNames> families,
                                 std::optional<std::string_view> created) const {
  if (!created || sections_.Of(*created).family == nullptr) return MakeOptionsFile(families, kept_);
  OptionsFile others = kept_;
  std::erase_if(others.sections,
                [&](const OptionsSection& section) { return section.family == *created; });
  return MakeOptionsFile(families, others);
}

Status OptionsStore::Prepare(const OptionsFile& file, FileNumber number) {
  const std::string temporary = context_.PathOf(OptionsTemporaryFileName(number));
  Status prepared = PrepareFileDurably(context_.fs(), temporary, FormatOptionsFile(file));
  if (!prepared.ok()) RemoveObsoleteFile(context_.fs(), temporary);
  return prepared;
}

void OptionsStore::Commit(OptionsFile file, FileNumber number) {
  const Status renamed =
      RenameFileDurably(context_.fs(), context_.PathOf(OptionsTemporaryFileName(number)),
                        context_.PathOf(OptionsFileName(number)));
  uncertain_ = !renamed.ok();
  if (renamed.ok()) RemoveAllBut(number);
  name_ = OptionsFileName(number);
  unreadable_ = false;
  file_ = std::move(file);
  Keep(file_);
}

Status OptionsStore::Write(OptionsFile file, FileNumber number) {
  if (file == file_ && !uncertain_) return Status::Ok();
  if (Status written = WriteFile(context_, file, number); !written.ok()) {
    uncertain_ = true;
    RemoveObsoleteFile(context_.fs(), context_.PathOf(OptionsTemporaryFileName(number)));
    RemoveObsoleteFile(context_.fs(), context_.PathOf(OptionsFileName(number)));
    return written;
  }
  RemoveAllBut(number);
  uncertain_ = unreadable_ = false;
  name_ = OptionsFileName(number);
  file_ = std::move(file);
  Keep(file_);
  return Status::Ok();
}

// But for `newest` and the one before. Both may be needed: see above.
void OptionsStore::RemoveAllBut(FileNumber newest) {
  bool before_newest = true;
  for (const Found& found : List()) {
    if (!found.unfinished && found.number >= newest) continue;
    if (!found.unfinished && std::exchange(before_newest, false)) continue;
    RemoveObsoleteFile(context_.fs(), context_.PathOf(found.name));
  }
}

void OptionsStore::RemoveUnfinished() {
  for (const Found& found : List()) {
    if (found.unfinished) RemoveObsoleteFile(context_.fs(), context_.PathOf(found.name));
  }
}

void OptionsStore::Note(std::string sentence) {
  if (notes_.size() < kNotesMax) notes_.push_back(std::move(sentence));
}

void OptionsStore::NoteAll(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) Note(name_ + ", " + sentence);
}

}  // namespace varve
