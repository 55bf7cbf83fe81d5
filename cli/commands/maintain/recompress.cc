// SPDX-License-Identifier: Apache-2.0
// varve sst recompress.
#include "core/repair/recompress.h"

#include <algorithm>
#include <span>

#include "cli/commands/commands.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/report_columns.h"
#include "core/base/codec/compression.h"
#include "core/base/options/option_value.h"
#include "core/base/text/quantity.h"
#include "core/base/try.h"

namespace varve::cli {

struct CompressionTrial {
  std::string_view codec;
  uint64_t block_size = 0;
  RecompressedSize size;
};
struct CompressionTrials {
  uint64_t file_bytes;
  std::span<const CompressionTrial> trials;
};

namespace {

using Align = TextTable::Align;

using Trial = CompressionTrial;

const api::Fields<RecompressedSize>& RecompressedSizeFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<RecompressedSize>()
          .Number("file_bytes", Unit::kBytes, &RecompressedSize::file_bytes, "of the table")
          .Number("data_bytes", Unit::kBytes, &RecompressedSize::data_bytes,
                  "of its data blocks, as stored")
          .Number("data_blocks", Unit::kCount, &RecompressedSize::data_blocks, "of the table")
          .Number("micros", Unit::kMicroseconds, &RecompressedSize::micros,
                  "to read the table and build it");
  return fields;
}

const api::Fields<Trial>& TrialFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<Trial>()
          .Text("codec", &Trial::codec, "that it was built with")
          .Number("block_size", Unit::kBytes, &Trial::block_size, "of a block before compression")
          .Include(&Trial::size, RecompressedSizeFields());
  return fields;
}

const api::Fields<CompressionTrials>& RecompressFields() {
  static const auto fields =
      api::Fields<CompressionTrials>()
          .Number("file_bytes", api::Unit::kBytes, &CompressionTrials::file_bytes,
                  "of the table as it is")
          .List("rows", &CompressionTrials::trials, TrialFields(), "as it would be");
  return fields;
}

class Recompress : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("compare", &compare_,
                      "build it with every codec and block size, without writing a file");
    std::vector<std::string> codecs;
    for (const auto& name : NamesOf(CompressionType{})) codecs.emplace_back(name.short_text);
    parameters.Option("codec", &codecs_, "only this one; may be repeated", std::move(codecs));
    parameters.Option(
        "block-size", &block_sizes_,
        "bytes of a block before compression; may be repeated; 4K 16K 64K if not given");
    parameters.Option("level", &level_, "compression level (default: that of the codec)");
    parameters.Size("dictionary", &dictionary_, "maximum size of the zstd dictionary");
  }

  Result<ExitCode> Run(Console& console) override {
    if (!compare_) {
      return Status::InvalidArgument("--compare is missing: it shows the sizes that " + path_ +
                                     " would have, and writes nothing");
    }
    if (dictionary_ > 0 && !codecs_.empty() &&
        std::find(codecs_.begin(), codecs_.end(), "zstd") == codecs_.end()) {
      return Status::InvalidArgument("--dictionary is for zstd, which is none of --codec");
    }
    const Environment& env = NativeEnvironment();
    RETURN_IF_ERROR(RequireTable(*env.file_system, path_).status());
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
    if (IsData(console.format(Format::kTable))) {
      PrintReport(console, kRecompressDocument, {now, trials});
    } else {
      PrintTable(console, now, trials);
    }
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

  void PrintTable(Console& console, uint64_t now, const std::vector<Trial>& trials) const {
    uint64_t smallest = UINT64_MAX;
    for (const Trial& trial : trials) smallest = std::min(smallest, trial.size.file_bytes);
    const auto now_or_1 = static_cast<double>(std::max<uint64_t>(now, 1));
    ReportColumns<Trial> table(TerminalOf(console), TrialFields());
    table.Show("codec")
        .Show("block_size", "block")
        .Show("file_bytes", "table")
        .Show("to now", Align::kRight,
              [&](const Trial& trial) {
                return HumanRatio(static_cast<double>(trial.size.file_bytes) / now_or_1);
              })
        .Show("data_bytes", "data")
        .Show("data_blocks", "blocks")
        .Show("micros", "time")
        .Show("", Align::kLeft, [&](const Trial& trial) {
          return trial.size.file_bytes == smallest ? "smallest" : "";
        });
    console.out().Write(path_ + "  now " + HumanBytes(now) + "\n" + table.Of(trials).Render());
  }

  std::string path_;
  bool compare_ = false;
  std::vector<std::string> codecs_, block_sizes_;
  int64_t level_ = TableOptions::kDefaultCompressionLevel;
  uint64_t dictionary_ = 0;
};

}  // namespace

const CommandDocument<CompressionTrials> kRecompressDocument = {"varve.recompress/1",
                                                                RecompressFields, "rows"};

const Command kSstRecompress = {
    "sst recompress", "the size of a table with every codec and block size",
    "varve sst recompress 000012.sst --compare\n"
    "varve sst recompress 000012.sst --compare --codec zstd --level 9 --block-size 32K",
    "0 done", [] { return MakeInvocation<Recompress>(); }};

}  // namespace varve::cli
