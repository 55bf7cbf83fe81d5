// SPDX-License-Identifier: Apache-2.0
// varve sst layout, index, filter, blocks, block, probe, hex; wal layout, manifest layout: what is
// inside a file, down to its bytes.
#include <algorithm>
#include <map>

#include "cli/api_output.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/literal.h"
#include "cli/range.h"
#include "cli/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/block_report.h"
#include "core/inspect/filter_report.h"
#include "core/inspect/log_layout.h"
#include "core/inspect/manifest_timeline.h"
#include "core/inspect/table_report.h"
#include "core/inspect/wal_report.h"

namespace varve::cli {
namespace {

constexpr auto kRight = TextTable::Align::kRight;
constexpr size_t kBarWidth = 20, kKeyWidth = 40, kBytesShown = 24;

FileSystem& Files() { return *NativeEnvironment().file_system; }

// Of a table that was laid out: damaged, or of a kind that is not implemented?
ExitCode ExitOf(const TableLayout& layout) {
  if (!layout.is_implemented()) return kUnsupported;
  return layout.problems().empty() ? kDone : kCorrupt;
}

std::string LeafText(const LayoutNode& leaf) {
  std::string text;
  if (leaf.form != LeafForm::kBytes) {
    text = std::to_string(leaf.number);
    if (leaf.form == LeafForm::kFixed32 || leaf.form == LeafForm::kFixed64) {
      text += "  0x" + Hex(leaf.number, leaf.form == LeafForm::kFixed32 ? 8 : 16);
    }
  } else {
    text = EscapeForDisplay(std::string_view(leaf.bytes).substr(0, kBytesShown));
    if (leaf.bytes.size() > kBytesShown) text += "...";
  }
  return text + (leaf.note.empty() ? "" : "   " + leaf.note);
}

void PrintTree(Sink& out, const LayoutNode& node, size_t depth) {
  std::string line(2 * depth, ' ');
  line += node.name + " @" + std::to_string(node.offset) + " +" + std::to_string(node.size);
  if (node.is_leaf()) {
    line += "  " + LeafText(node);
  } else if (!node.note.empty()) {
    line += "  " + node.note;
  }
  out.Write(line + "\n");
  for (const LayoutNode& child : node.children) PrintTree(out, child, depth + 1);
}

// A table's parts: how much of what, and in which order.
void PrintParts(Console& console, const TableLayout& layout) {
  struct Sum {
    uint64_t parts = 0, bytes = 0;
  };
  std::map<TablePartKind, Sum> sums;
  for (const TablePart& part : layout.parts()) {
    Sum& sum = sums[part.kind];
    ++sum.parts;
    sum.bytes += part.size;
  }
  const Terminal terminal = TerminalOf(console);
  TextTable shares(terminal,
                   {{"kind"}, {"parts", kRight}, {"bytes", kRight}, {"share", kRight}, {""}});
  for (const auto& [kind, sum] : sums) {
    const double share = static_cast<double>(sum.bytes) /
                         static_cast<double>(std::max<uint64_t>(1, layout.file_size()));
    char percent[16];
    std::snprintf(percent, sizeof(percent), "%.1f %%", 100 * share);
    shares.Add({std::string(TablePartName(kind)), HumanCount(sum.parts), HumanBytes(sum.bytes),
                percent, Bar(terminal, share, kBarWidth)});
  }
  console.out().Write(shares.Render() + "\n");
  // Neighbours of one kind are one line.
  TextTable runs(terminal, {{"offset", kRight}, {"size", kRight}, {"kind"}, {"parts", kRight}});
  const std::vector<TablePart>& parts = layout.parts();
  for (size_t i = 0; i < parts.size();) {
    size_t end = i;
    uint64_t size = 0;
    for (; end < parts.size() && parts[end].kind == parts[i].kind; ++end) size += parts[end].size;
    runs.Add({std::to_string(parts[i].offset), std::to_string(size),
              std::string(TablePartName(parts[i].kind)), HumanCount(end - i)});
    i = end;
  }
  console.out().Write(runs.Render());
  for (const std::string& problem : layout.problems()) console.out().Write(problem + "\n");
}

class SstLayout : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("fields", &fields_, "every field of every part");
    parameters.Size("at", &at_, "only the part that holds this byte, with its fields");
  }
  Result<ExitCode> Run(Console& console) override {
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, path_,
          "/files/{file}/layout" + ApiQuery()
                                       .Text("depth", fields_ || at_
                                                          ? std::optional<std::string>("fields")
                                                          : std::nullopt)
                                       .Number("from_offset", at_)
                                       .str());
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    if (!fields_ && !at_) PrintParts(console, *layout);
    for (const TablePart& part : layout->parts()) {
      const bool holds = at_ && part.offset <= *at_ && *at_ < part.offset + part.size;
      if (fields_ ? !at_ || holds : holds) PrintTree(console.out(), layout->Expand(part), 0);
    }
    return ExitOf(*layout);
  }

 private:
  std::string path_;
  bool fields_ = false;
  std::optional<uint64_t> at_;
};

