// SPDX-License-Identifier: Apache-2.0
// Runs the cases of tests/snapshot/compaction/*.txt. A case:
//
//   # What it shows.
//   options base=1000 trigger=2          sizes in bytes; see SetOption
//   levels
//     L0: 12:[a..c]*300 11:[b..d]        newest first; size 100 unless *size
//     L1: 10:[a..f]!                     ! busy  ? marked for compaction
//     L2: 20:[a..b) 21:[b..c]            ) the end of a range tombstone: exclusive
//   ----
//   pick                                 or: scores, targets, pending, manual 1 2 c..f, all,
//                                        files 2 11 20 (to level 2), move 2 11 20 (if possible)
//   ----
//   L1 -> L2  inputs 11  overlap none  (move)
//
// VARVE_UPDATE_SNAPSHOTS=1 rewrites the files with what comes out.
#include "core/compaction/picker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/compaction/chosen_files.h"
#include "core/compaction/universal_picker.h"
#include "core/format/file_name.h"
#include "tests/unit/compaction/living_tree.h"
#include "tests/unit/version/version_fixture.h"
#include "varve/environment.h"

namespace varve {
namespace {

const std::string kSnapshots = std::string(VARVE_FIXTURES) + "/../snapshot/compaction";

struct Tree {
  ColumnFamilyOptions options;
  VersionEdit edit;
  BusyFiles busy;
  Sequence next_sequence = 1;
};

void SetOption(const std::string& text, ColumnFamilyOptions* options) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  const uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
  if (name == "base")
    options->max_bytes_for_level_base = number;
  else if (name == "multiplier")
    options->max_bytes_for_level_multiplier = static_cast<double>(number);
  else if (name == "trigger")
    options->level0_file_num_compaction_trigger = static_cast<int>(number);
  else if (name == "levels")
    options->num_levels = static_cast<int>(number);
  else if (name == "dynamic")
    options->level_compaction_dynamic_level_bytes = number != 0;
  else if (name == "max_compaction")
    options->max_compaction_bytes = number;
  else if (name == "target")
    options->target_file_size_base = number;
  else if (name == "target_multiplier")
    options->target_file_size_multiplier = static_cast<int>(number);
  else if (name == "fifo") {
    options->compaction_style = CompactionStyle::kFifo;
    options->fifo_max_table_files_size = number;
  } else if (name == "compression") {
    for (const char c : value) {
      options->compression_per_level.push_back(c == 'z' ? CompressionType::kZstd
                                                        : CompressionType::kNone);
    }
  } else if (name == "point_index") {
    for (const char c : value) {
      options->point_index_per_level.push_back(c == 'a' ? PointIndexKind::kAny
                                                        : PointIndexKind::kNone);
    }
  } else if (name == "universal") {
    options->compaction_style = CompactionStyle::kUniversal;
    options->universal.size_ratio = static_cast<uint32_t>(number);
  } else if (name == "min_width") {
    options->universal.min_merge_width = static_cast<uint32_t>(number);
  } else if (name == "max_width") {
    options->universal.max_merge_width = static_cast<uint32_t>(number);
  } else if (name == "amplification") {
    options->universal.max_size_amplification_percent = static_cast<uint32_t>(number);
  } else if (name == "compressed") {
    options->universal.compression_size_percent = static_cast<int>(number);
  } else if (name == "stop") {
    options->universal.stop_style =
        value == "similar" ? UniversalStopStyle::kSimilarSize : UniversalStopStyle::kTotalSize;
  } else if (name == "moves") {
    options->universal.allow_trivial_move = number != 0;
  } else if (name == "off") {
    options->disable_auto_compactions = true;
  } else {
    FAIL("unknown option " << name);
  }
}

// 11:[b..d]*300!  see above.
void AddFile(int level, const std::string& text, Tree* tree) {
  std::istringstream in(text);
  FileDescription file;
  char c = 0;
  std::string keys;
  in >> file.number >> c >> c;
  std::getline(in, keys, ']');
  // Reads up to the closing bracket of either kind.
  std::string rest;
  bool exclusive = false;
  if (const size_t round = keys.find(')'); round != std::string::npos) {
    exclusive = true;
    rest = keys.substr(round + 1);
    keys.resize(round);
  } else {
    std::getline(in, rest);
  }
  const size_t dots = keys.find("..");
  REQUIRE_NE(dots, std::string::npos);
  const std::string smallest = keys.substr(0, dots), largest = keys.substr(dots + 2);
  file.size = 100;
  std::istringstream marks(rest);
  while (marks >> c) {
    if (c == '*') marks >> file.size;
    if (c == '!') tree->busy.insert(file.number);
    if (c == '?') file.marked_for_compaction = true;
  }
  // Later in the text is older on level 0; deeper levels all have room below.
  const Sequence sequence = 1'000'000 - 10 * tree->next_sequence++;
  file.smallest = EncodeInternalKey({smallest, sequence, ValueType::kValue});
  file.largest = exclusive ? EncodeInternalKey({largest, kMaxSequence, ValueType::kRangeDeletion})
                           : EncodeInternalKey({largest, sequence, ValueType::kValue});
  file.smallest_sequence = file.largest_sequence = sequence;
  tree->edit.new_files.push_back({level, file});
}

std::string NumbersOf(const std::vector<FilePtr>& files) {
  if (files.empty()) return " none";
  std::string text;
  for (const FilePtr& file : files) text += " " + std::to_string(file->number());
  return text;
}

std::string PlanText(const std::optional<CompactionPlan>& plan) {
  if (!plan) return "nothing\n";
  if (plan->delete_only) return "delete" + NumbersOf(plan->inputs) + "\n";
  constexpr const char* kReasons[] = {"level 0",       "size",       "fifo",
                                      "manual",        "marked",     "blob garbage",
                                      "amplification", "size ratio", "number of runs"};
  std::string text = "L" + std::to_string(plan->input_level) + " -> L" +
                     std::to_string(plan->output_level) + "  inputs" + NumbersOf(plan->inputs);
  for (const LevelInputs& level : plan->between) {
    text += "  L" + std::to_string(level.level) + NumbersOf(level.files);
  }
  text += "  overlap" + NumbersOf(plan->output_overlap);
  if (plan->trivial_move) text += "  (move)";
  if (plan->bottommost) text += "  (bottommost)";
  text += "  because " + std::string(kReasons[static_cast<size_t>(plan->reason)]);
  text += "  file size " + std::to_string(plan->target_file_size);
  if (plan->compression == CompressionType::kZstd) text += "  zstd";
  if (plan->point_index == PointIndexKind::kAny) text += "  point index";
  return text + "\n";
}

std::string RunCommand(const std::string& command, const Version& version,
                       const ColumnFamilyOptions& options, const BusyFiles& busy) {
  std::istringstream in(command);
  std::string verb;
  in >> verb;
  std::ostringstream out;
  if (verb == "pick") return PlanText(PickCompaction(version, options, busy));
  if (verb == "all") return PlanText(PickAllRuns(version, options, busy));
  if (verb == "pending") {
    out << EstimatePendingBytes(version, options) << "\n";
  } else if (verb == "scores") {
    for (const double score : ComputeScores(version, options, busy)) out << score << " ";
    out << "\n";
  } else if (verb == "targets") {
    const LevelTargets targets = ComputeLevelTargets(version, options);
    out << "base L" << targets.base_level << " ";
    for (const uint64_t bytes : targets.bytes) {
      out << " " << (bytes == ~uint64_t{0} ? "-" : std::to_string(bytes));
    }
    out << "\n";
  } else if (verb == "manual") {
    int level = 0, output = 0;
    std::string range;
    in >> level >> output >> range;
    std::optional<std::string_view> begin, end;
    const std::string_view keys = range;
    if (const size_t dots = keys.find(".."); dots != std::string_view::npos) {
      if (dots > 0) begin = keys.substr(0, dots);
      if (dots + 2 < keys.size()) end = keys.substr(dots + 2);
    }
    return PlanText(PickManualCompaction(version, options, busy, level, output, begin, end));
  } else if (verb == "files" || verb == "move") {
    int output = 0;
    in >> output;
    std::vector<std::string> names;
    for (FileNumber number = 0; in >> number;) names.push_back(TableFileName(number));
    const CompactFilesOptions how{.output_file_size_limit = 1000,
                                  .allow_trivial_move = verb == "move"};
    const auto plan = PlanChosenFiles(version, options, busy, names, output, how);
    return plan.ok() ? PlanText(*plan) : plan.status().ToString() + "\n";
  } else {
    FAIL("unknown command " << command);
  }
  return out.str();
}

std::string RunCase(const std::string& setup, const std::string& commands) {
  Tree tree;
  tree.options.target_file_size_base = 100;
  std::istringstream lines(setup);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#' || word == "levels") continue;
    if (word == "options") {
      while (words >> word) SetOption(word, &tree.options);
      continue;
    }
    const int level = word[1] - '0';
    while (words >> word) AddFile(level, word, &tree);
  }
  const auto version = MakeVersion(tree.edit, *BytewiseComparator(), tree.options.num_levels);
  std::string output;
  std::istringstream in(commands);
  for (std::string command; std::getline(in, command);) {
    output += RunCommand(command, *version, tree.options, tree.busy);
  }
  return output;
}

