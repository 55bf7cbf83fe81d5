// SPDX-License-Identifier: Apache-2.0
// varve sst recompress.
#include "core/repair/recompress.h"

#include <cstdio>

#include "cli/api_output.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/progress.h"
#include "cli/text_table.h"
#include "core/base/compression.h"
#include "core/base/option_value.h"
#include "core/base/quantity.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

struct Trial {
  std::string_view codec;
  uint64_t block_size = 0;
  RecompressedSize size;
};

std::string Ratio(uint64_t now, uint64_t then) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                static_cast<double>(now) / static_cast<double>(std::max<uint64_t>(then, 1)));
  return text;
}

class Recompress : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("compare", &compare_,
                      "build it with every codec and block size, into nothing");
    std::vector<std::string> codecs;
    for (const auto& name : NamesOf(CompressionType{})) codecs.emplace_back(name.short_text);
    parameters.Option("codec", &codecs_, "only this one; may be repeated", std::move(codecs));
    parameters.Option(
        "block-size", &block_sizes_,
        "bytes of a block before compression; may be repeated; 4K 16K 64K if not given");
    parameters.Option("level", &level_, "of the codec, instead of its own default");
    parameters.Size("dictionary", &dictionary_, "at most so many bytes of zstd dictionary");
  }

  Result<ExitCode> Run(Console& console) override {
    if (!compare_) {
      return Status::InvalidArgument("say --compare: the sizes that " + path_ +
                                     " would have; nothing is written");
    }
    const Environment& env = NativeEnvironment();
    ASSIGN_OR_RETURN(const std::vector<uint64_t> block_sizes, BlockSizes());
    ASSIGN_OR_RETURN(TableOptions options, OptionsOfTable(*env.file_system, path_));
    ASSIGN_OR_RETURN(const uint64_t now, env.file_system->FileSize(path_));
    options.compression_level = static_cast<int>(level_);
    options.compression_dict_bytes = static_cast<uint32_t>(dictionary_);
    std::vector<Trial> trials;
    Progress progress(console, "recompress", "tables", 0);
    for (const auto& name : NamesOf(CompressionType{})) {
      if (!codecs_.empty() &&
          std::find(codecs_.begin(), codecs_.end(), name.short_text) == codecs_.end()) {
        continue;
      }
      for (const uint64_t block_size : block_sizes) {
        options.compression = name.value;
        options.block_size = static_cast<uint32_t>(block_size);
        ASSIGN_OR_RETURN(const RecompressedSize size, MeasureRecompressed(env, path_, options));
        trials.push_back({name.short_text, block_size, size});
        progress.Look(trials.size());
      }
    }
    Print(console, now, trials);
    return kDone;
  }

 private:
  Result<std::vector<uint64_t>> BlockSizes() const {
    if (block_sizes_.empty()) return std::vector<uint64_t>{4 << 10, 16 << 10, 64 << 10};
    std::vector<uint64_t> sizes;
    constexpr uint64_t kMin = 256, kMax = 64 << 20;
    for (const std::string& word : block_sizes_) {
      const auto size = ParseByteSize(word);
      if (!size || *size < kMin || *size > kMax) {
        return Status::InvalidArgument("--block-size: '" + word + "' is not within 256 to 64M");
      }
      sizes.push_back(*size);
    }
    return sizes;
  }

  void Print(Console& console, uint64_t now, const std::vector<Trial>& trials) const {
    const Format format =
        console.format(console.out_is_terminal() ? Format::kTable : Format::kText);
    if (format == Format::kTable) return PrintTable(console, now, trials);
    if (IsData(format)) return PrintRows(console, now, trials);
    for (const Trial& trial : trials) {
      console.out().Write(std::string(trial.codec) + "\t" + std::to_string(trial.block_size) +
                          "\t" + std::to_string(trial.size.file_bytes) + "\t" +
                          std::to_string(trial.size.data_bytes) + "\t" +
                          std::to_string(trial.size.data_blocks) + "\t" +
                          std::to_string(trial.size.micros) + "\n");
    }
  }

  static void PrintRows(Console& console, uint64_t now, const std::vector<Trial>& trials) {
    std::vector<api::Json> rows;
    for (const Trial& trial : trials) {
      rows.push_back({{"codec", std::string(trial.codec)},
                      {"block_size", trial.block_size},
                      {"file_bytes", trial.size.file_bytes},
                      {"data_bytes", trial.size.data_bytes},
                      {"data_blocks", trial.size.data_blocks},
                      {"micros", trial.size.micros}});
    }
    PrintList(console, {{"schema", "varve.recompress/1"}, {"file_bytes", now}}, "rows", rows);
  }

  void PrintTable(Console& console, uint64_t now, const std::vector<Trial>& trials) const {
    uint64_t smallest = UINT64_MAX;
    for (const Trial& trial : trials) smallest = std::min(smallest, trial.size.file_bytes);
    const Terminal terminal = TerminalOf(console);
    TextTable table(terminal, {{"codec"},
                               {"block", Align::kRight},
                               {"table", Align::kRight},
                               {"to now", Align::kRight},
                               {"blocks", Align::kRight},
                               {"time", Align::kRight},
                               {""}});
    for (const Trial& trial : trials) {
      table.Add({std::string(trial.codec), HumanBytes(trial.block_size),
                 HumanBytes(trial.size.file_bytes), Ratio(trial.size.file_bytes, now),
                 HumanCount(trial.size.data_blocks), HumanCount(trial.size.micros / 1000) + " ms",
                 trial.size.file_bytes == smallest ? "smallest" : ""});
    }
    console.out().Write(path_ + "  now " + HumanBytes(now) + "\n" + table.Render());
  }

  std::string path_;
  bool compare_ = false;
  std::vector<std::string> codecs_, block_sizes_;
  int64_t level_ = TableOptions::kDefaultCompressionLevel;
  uint64_t dictionary_ = 0;
};

}  // namespace

const Command kSstRecompress = {
    "sst recompress", "what a table would take with every codec and block size",
    "varve sst recompress 000012.sst --compare\n"
    "varve sst recompress 000012.sst --compare --codec zstd --level 9 --block-size 32K",
    "0 said; lines are codec, block size, bytes of the table, of its data, blocks, microseconds",
    [] { return MakeInvocation<Recompress>(); }};

}  // namespace varve::cli