// Of a WAL or a MANIFEST.
Result<ExitCode> PrintLog(Console& console, const std::string& path, LogKind kind) {
  ASSIGN_OR_RETURN(const auto layout, LogLayout::Open(Files(), path, kind));
  bool damaged = false;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LayoutNode> part, layout->Next());
    if (!part) return damaged ? kCorrupt : kDone;
    damaged = damaged || part->name == "undecoded";
    PrintTree(console.out(), *part, 0);
  }
}

class WalLayout : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "a database directory, or a log");
    parameters.OptionalPositional("number", &number_, "of a log of the database");
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const WalPlace place, FindWal(Files(), target_, number_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, target_,
                           "/wal/" + std::to_string(place.number) + "/layout?depth=fields");
    }
    return PrintLog(console, place.path, LogKind::kWal);
  }

 private:
  std::string target_;
  std::optional<uint64_t> number_;
};

class ManifestLayout : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "a database directory, or a MANIFEST");
  }
  Result<ExitCode> Run(Console& console) override {
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, target_, "/manifest/layout?depth=fields");
    }
    ASSIGN_OR_RETURN(const ManifestPlace place, FindManifest(Files(), target_));
    return PrintLog(console, place.path, LogKind::kManifest);
  }

 private:
  std::string target_;
};

std::string SequenceText(const BlockEntryReport& entry) {
  return entry.sequence ? std::to_string(*entry.sequence) : "";
}

// How many data blocks a partition of the index names. *end is that of the one before, behind which
// it lies: so that each is walked once, however often it is named.
std::string BlocksText(const TableLayout& layout, BlockHandle handle, uint64_t* end) {
  if (handle.offset < *end || !handle.FitsBelow(layout.file_size())) return "DAMAGED";
  *end = handle.end();
  const TablePart partition{handle.offset, handle.size + kBlockTrailerSize,
                            TablePartKind::kIndexPartition};
  uint64_t blocks = 0;
  const Status walked = WalkBlockEntries(layout, partition, [&](const BlockEntryReport&) {
    ++blocks;
    return true;
  });
  return walked.ok() ? std::to_string(blocks) : "DAMAGED";
}

std::string Kind(const TableLayout& layout) {
  return std::string(IndexKindName(layout.table().properties().index_type.value_or(0)));
}

Status PrintHandles(Console& console, const TableLayout& layout, const TablePart& part) {
  const bool top = part.kind == TablePartKind::kIndex && layout.table().index().two_levels;
  TextTable table(TerminalOf(console), {{"offset", kRight},
                                        {"size", kRight},
                                        {"blocks", kRight},
                                        {"separator"},
                                        {"seq", kRight},
                                        {"type"},
                                        {"first key"}});
  uint64_t end = 0;
  const Status status = WalkBlockEntries(layout, part, [&](const BlockEntryReport& entry) {
    table.Add({std::to_string(entry.handle.offset), std::to_string(entry.handle.size),
               top ? BlocksText(layout, entry.handle, &end) : "", ShortKey(entry.key, kKeyWidth),
               SequenceText(entry), std::string(entry.type), ShortKey(entry.first_key, kKeyWidth)});
    return true;
  });
  console.out().Write(table.Render());
  return status;
}

