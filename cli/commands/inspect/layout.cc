// SPDX-License-Identifier: Apache-2.0
// varve sst layout, wal layout, manifest layout: which byte of a file is what.
#include <algorithm>
#include <map>

#include "cli/commands/commands.h"
#include "cli/commands/inspect/file_parts.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/output/api_output.h"
#include "cli/output/human_numbers.h"
#include "core/base/try.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/target.h"
#include "core/inspect/wal/log_layout.h"
#include "core/inspect/wal/wal_report.h"

namespace varve::cli {
namespace {

// A table's parts: how much of what, and in which order. Sums for people, which no document has:
// the API lists the parts themselves.
void PrintParts(Console& console, const std::string& path, const TableLayout& layout) {
  for (const std::string& problem : layout.problems()) {
    console.out().Write(path + ": " + problem + "\n");
  }
  if (layout.parts().empty()) return;
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
    shares.Add({std::string(TablePartName(kind)), HumanCount(sum.parts), HumanBytes(sum.bytes),
                HumanShare(share), Bar(terminal, share, kShareBarWidth)});
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
}

class SstLayout : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("fields", &fields_, "every field of every part");
    parameters.Size("at", &at_, "only the part with this byte, with its fields");
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, {path_, kind},
          "/files/{file}/layout" + ApiQuery()
                                       .Text("depth", fields_ || at_
                                                          ? std::optional<std::string>("fields")
                                                          : std::nullopt)
                                       .Number("at", at_)
                                       .str());
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    if (at_ && *at_ >= layout->file_size()) {
      return Status::InvalidArgument("--at " + std::to_string(*at_) + ": " + path_ + " has " +
                                     std::to_string(layout->file_size()) + " bytes");
    }
    if (!fields_ && !at_) PrintParts(console, path_, *layout);
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
Status PrintLog(Console& console, const std::string& path, LogKind kind) {
  ASSIGN_OR_RETURN(const auto layout, LogLayout::Open(Files(), path, kind));
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<LayoutNode> part, layout->Next());
    if (!part) return Status::Ok();
    PrintTree(console.out(), *part, 0);
  }
}

class WalLayout : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "a database directory, or a log");
    parameters.OptionalPositional("number", &number_,
                                  "number of the log, if the database has several");
  }
  Result<ExitCode> Run(Console& console) override {
    // Of unknown kind: perhaps damaged where it begins.
    ASSIGN_OR_RETURN(const TargetKind kind,
                     RequireKind(Files(), target_, "not a log",
                                 {TargetKind::kDatabase, TargetKind::kWal, TargetKind::kUnknown}));
    ASSIGN_OR_RETURN(const WalPlace place, FindWal(Files(), target_, number_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {target_, kind},
                           "/wal/" + std::to_string(place.number) + "/layout?depth=fields");
    }
    RETURN_IF_ERROR(PrintLog(console, place.path, LogKind::kWal));
    RETURN_IF_ERROR(CheckWal(Files(), place));
    RETURN_IF_ERROR(CheckManifestBeside(target_));
    return kDone;
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
    // Of unknown kind: perhaps damaged where it begins.
    ASSIGN_OR_RETURN(
        const TargetKind kind,
        RequireKind(Files(), target_, "not a MANIFEST",
                    {TargetKind::kDatabase, TargetKind::kManifest, TargetKind::kUnknown}));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {target_, kind}, "/manifest/layout?depth=fields");
    }
    ASSIGN_OR_RETURN(const ManifestPlace place, FindManifest(Files(), target_));
    RETURN_IF_ERROR(PrintLog(console, place.path, LogKind::kManifest));
    RETURN_IF_ERROR(CheckManifest(target_));
    return kDone;
  }

 private:
  std::string target_;
};

}  // namespace

const Command kSstLayout = {"sst layout", "the meaning of every byte of a table",
                            "varve sst layout 000123.sst\n"
                            "varve sst layout 000123.sst --at 4096\n"
                            "varve sst layout 000123.sst --fields --json",
                            "0 shown, 4 not all of it could be read",
                            [] { return MakeInvocation<SstLayout>(); }};
const Command kWalLayout = {"wal layout", "the meaning of every byte of a log",
                            "varve wal layout ./db 17\nvarve wal layout 000017.log --json",
                            "0 shown, 4 damaged (all of it is shown)",
                            [] { return MakeInvocation<WalLayout>(); }};
const Command kManifestLayout = {
    "manifest layout", "the meaning of every byte of a MANIFEST", "varve manifest layout ./db",
    "0 shown, 4 damaged (all of it is shown)", [] { return MakeInvocation<ManifestLayout>(); }};

}  // namespace varve::cli
