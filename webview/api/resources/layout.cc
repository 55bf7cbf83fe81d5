// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/layout, …/wal/{n}/layout, …/manifest/layout: the meaning of every byte.
#include <deque>

#include "core/base/text/quantity.h"
#include "core/base/try.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "core/inspect/table/table_layout.h"
#include "core/inspect/wal/log_layout.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/byte_range.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"
#include "webview/api/wal_place.h"

namespace varve::api {
namespace {

// "17" or "17.3": a part by its offset, and the number of one of its fields.
struct LayoutPosition {
  uint64_t offset = 0;
  uint64_t field = 0;
};

std::optional<LayoutPosition> ParsePosition(std::string_view text) {
  const size_t dot = std::min(text.find('.'), text.size());
  const std::optional<uint64_t> offset = ParseDecimal(text.substr(0, dot));
  const std::optional<uint64_t> field = dot == text.size() ? 0 : ParseDecimal(text.substr(dot + 1));
  if (!offset || !field) return std::nullopt;
  return LayoutPosition{*offset, *field};
}

// The parts of a file from front to back, for any kind of file.
class LayoutParts {
 public:
  virtual ~LayoutParts() = default;
  // Nullopt at the end. Without its children unless `expand`.
  virtual Result<std::optional<LayoutNode>> Next(bool expand) = 0;
};

class PartsOfTable : public LayoutParts {
 public:
  // The parts from `from` on; if `at` is given, only the one that contains it.
  PartsOfTable(std::shared_ptr<const TableLayout> layout, uint64_t from, std::optional<uint64_t> at)
      : layout_(std::move(layout)), from_(from), at_(at) {}
  Result<std::optional<LayoutNode>> Next(bool expand) override {
    while (next_ < layout_->parts().size() && !IsWanted(layout_->parts()[next_])) ++next_;
    if (next_ == layout_->parts().size()) return std::optional<LayoutNode>();
    const TablePart& part = layout_->parts()[next_++];
    if (expand) return std::optional(layout_->Expand(part));
    LayoutNode node;
    node.name = TablePartName(part.kind);
    node.offset = part.offset;
    node.size = part.size;
    return std::optional(std::move(node));
  }

 private:
  bool IsWanted(const TablePart& part) const {
    const bool held = !at_ || (part.offset <= *at_ && *at_ < part.offset + part.size);
    return part.offset >= from_ && held;
  }

  const std::shared_ptr<const TableLayout> layout_;
  const uint64_t from_;
  const std::optional<uint64_t> at_;
  size_t next_ = 0;
};

class PartsOfLog : public LayoutParts {
 public:
  PartsOfLog(std::unique_ptr<LogLayout> layout, uint64_t from)
      : layout_(std::move(layout)), from_(from) {}
  Result<std::optional<LayoutNode>> Next(bool) override {
    while (true) {
      ASSIGN_OR_RETURN(std::optional<LayoutNode> part, layout_->Next());
      if (!part || part->offset >= from_) return part;
    }
  }

 private:
  const std::unique_ptr<LogLayout> layout_;
  const uint64_t from_;
};

// A part of the file, or one of its fields.
struct LayoutRangeView {
  const LayoutNode& node;
  const std::string& kind;
  const std::string* path = nullptr;  // Of a field.

  bool is_number() const { return path != nullptr && node.form != LeafForm::kBytes; }
  bool is_bytes() const { return path != nullptr && node.form == LeafForm::kBytes; }
};

const Fields<LayoutRangeView>& LayoutRangeFields() {
  static const auto fields =
      Fields<LayoutRangeView>("LayoutRange")
          .Number(
              "o", Unit::kOffset, [](const LayoutRangeView& range) { return range.node.offset; },
              "where it begins in the file, or in the decompressed block")
          .Number(
              "n", Unit::kBytes, [](const LayoutRangeView& range) { return range.node.size; },
              "how many bytes it has")
          .Text(
              "kind", [](const LayoutRangeView& range) { return range.kind; },
              "of the part of the file that it is, or is in")
          .Text("path", &LayoutRangeView::path, "of a field: its names from the part down")
          .Id("number",
              When(&LayoutRangeView::is_number,
                   [](const LayoutRangeView& range) { return range.node.number; }),
              "that the field holds")
          .Bytes("bytes",
                 When(&LayoutRangeView::is_bytes,
                      [](const LayoutRangeView& range) { return range.node.bytes; }),
                 "that the field holds")
          .Text(
              "note",
              [](const LayoutRangeView& range) {
                const bool there = range.path != nullptr && !range.node.note.empty();
                return there ? &range.node.note : nullptr;
              },
              "what that means");
  return fields;
}

class LayoutRows : public RowSource {
 public:
  LayoutRows(const Call& call, std::unique_ptr<LayoutParts> parts, LayoutPosition from)
      : call_(call),
        parts_(std::move(parts)),
        fields_(call.Text("depth") == "fields"),
        skip_(fields_ ? from.field : 0) {}

  bool Next(Row* row) override {
    while (rows_.empty()) {
      Result<std::optional<LayoutNode>> part = parts_->Next(fields_);
      if (!part.ok()) {
        status_ = part.status();
        return false;
      }
      if (!*part) return false;
      if (!fields_) {
        row->position = std::to_string((*part)->offset);
        row->json = LayoutRangeFields().ToJson({**part, (*part)->name});
        return true;
      }
      part_ = (*part)->offset;
      field_ = 0;
      Flatten(**part, (*part)->name, "");
      for (; skip_ > 0 && !rows_.empty(); --skip_, ++field_) rows_.pop_front();
    }
    row->position = std::to_string(part_) + "." + std::to_string(field_++);
    row->json = std::move(rows_.front());
    rows_.pop_front();
    return true;
  }
  const Status& status() const override { return status_; }