// Setup, commands and output of each case are parted by lines of dashes, cases by an empty line.
std::string RunFile(const std::string& text) {
  std::string result;
  std::istringstream in(text);
  std::string part[3];
  int at = 0;
  const auto flush = [&] {
    if (part[1].empty()) return;
    if (!result.empty()) result += "\n";
    result += part[0] + "----\n" + part[1] + "----\n" + RunCase(part[0], part[1]);
  };
  for (std::string line; std::getline(in, line);) {
    if (line == "----") {
      at++;
    } else if (line.empty()) {
      flush();
      for (std::string& p : part) p.clear();
      at = 0;
    } else {
      part[at] += line + "\n";
    }
  }
  flush();
  return result;
}

TEST_CASE("Picker: the snapshots show its every choice") {
  const auto entries = NativeEnvironment().file_system->List(kSnapshots);
  REQUIRE(entries.ok());
  REQUIRE_GE(entries->size(), 4);
  for (const DirectoryEntry& entry : *entries) {
    CAPTURE(entry.name);
    const std::string path = kSnapshots + "/" + entry.name;
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string result = RunFile(text.str());
    if (std::getenv("VARVE_UPDATE_SNAPSHOTS") != nullptr) std::ofstream(path) << result;
    CHECK_EQ(result, text.str());
  }
}

ColumnFamilyOptions LeveledOptions(uint64_t seed) {
  std::mt19937_64 random(~seed);
  ColumnFamilyOptions options;
  options.level0_file_num_compaction_trigger = 1 + static_cast<int>(random() % 4);
  options.max_bytes_for_level_base = 400 + random() % 1000;
  options.max_bytes_for_level_multiplier = static_cast<double>(2 + random() % 4);
  options.level_compaction_dynamic_level_bytes = random() % 2 == 0;
  options.target_file_size_base = 100;
  return options;
}

TEST_CASE("Picker: newer versions stay above older ones after every picked compaction") {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    CAPTURE(seed);
    LivingTree tree(LeveledOptions(seed), seed);
    for (int flush = 0; flush < 80; flush++) {
      tree.Flush();
      if (flush % 3 != 0) continue;
      tree.CompactUntilIdle();
      for (const double score : ComputeScores(tree.version(), tree.options(), {})) {
        REQUIRE_LT(score, 1);
      }
    }
  }
}

}  // namespace
}  // namespace varve