class SstIndex : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Size("partition", &partition_, "the partition that begins at this offset");
  }
  Result<ExitCode> Run(Console& console) override {
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, path_, "/files/{file}/index" + ApiQuery().Number("partition", partition_).str());
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    for (const TablePart& part : layout->parts()) {
      const bool wanted =
          partition_ ? part.kind == TablePartKind::kIndexPartition && part.offset == *partition_
                     : part.kind == TablePartKind::kIndex;
      if (!wanted) continue;
      const IndexReader& index = layout->table().index();
      console.out().Write(
          std::string(TablePartName(part.kind)) + " @" + std::to_string(part.offset) + ", " +
          HumanBytes(part.size) + ", " + Kind(*layout) + ", " +
          (index.encoding.user_keys ? "user keys" : "internal keys") +
          (index.encoding.values.delta_encoded ? ", delta-encoded" : "") +
          (index.two_levels && !partition_ ? "; leads to partitions (--partition OFFSET)\n"
                                           : "; leads to data blocks\n"));
      RETURN_IF_ERROR(PrintHandles(console, *layout, part));
      return kDone;
    }
    return Status::NotFound(
        path_ + (partition_ ? ": no index partition begins at " + std::to_string(*partition_)
                            : std::string(": there is no index")));
  }

 private:
  std::string path_;
  std::optional<uint64_t> partition_;
};

class SstBlocks : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("kind", &kind_, "of this kind only: data, index, filter, ...");
  }
  Result<ExitCode> Run(Console& console) override {
    if (IsData(console.format(Format::kTable))) {
      ASSIGN_OR_RETURN(
          const ExitCode code,
          PrintResource(console, path_,
                        "/files/{file}/blocks" + ApiQuery().Text("kind", kind_).str()));
      if (code != kDone) return code;
      ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
      return AnyDamage(*layout) ? kCorrupt : ExitOf(*layout);
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    TextTable table(TerminalOf(console), {{"offset", kRight},
                                          {"kind"},
                                          {"stored", kRight},
                                          {"raw", kRight},
                                          {"codec"},
                                          {"checksum"},
                                          {"entries", kRight},
                                          {"restarts", kRight},
                                          {"keys saved", kRight}});
    bool damaged = false;
    for (const TablePart& part : layout->parts()) {
      if (!Wants(part)) continue;
      const BlockReport block = ReportBlock(*layout, part);
      damaged = damaged || IsDamaged(block);
      table.Add(Row(block));
    }
    console.out().Write(table.Render());
    for (const std::string& problem : layout->problems()) console.out().Write(problem + "\n");
    return damaged ? kCorrupt : ExitOf(*layout);
  }

 private:
  bool Wants(const TablePart& part) const {
    return part.is_block() && (!kind_ || TablePartName(part.kind) == *kind_);
  }
  bool AnyDamage(const TableLayout& layout) const {
    return std::any_of(layout.parts().begin(), layout.parts().end(), [&](const TablePart& part) {
      return Wants(part) && IsDamaged(ReportBlock(layout, part));
    });
  }
  static std::vector<std::string> Row(const BlockReport& block) {
    const uint64_t saved =
        block.key_bytes == 0 ? 0 : 100 * block.shared_key_bytes / block.key_bytes;
    const bool entries = block.restarts > 0;
    return {std::to_string(block.part.offset),
            std::string(TablePartName(block.part.kind)),
            std::to_string(block.part.size),
            std::to_string(block.raw_size),
            block.codec == "none" ? "" : block.codec,
            block.checksum_ok ? "ok" : "WRONG",
            entries ? HumanCount(block.entries) : "",
            entries ? HumanCount(block.restarts) : "",
            entries ? std::to_string(saved) + " %" : ""};
  }

  std::string path_;
  std::optional<std::string> kind_;
};