 private:
  void Flatten(const LayoutNode& node, const std::string& kind, const std::string& path) {
    if (node.is_leaf()) {
      const std::string& name = path.empty() ? node.name : path;
      rows_.push_back(LayoutRangeFields().ToJson({node, kind, &name}, {call_.bytes()}));
      return;
    }
    for (const LayoutNode& child : node.children) {
      Flatten(child, kind, path.empty() ? child.name : path + "/" + child.name);
    }
  }

  const Call call_;
  const std::unique_ptr<LayoutParts> parts_;
  const bool fields_;
  uint64_t skip_;
  std::deque<Json> rows_;  // The fields of the part at part_, from field_ on.
  uint64_t part_ = 0, field_ = 0;
  Status status_;
};

struct LayoutHead {
  uint64_t size;
  std::vector<std::string> problems;
};

const Fields<LayoutHead>& LayoutHeadFields() {
  static const auto fields =
      Fields<LayoutHead>()
          .Number("size", Unit::kBytes, &LayoutHead::size, "of the file")
          .Texts("problems", &LayoutHead::problems, "defects of the file as a whole");
  return fields;
}

Answer<LayoutPosition> Begin(const Call& call) {
  if (call.position().empty()) return LayoutPosition{call.Number("from_offset").value_or(0), 0};
  const std::optional<LayoutPosition> position = ParsePosition(call.position());
  if (!position) return Problem("page_token_mismatch", "the page token is not of this list");
  return *position;
}

List ListParts(const Call& call, const LayoutHead& file, std::unique_ptr<LayoutParts> parts,
               LayoutPosition from, std::optional<Problem> problem = std::nullopt) {
  Json head = call.Head();
  LayoutHeadFields().AddTo(&head, file);
  return List{std::move(head), "ranges", std::make_unique<LayoutRows>(call, std::move(parts), from),
              /*partial=*/false, std::move(problem)};
}

Answer<List> LogLayoutOf(const Call& call, const std::string& path, LogKind kind) {
  ASSIGN_OR_RETURN(const LayoutPosition from, Begin(call));
  ASSIGN_OR_RETURN(auto layout, LogLayout::Open(call.target().fs(), path, kind));
  const uint64_t size = layout->file_size();
  return ListParts(call, {size, {}}, std::make_unique<PartsOfLog>(std::move(layout), from.offset),
                   from);
}

Reply ListTableLayout(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const LayoutPosition from, Begin(call));
  ASSIGN_OR_RETURN(auto opened, TableLayout::Open(call.target().fs(), file.path));
  const std::shared_ptr<const TableLayout> layout = std::move(opened);
  const std::optional<uint64_t> at = call.Number("at");
  if (at && *at >= layout->file_size()) return NoByteAt(*at, file.name, layout->file_size());
  const int exit = !layout->is_implemented() ? 6 : layout->problems().empty() ? 0 : 4;
  return Reply(ListParts(call, {layout->file_size(), layout->problems()},
                         std::make_unique<PartsOfTable>(layout, from.offset, at), from,
                         Problem::OfFailure(layout->status())))
      .WithExit(exit);
}

Reply ListWalLayout(const Call& call) {
  ASSIGN_OR_RETURN(const WalPlace place, WalOf(call));
  ASSIGN_OR_RETURN(List list, LogLayoutOf(call, place.path, LogKind::kWal));
  list.problem = ManifestDamageOf(call);
  if (const Status damage = CheckWal(call.target().fs(), place); !damage.ok()) {
    list.problem = Problem::OfReading(damage);
  }
  return Reply(std::move(list));
}

Reply ListManifestLayout(const Call& call) {
  const TargetKind kind = call.target().kind();
  if (kind == TargetKind::kTable || kind == TargetKind::kWal) {
    RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  }
  ASSIGN_OR_RETURN(const ManifestPlace place,
                   FindManifest(call.target().fs(), call.target().path()));
  ASSIGN_OR_RETURN(List list, LogLayoutOf(call, place.path, LogKind::kManifest));
  list.problem = call.damage();
  return Reply(std::move(list));
}

constexpr DocumentSchema kLayoutDocument = {
    .name = "varve.layout/1", .make = [](std::string_view name) {
      return ListDocument(name, LayoutHeadFields().Members(), "ranges",
                          LayoutRangeFields().Schema());
    }};

}  // namespace

std::span<const Route> LayoutRoutes() {
  using enum ParameterType;
  constexpr QueryParameter kDepth = {"depth", kChoice, "whole parts, or every field of them",
                                     "parts|fields"};
  constexpr QueryParameter kFromOffset = {"from_offset", kNumber,
                                          "the first part begins here or later"};
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/layout",
       .handler = ListTableLayout,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kLayoutDocument,
       .summary = "which byte of a table is what: ranges that tile it",
       .parameters = {kDepth, kFromOffset, {"at", kNumber, "only the part that holds this byte"}}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/wal/{n}/layout",
       .handler = ListWalLayout,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kLayoutDocument,
       .summary = "which byte of a log is what",
       .parameters = {kDepth, kFromOffset},
       .of_damaged_too = true},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/manifest/layout",
       .handler = ListManifestLayout,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kLayoutDocument,
       .summary = "which byte of the MANIFEST is what",
       .parameters = {kDepth, kFromOffset},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
