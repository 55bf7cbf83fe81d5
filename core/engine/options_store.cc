// SPDX-License-Identifier: Apache-2.0
#include "core/engine/options_store.h"

#include <algorithm>
#include <utility>

#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/fs/durable.h"
#include "varve/merge_operator.h"

namespace varve {

OptionsFile ReadNewestOptions(const EngineContext& context,
                              const std::vector<DirectoryEntry>& entries) {
  FileNumber newest = 0;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kOptions) newest = std::max(newest, name->number);
  }
  if (newest == 0) return {};
  const Result<std::string> text =
      ReadFileToString(context.fs(), context.PathOf(OptionsFileName(newest)), kOptionsFileSizeMax);
  if (!text.ok()) return {};
  Result<OptionsFile> parsed = ParseOptionsFile(*text);
  return parsed.ok() ? *std::move(parsed) : OptionsFile();
}

Status ReplaceOptions(const EngineContext& context, const std::vector<DirectoryEntry>& entries,
                      FileNumber number, std::span<const FamilyNames> families,
                      const OptionsFile& previous) {
  RETURN_IF_ERROR(ReplaceFileDurably(context.fs(), context.PathOf(OptionsTemporaryFileName(number)),
                                     context.PathOf(OptionsFileName(number)),
                                     FormatOptionsFile(MakeOptionsFile(families, previous))));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kOptions) {
      RemoveObsoleteFile(context.fs(), context.PathOf(entry.name));
    }
  }
  return Status::Ok();
}

const MergeOperator* OperatorOfOptions(const OptionsFile& file, std::string_view family) {
  const OptionsSection* section = file.Find("CFOptions", family);
  const std::string* stored = section == nullptr ? nullptr : section->Find("merge_operator");
  if (stored == nullptr) return nullptr;
  // Newer releases write "{id=StringAppendOperator;delimiter=,;}".
  std::string_view name = *stored;
  constexpr std::string_view kPrefix = "{id=";
  if (name.substr(0, kPrefix.size()) == kPrefix) {
    name.remove_prefix(kPrefix.size());
    name = name.substr(0, name.find_first_of(";}"));
  }
  return MergeOperatorByName(name);
}

}  // namespace varve
