// SPDX-License-Identifier: Apache-2.0
// varve sst hex.
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/inspect/file_parts.h"
#include "cli/output/api_output.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_report.h"

namespace varve::cli {
namespace {

class SstHex : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Size("offset", &offset_, "the first byte; 0 if not given");
    parameters.Size("size", &size_, "how many; 512 if not given");
    parameters.Size("block", &block_, "only the block that begins at this offset");
    parameters.Option("decoded", &decoded_, "the decompressed contents of the block");
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    if (decoded_ && !block_) return Status::InvalidArgument("--decoded needs --block");
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {path_, kind},
                           "/files/{file}/hex" + ApiQuery()
                                                     .Number("offset", offset_)
                                                     .Number("size", size_)
                                                     .Number("block", block_)
                                                     .Flag("decoded", decoded_)
                                                     .str());
    }
    ASSIGN_OR_RETURN(const std::string bytes, Read());
    Dump(console.out(), bytes, offset_.value_or(0));
    return kDone;
  }

 private:
  static constexpr uint64_t kSizeDefault = 512;
  static constexpr size_t kPerLine = 16;

  Result<std::string> Read() const {
    const uint64_t offset = offset_.value_or(0), size = size_.value_or(kSizeDefault);
    if (!block_) {
      ASSIGN_OR_RETURN(const auto file, Files().OpenForRead(path_, /*direct=*/false));
      ASSIGN_OR_RETURN(const uint64_t total, file->Size());
      RETURN_IF_ERROR(CheckOffset(total));
      std::string buffer(static_cast<size_t>(std::min(size, total - std::min(total, offset))), 0);
      ASSIGN_OR_RETURN(const std::string_view read,
                       file->Read(offset, buffer.size(), buffer.data()));
      return std::string(read);
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    const TablePart* part = layout->Find(*block_);
    if (part == nullptr) {
      RETURN_IF_ERROR(layout->status());
      return Status::InvalidArgument(path_ + ": no block begins at " + std::to_string(*block_));
    }
    std::string bytes;
    if (decoded_) {
      ASSIGN_OR_RETURN(const auto block, layout->Decoded(*part));
      bytes = block->bytes();
    } else {
      ASSIGN_OR_RETURN(bytes, layout->Stored(*part));
    }
    RETURN_IF_ERROR(CheckOffset(bytes.size()));
    return bytes.substr(static_cast<size_t>(offset), static_cast<size_t>(size));
  }

  Status CheckOffset(uint64_t total) const {
    if (!offset_ || *offset_ == 0 || *offset_ < total) return Status::Ok();
    return Status::InvalidArgument("--offset " + std::to_string(*offset_) + ": " +
                                   (block_ ? "the block" : path_) + " has " +
                                   std::to_string(total) + " bytes");
  }

  static void Dump(Sink& out, std::string_view bytes, uint64_t offset) {
    for (size_t i = 0; i < bytes.size(); i += kPerLine) {
      const std::string_view part = bytes.substr(i, kPerLine);
      std::string line = Hex(offset + i, 8) + " ", text;
      for (size_t j = 0; j < kPerLine; ++j) {
        line += j == kPerLine / 2 ? "  " : " ";
        line += j < part.size() ? HexBytes(part.substr(j, 1)) : "  ";
        if (j < part.size()) text += part[j] >= ' ' && part[j] <= '~' ? part[j] : '.';
      }
      out.Write(line.append("  |").append(text).append("|\n"));
    }
  }

  std::string path_;
  std::optional<uint64_t> offset_, size_, block_;
  bool decoded_ = false;
};

}  // namespace

const Command kSstHex = {"sst hex", "bytes of a table or of a block",
                         "varve sst hex 000123.sst --offset 4096\n"
                         "varve sst hex 000123.sst --block 0 --decoded",
                         "0 shown", [] { return MakeInvocation<SstHex>(); }};

}  // namespace varve::cli
