// SPDX-License-Identifier: Apache-2.0
#include "core/version/kept_options_files.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"

namespace varve {
namespace {

constexpr int kReadTriesMax = 10;

Result<OptionsFile> Read(FileSystem& fs, const std::string& directory, const std::string& name) {
  ASSIGN_OR_RETURN(const std::string text,
                   ReadFileToString(fs, JoinPath(directory, name), kOptionsFileSizeMax));
  return ParseOptionsFile(text);
}

// Adds the families in `others` that `kept` does not list.
void KeepFamiliesOf(std::vector<OptionsFile> others, OptionsFile* kept) {
  for (OptionsFile& other : others) {
    std::vector<OptionsSection> unknown;
    const FamilySections known(*kept);
    for (OptionsSection& section : other.sections) {
      const bool of_family = !section.family.empty();
      if (of_family && known.Of(section.family).family == nullptr) {
        unknown.push_back(std::move(section));
      }
    }
    std::move(unknown.begin(), unknown.end(), std::back_inserter(kept->sections));
  }
}

// Damage and unknown contents are permanent.
bool IsOfTheFile(const Status& why) {
  return why.code() == Code::kCorruption || why.code() == Code::kNotSupported ||
         why.code() == Code::kInvalidArgument;
}

// False: the directory has changed meanwhile.
bool ReadOnce(FileSystem& fs, const std::string& directory, KeptOptionsFiles* files) {
  std::vector<OptionsFile> others;  // At most two: an unfinished one, and the previous one.
  bool found_newest = false;
  for (const OptionsFileEntry& found : ListOptionsFiles(fs, directory)) {
    if (found.unfinished && (found_newest || !others.empty())) continue;
    Result<OptionsFile> read = Read(fs, directory, found.name);
    if (read.ok() && (found.unfinished || found_newest)) {
      others.push_back(*std::move(read));
      if (found_newest) break;
    } else if (read.ok()) {
      files->name = found.name;
      files->newest = *std::move(read);
      found_newest = true;
    } else if (read.status().code() == Code::kNotFound && !found_newest) {
      return false;
    } else if (!found.unfinished && !found_newest) {
      files->unreadable = true;
      if (files->failure.ok() && !IsOfTheFile(read.status())) {
        files->failure = read.status();
      }
      files->notes.push_back(found.name + ": " + std::string(read.status().message()) +
                             "; the options that it keeps are not known");
    }
  }
  files->kept = files->newest;
  KeepFamiliesOf(std::move(others), &files->kept);
  return true;
}

}  // namespace

std::vector<OptionsFileEntry> ListOptionsFiles(FileSystem& fs, const std::string& directory) {
  std::vector<OptionsFileEntry> files;
  const auto entries = fs.List(directory);
  if (!entries.ok()) return files;  // Other code that needs the directory reports the error.
  for (const DirectoryEntry& entry : *entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name) continue;
    const bool unfinished = name->kind == FileKind::kOptionsTemporary;
    if (!unfinished && name->kind != FileKind::kOptions) continue;
    files.push_back({name->number, entry.name, unfinished});
  }
  std::sort(files.begin(), files.end(), [](const OptionsFileEntry& a, const OptionsFileEntry& b) {
    return a.number > b.number;
  });
  return files;
}

KeptOptionsFiles ReadKeptOptionsFiles(FileSystem& fs, const std::string& directory) {
  // A concurrent writer replaces the file now and then; readers hold no lock.
  KeptOptionsFiles files;
  for (int tries = 0; tries < kReadTriesMax && !ReadOnce(fs, directory, &files); ++tries) {
    files = KeptOptionsFiles();
  }
  return files;
}

}  // namespace varve
