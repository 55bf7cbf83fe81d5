// SPDX-License-Identifier: Apache-2.0
// varve approxsize.
#include "core/inspect/lsm/approximate_size.h"

#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {

struct RangeSize {
  std::string family;
  const ApproximateSize& size;
};

namespace {

class ApproxSize : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("from", &flags_.from, "first key");
    parameters.Option("to", &flags_.to, "exclusive end of the range");
    parameters.Option("prefix", &flags_.prefix, "only keys with this prefix");
    DeclareFamily(parameters, &flags_.family);
    DeclareKeyEncoding(parameters, &flags_.key_encoding);
  }

  Result<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(RequireDatabase(*NativeEnvironment().file_system, target_));
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(flags_));
    ASSIGN_OR_RETURN(const ApproximateSize size,
                     MeasureRange(*NativeEnvironment().file_system, target_, flags_.family,
                                  range.from, range.to, range.prefix));
    if (WantsDocument(console)) {
      PrintReport(console, kRangeSizeDocument, {flags_.family, size});
    } else {
      console.out().Write(std::to_string(size.bytes) + "\n");
      console.Note(HumanBytes(size.bytes) + " in " + Counted(size.tables, "table"));
    }
    return kDone;
  }

 private:
  std::string target_;
  RangeFlags flags_;
};

const api::Fields<RangeSize>& RangeSizeFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<RangeSize>()
          .Name("cf", &RangeSize::family, "name of the column family")
          .Number(
              "bytes", Unit::kBytes, [](const RangeSize& range) { return range.size.bytes; },
              "of tables, about")
          .Number(
              "tables", Unit::kCount, [](const RangeSize& range) { return range.size.tables; },
              "that the range overlaps")
          .Number(
              "tables_opened", Unit::kCount,
              [](const RangeSize& range) { return range.size.opened; }, "whose indexes were read");
  return fields;
}

}  // namespace

const CommandDocument<RangeSize> kRangeSizeDocument = {"varve.approxsize/1", RangeSizeFields};

const Command kApproxSize = {
    "approxsize",
    "estimate the bytes of tables that a range of keys takes, from their indexes alone",
    "varve approxsize ./db --prefix user:\nvarve approxsize ./db --from a --to b --json",
    "0 printed (db space counts exactly)", [] { return MakeInvocation<ApproxSize>(); }};

}  // namespace varve::cli