class SstBlock : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Positional("offset", &offset_, "where the block begins").in_bytes = true;
  }
  Result<ExitCode> Run(Console& console) override {
    if (IsData(console.format(Format::kTable))) {
      ASSIGN_OR_RETURN(
          const ExitCode code,
          PrintResource(console, path_,
                        "/files/{file}/blocks/" + std::to_string(offset_) + "/entries"));
      if (code != kDone) return code;
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    const TablePart* part = layout->Find(offset_);
    if (part == nullptr) {
      return Status::NotFound(path_ + ": no block begins at " + std::to_string(offset_) +
                              "; 'varve sst blocks' lists them");
    }
    const BlockReport block = ReportBlock(*layout, *part);
    if (IsData(console.format(Format::kTable))) return IsDamaged(block) ? kCorrupt : kDone;
    PrintFacts(console.out(), block);
    if (layout->ContentsOf(part->kind)) {
      RETURN_IF_ERROR(PrintEntries(console, *layout, *part));
    } else {
      ASSIGN_OR_RETURN(const LayoutNode tree, layout->ExpandDecoded(*part));
      PrintTree(console.out(), tree, 0);
    }
    return IsDamaged(block) ? kCorrupt : kDone;
  }

 private:
  static void PrintFacts(Sink& out, const BlockReport& block) {
    out.Write(
        std::string(TablePartName(block.part.kind)) + " block @" +
        std::to_string(block.part.offset) + ": " + HumanBytes(block.part.size) + " stored, " +
        HumanBytes(block.raw_size) + " raw, " + block.codec + ", checksum 0x" +
        Hex(block.stored_checksum, 8) +
        (block.checksum_ok ? " ok" : " WRONG: computed 0x" + Hex(block.computed_checksum, 8)) +
        "\n");
    if (block.restarts > 0) {
      out.Write(HumanCount(block.entries) + " entries, " + HumanCount(block.restarts) +
                " restarts, " + std::to_string(block.shared_key_bytes) + " of " +
                std::to_string(block.key_bytes) + " bytes of keys shared" +
                (block.hash_buckets > 0
                     ? ", hash index of " + HumanCount(block.hash_buckets) + " buckets"
                     : "") +
                (block.separated ? ", keys and values apart" : "") + "\n");
    }
    if (!block.problem.empty()) out.Write(block.problem + "\n");
  }

  static Status PrintEntries(Console& console, const TableLayout& layout, const TablePart& part) {
    TextTable table(TerminalOf(console), {{"offset", kRight},
                                          {"restart"},
                                          {"shared", kRight},
                                          {"own", kRight},
                                          {"key"},
                                          {"seq", kRight},
                                          {"type"},
                                          {"value"}});
    const BlockContents contents = *layout.ContentsOf(part.kind);
    const bool handles = contents.values != BlockContents::Values::kOpaque;
    const Status status = WalkBlockEntries(layout, part, [&](const BlockEntryReport& entry) {
      table.Add({std::to_string(entry.offset), entry.restart ? "*" : "",
                 std::to_string(entry.shared), std::to_string(entry.non_shared),
                 ShortKey(entry.key, kKeyWidth), SequenceText(entry), std::string(entry.type),
                 handles ? "@" + std::to_string(entry.handle.offset) + " +" +
                               std::to_string(entry.handle.size)
                         : ShortKey(entry.value, kKeyWidth)});
      return true;
    });
    console.out().Write(table.Render());
    return status;
  }

  std::string path_;
  uint64_t offset_ = 0;
};

std::string Rate(double rate) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f %%", 100 * rate);
  return text;
}

