// SPDX-License-Identifier: Apache-2.0
#include "core/format/options/kept_options.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/codec/compression.h"
#include "core/base/options/option_value.h"
#include "core/base/text/text.h"
#include "varve/option_table.h"

namespace varve {
namespace {

constexpr std::string_view kNull = "nullptr";

// An option of RocksDB without a row here, because this engine does not use it, although its user
// may rely on it.
struct NotHonoured {
  OptionScope scope;
  std::string_view name;
  std::string_view neutral;  // The value at which ignoring it makes no difference.
  std::string_view instead;
};
constexpr NotHonoured kNotHonoured[] = {
    {OptionScope::kColumnFamily, "prefix_extractor", kNull,
     "filters of new tables are of whole keys"},
    {OptionScope::kColumnFamily, "compaction_filter", kNull, "compactions keep what it would drop"},
    {OptionScope::kColumnFamily, "compaction_filter_factory", kNull,
     "compactions keep what it would drop"},
    {OptionScope::kColumnFamily, "table_factory", "BlockBasedTable", "new tables are block-based"},
    {OptionScope::kTable, "whole_key_filtering", "true", "filters of new tables are of whole keys"},
};

std::string TitleOf(const OptionsSection& section) {
  if (section.family.empty()) return section.kind;
  return section.kind + " \"" + EscapeForDisplay(section.family) + "\"";
}

// Values come from the file and may be of any length.
std::string Short(std::string_view text) {
  constexpr size_t kShown = 120;
  if (text.size() <= kShown) return std::string(text);
  return std::string(text.substr(0, kShown)) + "...";
}

std::string Sentence(const OptionsSection& section, std::string_view problem,
                     std::string_view instead) {
  return Short(TitleOf(section)) + ": " + Short(problem) + "; " + Short(instead);
}

// --- options chosen by the caller ----------------------------------------------------------------

bool IsNamed(const std::vector<std::string>& chosen, std::string_view name) {
  if (std::find(chosen.begin(), chosen.end(), name) != chosen.end()) return true;
  const size_t dot = name.find('.');  // The aggregate includes each member.
  return dot != std::string_view::npos && IsNamed(chosen, name.substr(0, dot));
}

// The rows whose values in `given` take precedence over the file.
std::vector<const OptionRow*> ChosenRows(const Options& given,
                                         const std::vector<std::string>& chosen) {
  static const Options& defaults = *std::make_unique<Options>().release();
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : OptionTable()) {
    if (!row.kept || row.is_struct || row.name == "merge_operator") continue;
    if (row.get(given) != row.get(defaults) || IsNamed(chosen, row.name)) rows.push_back(&row);
  }
  return rows;
}

void Restore(const std::vector<const OptionRow*>& rows, const Options& given, Options* options) {
  for (const OptionRow* row : rows) {
    row->set(options, row->get(given)).Ignore("what a row gives, it takes");
  }
}

// --- options stored in the file ------------------------------------------------------------------

// Without the members of compaction_options_universal that are not honoured here.
std::string HonouredOfUniversal(const OptionsSection& section, std::string text,
                                std::vector<std::string>* notes) {
  struct Member {
    std::string_view name, neutral, instead;
  };
  constexpr Member kMembers[] = {
      {"incremental=", "false", "whole sorted runs are compacted"},
      {"max_read_amp=", "-1", "level0_file_num_compaction_trigger limits the sorted runs"}};
  for (const auto& [name, neutral, instead] : kMembers) {
    size_t at = text.find("{" + std::string(name));
    if (at == std::string::npos) at = text.find(";" + std::string(name));
    if (at == std::string::npos) continue;
    const size_t begin = at + 1 + name.size();
    const size_t end = std::min(text.find_first_of(";}", begin), text.size());
    if (std::string_view(text).substr(begin, end - begin) == neutral) continue;
    notes->push_back(Sentence(
        section,
        "compaction_options_universal." + text.substr(at + 1, end - at - 1) + " is not honoured",
        instead));
    text.replace(begin, end - begin, neutral);
  }
  return text;
}

// Applies the options of the section to `options`.
void TakeSection(const OptionsSection& section, OptionScope scope, Options* options,
                 std::vector<std::string>* notes) {
  for (const auto& [name, value] : section.values) {
    for (const NotHonoured& other : kNotHonoured) {
      if (other.scope != scope || other.name != name || value == other.neutral) continue;
      notes->push_back(Sentence(section, name + "=" + EscapeForDisplay(value) + " is not honoured",
                                other.instead));
    }
    const OptionRow* const row = FindOption(name);
    if (row == nullptr || row->scope != scope || !row->kept) continue;
    if (name == "merge_operator") {
      options->family.merge_operator = MergeOperatorOfText(value);
      if (options->family.merge_operator != nullptr || !NamesMergeOperator(value)) continue;
      notes->push_back(
          Sentence(section, "the merge operator " + EscapeForDisplay(value) + " is not known here",
                   "keys with operands cannot be read"));
      continue;
    }
    std::string honoured = value;
    if (name == "compaction_options_universal") {
      honoured = HonouredOfUniversal(section, std::move(honoured), notes);
    }
    if (const Status set = row->set(options, honoured); !set.ok()) {
      notes->push_back(Sentence(section, set.message(),
                                EscapeForDisplay(row->get(*options)) + " is used instead"));
    }
  }
}

// --- contradictory options -----------------------------------------------------------------------

// Makes the same corrections as RocksDB when it opens a database.
class Settler {
 public:
  Settler(const OptionsSection& section, std::vector<std::string>* notes)
      : section_(section), notes_(notes) {}

