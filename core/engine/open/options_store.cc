// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/options_store.h"

#include <algorithm>
#include <utility>

#include "core/base/try.h"
#include "core/engine/open/family_options.h"
#include "core/format/limits.h"
#include "core/fs/durable.h"
#include "core/version/merging.h"

namespace varve {
namespace {

// Notes per opening; a file may have any number of families with any number of wrong values.
constexpr size_t kNotesMax = 50;
// The MANIFEST of a new database is number 1.
constexpr FileNumber kFirstOptionsNumber = 2;

// Encodes the file. Fails if it could not be parsed again.
Result<std::string> TextOf(const OptionsFile& file) {
  std::string text = FormatOptionsFile(file);
  if (text.size() <= kOptionsFileSizeMax) return text;
  return Status::NotSupported("the options of all column families, with their names, need " +
                              std::to_string(text.size()) + " bytes, of at most " +
                              std::to_string(kOptionsFileSizeMax));
}

Status WriteFile(const EngineContext& context, const OptionsFile& file, FileNumber number) {
  ASSIGN_OR_RETURN(const std::string text, TextOf(file));
  return ReplaceFileDurably(context.fs(), context.PathOf(OptionsTemporaryFileName(number)),
                            context.PathOf(OptionsFileName(number)), text);
}

}  // namespace

OptionsStore::OptionsStore(const EngineContext& context) : context_(context), sections_(kept_) {}

Status OptionsStore::Create(const EngineContext& context) {
  const ColumnFamilyOptions& options = OptionsOf(context.options, "default");
  const Comparator& order =
      options.comparator == nullptr ? *BytewiseComparator() : *options.comparator;
  const FamilyNames names[] = {{"default", std::string(order.name()),
                                MergeOperatorName(options.merge_operator), options.num_levels,
                                &options}};
  OptionsFile file = MakeOptionsFile(names, {});
  StoreDatabaseOptions(context.options, &file);
  return WriteFile(context, file, kFirstOptionsNumber);
}

std::vector<OptionsFileEntry> OptionsStore::Files() const {
  return ListOptionsFiles(context_.fs(), context_.directory);
}

void OptionsStore::Keep(OptionsFile file) {
  kept_ = std::move(file);
  sections_ = FamilySections(kept_);
}

Status OptionsStore::Load(Options* options) {
  context_.AssertNotShared();
  KeptOptionsFiles files = ReadKeptOptionsFiles(context_.fs(), context_.directory);
  const bool by_database = options->source == OptionSource::kDatabase;
  if (by_database && !context_.read_only) RETURN_IF_ERROR(files.failure);
  name_ = std::move(files.name);
  file_ = std::move(files.newest);
  unreadable_ = files.unreadable;
  Keep(std::move(files.kept));
  for (std::string& note : files.notes) Note(std::move(note));
  if (by_database) NoteAll(CompleteDatabaseOptions(file_, options));
  return Status::Ok();
}

void OptionsStore::CompleteFamilies(Options* options) {
  context_.AssertNotShared();
  if (options->source != OptionSource::kDatabase) return;
  for (const OptionsSection& section : kept_.sections) {
    if (section.kind != kFamilySection) continue;
    ColumnFamilyOptions completed = OptionsOf(*options, section.family);
    const std::vector<std::string> sentences =
        CompleteFamilyOptions(sections_.Of(section.family), options->chosen, &completed);
    // Whether other files list further families is not known yet.
    const bool listed = &section - kept_.sections.data() < std::ssize(file_.sections);
    if (listed) NoteAll(sentences);
    options->families[section.family] = std::move(completed);
  }
}

OptionsFile OptionsStore::FileOf(std::span<const FamilyNames> families) const {
  return MakeOptionsFile(families, kept_);
}

Status OptionsStore::Prepare(const OptionsFile& file, FileNumber number) {
  ASSIGN_OR_RETURN(const std::string text, TextOf(file));
  const std::string temporary = context_.PathOf(OptionsTemporaryFileName(number));
  Status prepared = PrepareFileDurably(context_.fs(), temporary, text);
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

// Removes all OPTIONS files except `newest` and the one before. Both may be needed: see above.
void OptionsStore::RemoveAllBut(FileNumber newest) {
  bool before_newest = true;
  for (const OptionsFileEntry& found : Files()) {
    if (!found.unfinished && found.number >= newest) continue;
    if (!found.unfinished && std::exchange(before_newest, false)) continue;
    RemoveObsoleteFile(context_.fs(), context_.PathOf(found.name));
  }
}

void OptionsStore::RemoveUnfinished() {
  for (const OptionsFileEntry& found : Files()) {
    if (found.unfinished) RemoveObsoleteFile(context_.fs(), context_.PathOf(found.name));
  }
}

void OptionsStore::Note(std::string sentence) {
  context_.AssertNotShared();
  if (notes_.size() < kNotesMax) notes_.push_back(std::move(sentence));
}

std::vector<std::string> OptionsStore::TakeNotes() {
  context_.AssertNotShared();
  return std::move(notes_);
}

void OptionsStore::NoteAll(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) Note(name_ + ", " + sentence);
}

}  // namespace varve