void Line(Sink& out, std::string name, const std::string& text) {
  name.resize(std::max<size_t>(name.size(), 18), ' ');
  out.Write(name + text + "\n");
}

class SstFilter : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("ask", &ask_, "absent keys to ask for; 20000 if not given");
    parameters.Option("seed", &seed_, "of what they are made from");
  }
  Result<ExitCode> Run(Console& console) override {
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, path_,
          "/files/{file}/filter" + ApiQuery().Number("ask", ask_).Number("seed", seed_).str());
    }
    FilterQuestion question;
    question.ask = ask_.value_or(question.ask);
    question.seed = seed_.value_or(question.seed);
    ASSIGN_OR_RETURN(const FilterReport report, ReportFilter(Files(), path_, question));
    Print(console, report);
    return report.damaged ? kCorrupt : kDone;
  }

 private:
  static void Print(Console& console, const FilterReport& f) {
    Sink& out = console.out();
    Line(out, "filter",
         f.kind + (f.partitioned ? ", partitioned" : "") +
             (f.kind == "none" || f.whole_keys ? "" : ", of prefixes"));
    if (f.kind == "none") return;
    char bits[32];
    std::snprintf(bits, sizeof(bits), "%.2f", f.bits_per_key);
    Line(out, "size",
         HumanBytes(f.bytes) + " for " + HumanCount(f.entries) + " keys: " + bits + " bits each");
    if (f.partitioned) {
      Line(out, "partitions",
           HumanCount(f.partitions) + " of " + HumanBytes(f.smallest_partition) + " to " +
               HumanBytes(f.largest_partition) +
               (f.empty_partitions > 0 ? ", " + HumanCount(f.empty_partitions) + " empty" : ""));
    }
    if (f.probes > 0) Line(out, "probes", std::to_string(f.probes) + " bits a key");
    if (f.columns > 0) Line(out, "columns", "up to " + std::to_string(f.columns));
    if (f.bits > 0) {
      const double fill =
          static_cast<double>(f.bits_set) / static_cast<double>(std::max<uint64_t>(1, f.bits));
      Line(out, "fill",
           Bar(TerminalOf(console), fill, kBarWidth) + " " + Rate(fill) + " of " +
               HumanCount(f.bits) + " bits set");
    }
    if (f.asked > 0) {
      Line(
          out, "false positives",
          Rate(f.rate) + " (95 % interval " + Rate(f.rate_low) + " to " + Rate(f.rate_high) +
              "): " + HumanCount(f.passed) + " of " + HumanCount(f.asked) +
              (f.by_hash ? " random strings" : " absent keys") +
              (f.expected_rate > 0 ? "; from the bits that are set " + Rate(f.expected_rate) : ""));
    }
    if (!f.problem.empty()) Line(out, "note", f.problem);
  }

  std::string path_;
  std::optional<uint64_t> ask_, seed_;
};

class SstProbe : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Positional("key", &key_, "the key; hex:… b64:… esc:… u64be:… are understood");
    DeclareKeyEncoding(parameters, &key_encoding_);
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::string key, ParseLiteral(key_, EncodingByName(key_encoding_)));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, path_,
                           "/files/{file}/filter:probe" + ApiQuery().Key("key", key).str());
    }
    ASSIGN_OR_RETURN(const FilterAnswer answer, AskFilter(Files(), path_, key));
    Sink& out = console.out();
    out.Write(answer.look.kind + (answer.look.may_match ? ": maybe\n" : ": no\n"));
    for (const uint64_t bit : answer.look.bits) {
      out.Write("  bit " + std::to_string(bit) +
                (answer.look.first_zero == bit ? "  0\n" : "  1\n"));
    }
    for (const BlockLook& read : answer.reads) {
      out.Write("  " + read.kind + " @" + std::to_string(read.offset) + "  " +
                HumanBytes(read.size) + "\n");
    }
    return answer.look.may_match ? kDone : kNegative;
  }

 private:
  std::string path_, key_, key_encoding_ = "utf8";
};

