// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/c_export.h"

#include <array>
#include <memory>
#include <utility>

namespace varve::arrow {
namespace {

constexpr size_t kMaxColumns = std::size(kColumnNames);

// What a struct owns: its children, except those that were moved away.
template <typename Node>
struct Children {
  std::array<Node, kMaxColumns> nodes = {};
  std::array<Node*, kMaxColumns> pointers = {};
};

// The parts that a schema and an array have in common.
template <typename Node>
Children<Node>* AdoptChildren(size_t count, Node* parent) {
  auto* const children = new Children<Node>;
  for (size_t i = 0; i < count; ++i) children->pointers[i] = &children->nodes[i];
  parent->n_children = static_cast<int64_t>(count);
  parent->children = children->pointers.data();
  parent->private_data = children;
  parent->release = [](Node* released) {
    const std::unique_ptr<Children<Node>> owned(
        static_cast<Children<Node>*>(released->private_data));
    for (Node& child : owned->nodes) {
      if (child.release != nullptr) child.release(&child);
    }
    released->release = nullptr;
  };
  return children;
}

// A column, and the pointers that an array has to it. It may outlive the struct.
struct OwnedColumn {
  explicit OwnedColumn(BinaryColumn taken) : column(std::move(taken)) {
    buffers = {nullptr /* no nulls */, column.offsets().data(), column.bytes().data()};
  }
  const BinaryColumn column;
  std::array<const void*, 3> buffers;
};

void ExportColumn(BinaryColumn column, ArrowArray* out) {
  auto* const owned = new OwnedColumn(std::move(column));
  *out = {};
  out->length = static_cast<int64_t>(owned->column.rows());
  out->n_buffers = static_cast<int64_t>(owned->buffers.size());
  out->buffers = owned->buffers.data();
  out->private_data = owned;
  out->release = [](ArrowArray* released) {
    delete static_cast<OwnedColumn*>(released->private_data);
    released->release = nullptr;
  };
}

const void* g_no_nulls[] = {nullptr};  // Never written.

}  // namespace

void ExportSchema(Columns columns, ArrowSchema* out) {
  *out = {};
  out->format = "+s";  // A struct.
  out->name = "";
  Children<ArrowSchema>* const children = AdoptChildren(CountOf(columns), out);
  for (size_t i = 0; i < CountOf(columns); ++i) {
    ArrowSchema& column = children->nodes[i];
    column.format = "Z";  // large_binary
    column.name = kColumnNames[i];
    column.release = [](ArrowSchema* released) { released->release = nullptr; };
  }
}

void ExportBatch(RecordColumns records, ArrowArray* out) {
  *out = {};
  out->length = static_cast<int64_t>(records.rows());
  out->n_buffers = 1;
  out->buffers = g_no_nulls;
  const size_t count = CountOf(records.columns());
  Children<ArrowArray>* const children = AdoptChildren(count, out);
  for (size_t i = 0; i < count; ++i) {
    ExportColumn(std::move(records).TakeColumn(i), &children->nodes[i]);
  }
}

}  // namespace varve::arrow