  void Settle(ColumnFamilyOptions* options) {
    AtLeast("level0_slowdown_writes_trigger", options->level0_file_num_compaction_trigger,
            &options->level0_slowdown_writes_trigger);
    AtLeast("level0_stop_writes_trigger", options->level0_slowdown_writes_trigger,
            &options->level0_stop_writes_trigger);
    const uint64_t hard = options->hard_pending_compaction_bytes_limit;
    if (hard != 0 && options->soft_pending_compaction_bytes_limit > hard) {
      options->soft_pending_compaction_bytes_limit = hard;
      Correct("soft_pending_compaction_bytes_limit", std::to_string(hard));
    }
    if (options->compaction_style == CompactionStyle::kLevel && options->num_levels < 2) {
      options->num_levels = 2;
      Correct("num_levels", "2");
    }
    UniversalOptions& universal = options->universal;
    if (const uint32_t fewest = std::max(universal.min_merge_width, 2u);
        universal.max_merge_width < fewest) {
      universal.max_merge_width = fewest;
      Correct("compaction_options_universal.max_merge_width", std::to_string(fewest));
    }
    TableOptions& table = options->table;
    if (table.partition_filters && table.index_type != IndexType::kTwoLevel) {
      table.partition_filters = false;
      Correct("partition_filters", "false");
    }
    SettleCodec("compression", &table.compression, &table.compression_level);
    for (CompressionType& type : options->compression_per_level) {
      SettleCodec("compression_per_level", &type, nullptr);
    }
    SettleCodec("blob_compression_type", &options->blobs.compression, nullptr);
    BottommostCompression& bottommost = options->bottommost_compression;
    if (bottommost.type || bottommost.enabled) {
      CompressionType type = bottommost.type.value_or(table.compression);
      SettleCodec("bottommost_compression", &type, &bottommost.level);
      if (bottommost.type) bottommost.type = type;
    }
  }

 private:
  void Correct(std::string_view name, const std::string& value) {
    notes_->push_back(Sentence(section_, std::string(name) + " is at odds with the other options",
                               value + " is used instead"));
  }

  void AtLeast(std::string_view name, int least, int* value) {
    if (*value >= least) return;
    *value = least;
    Correct(name, std::to_string(least));
  }

  // A codec that this build lacks, or a level that it rejects, would make every flush fail.
  void SettleCodec(std::string_view name, CompressionType* type, int* level) {
    if (!CanCompress(*type)) {
      *type = DefaultCompression();
      notes_->push_back(Sentence(section_, std::string(name) + ": this build lacks the codec",
                                 FormatEnum(*type) + " is used instead"));
    }
    constexpr int kDefault = TableOptions::kDefaultCompressionLevel;
    if (level == nullptr || *level == kDefault || Compressor::Create(*type, *level, "").ok()) {
      return;
    }
    notes_->push_back(Sentence(
        section_, std::string(name) + ": the codec refuses level " + std::to_string(*level),
        "its default is used instead"));
    *level = kDefault;
  }

  const OptionsSection& section_;
  std::vector<std::string>* notes_;
};

}  // namespace

bool NamesMergeOperator(std::string_view text) { return !text.empty() && text != kNull; }

const MergeOperator* MergeOperatorOfText(std::string_view text) {
  // "name", or "{id=name;delimiter=,;}" as newer releases write it.
  constexpr std::string_view kPrefix = "{id=";
  constexpr std::string_view kDelimiter = "delimiter=";
  if (!text.starts_with(kPrefix)) return MergeOperatorByName(text);
  const std::string_view rest = text.substr(kPrefix.size());
  const std::string_view name = rest.substr(0, rest.find_first_of(";}"));
  if (const size_t at = rest.find(kDelimiter); at != std::string_view::npos) {
    // Ours uses a comma; another delimiter would make it a different operator.
    if (!rest.substr(at + kDelimiter.size()).starts_with(",;")) return nullptr;
  }
  return MergeOperatorByName(name);
}

std::vector<std::string> CompleteDatabaseOptions(const OptionsFile& file, Options* options) {
  std::vector<std::string> notes;
  const OptionsSection* const section = file.Find(kDatabaseSection, "");
  if (section == nullptr) return notes;
  const Options given = *options;
  TakeSection(*section, OptionScope::kDatabase, options, &notes);
  Restore(ChosenRows(given, given.chosen), given, options);
  return notes;
}

std::vector<std::string> CompleteFamilyOptions(const FamilySections::Pair& sections,
                                               const std::vector<std::string>& chosen,
                                               ColumnFamilyOptions* options) {
  std::vector<std::string> notes;
  if (sections.family == nullptr) return notes;
  Options given;
  given.family = *options;
  Options completed = given;
  TakeSection(*sections.family, OptionScope::kColumnFamily, &completed, &notes);
  if (sections.table != nullptr) {
    TakeSection(*sections.table, OptionScope::kTable, &completed, &notes);
  }
  Restore(ChosenRows(given, chosen), given, &completed);
  if (given.family.merge_operator != nullptr) {
    completed.family.merge_operator = given.family.merge_operator;
  }
  Settler(*sections.family, &notes).Settle(&completed.family);
  *options = completed.family;
  return notes;
}

}  // namespace varve