class SstHex : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Size("offset", &offset_, "the first byte; 0 if not given");
    parameters.Size("size", &size_, "how many; 512 if not given");
    parameters.Size("block", &block_, "of the block that begins here");
    parameters.Option("decoded", &decoded_, "of what the block decompresses to");
  }
  Result<ExitCode> Run(Console& console) override {
    if (decoded_ && !block_) return Status::InvalidArgument("--decoded goes with --block");
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, path_,
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
      std::string buffer(static_cast<size_t>(std::min(size, total - std::min(total, offset))), 0);
      ASSIGN_OR_RETURN(const std::string_view read,
                       file->Read(offset, buffer.size(), buffer.data()));
      return std::string(read);
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    const TablePart* part = layout->Find(*block_);
    if (part == nullptr) {
      return Status::NotFound(path_ + ": no block begins at " + std::to_string(*block_));
    }
    std::string bytes;
    if (decoded_) {
      ASSIGN_OR_RETURN(const auto block, layout->Decoded(*part));
      bytes = block->bytes();
    } else {
      ASSIGN_OR_RETURN(bytes, layout->Stored(*part));
    }
    return offset >= bytes.size()
               ? std::string()
               : bytes.substr(static_cast<size_t>(offset), static_cast<size_t>(size));
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
      out.Write(line + "  |" + text + "|\n");
    }
  }

  std::string path_;
  std::optional<uint64_t> offset_, size_, block_;
  bool decoded_ = false;
};

}  // namespace

const Command kSstLayout = {"sst layout", "which byte of a table is what",
                            "varve sst layout 000123.sst\n"
                            "varve sst layout 000123.sst --at 4096\n"
                            "varve sst layout 000123.sst --fields --json",
                            "0 shown, 4 not all of it could be read",
                            [] { return MakeInvocation<SstLayout>(); }};
const Command kWalLayout = {"wal layout", "which byte of a log is what",
                            "varve wal layout ./db 17\nvarve wal layout 000017.log --json",
                            "0 shown, 4 not all of it is records",
                            [] { return MakeInvocation<WalLayout>(); }};
const Command kManifestLayout = {
    "manifest layout", "which byte of a MANIFEST is what", "varve manifest layout ./db",
    "0 shown, 4 not all of it is records", [] { return MakeInvocation<ManifestLayout>(); }};
const Command kSstIndex = {"sst index", "the separators and handles of a table's index",
                           "varve sst index 000123.sst\n"
                           "varve sst index 000123.sst --partition 63000000",
                           "0 shown", [] { return MakeInvocation<SstIndex>(); }};
const Command kSstFilter = {"sst filter", "a table's filter: kind, fill, and how often it is wrong",
                            "varve sst filter 000123.sst --ask 100000",
                            "0 shown, 4 it is damaged, so readers do without",
                            [] { return MakeInvocation<SstFilter>(); }};
const Command kSstProbe = {"sst probe", "what the filter says of a key, and which bits say it",
                           "varve sst probe 000123.sst user:42", "0 maybe there, 1 certainly not",
                           [] { return MakeInvocation<SstProbe>(); }};
const Command kSstBlocks = {"sst blocks", "the blocks of a table, each read and verified",
                            "varve sst blocks 000123.sst --kind data", "0 all are whole, 4 damage",
                            [] { return MakeInvocation<SstBlocks>(); }};
const Command kSstBlock = {"sst block", "one block: its entries, restarts and shared prefixes",
                           "varve sst block 000123.sst 0", "0 whole, 4 damage",
                           [] { return MakeInvocation<SstBlock>(); }};
const Command kSstHex = {"sst hex", "bytes of a table or of a block",
                         "varve sst hex 000123.sst --offset 4096\n"
                         "varve sst hex 000123.sst --block 0 --decoded",
                         "0 shown", [] { return MakeInvocation<SstHex>(); }};

}  // namespace varve::cli
