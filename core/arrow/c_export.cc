// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/c_export.h"

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace varve::arrow {
namespace {

// What a struct owns: its children, except those that were moved away.
template <typename Node>
struct Children {
  std::vector<Node> nodes;
  std::vector<Node*> pointers;
};

// The parts that a schema and an array have in common.
template <typename Node>
std::vector<Node>& AdoptChildren(size_t count, Node* parent) {
  auto children = std::make_unique<Children<Node>>();
  children->nodes.resize(count);
  for (Node& node : children->nodes) children->pointers.push_back(&node);
  parent->n_children = static_cast<int64_t>(count);
  parent->children = children->pointers.data();
  parent->release = [](Node* released) {
    const std::unique_ptr<Children<Node>> owned(
        static_cast<Children<Node>*>(released->private_data));
    for (Node& child : owned->nodes) {
      if (child.release != nullptr) child.release(&child);
    }
    released->release = nullptr;
  };
  std::vector<Node>& nodes = children->nodes;
  parent->private_data = children.release();
  return nodes;
}

// Has a struct own an object.
template <typename Owned, typename Node>
Owned* Adopt(std::unique_ptr<Owned> owned, Node* node) {
  node->release = [](Node* released) {
    delete static_cast<Owned*>(released->private_data);
    released->release = nullptr;
  };
  node->private_data = owned.get();
  return owned.release();
}

// The texts of a column of a schema, which may outlive that.
struct OwnedField {
  const std::string name, format;
};

// A column, and the pointers that an array has to it. It may outlive the struct.
struct OwnedColumn {
  explicit OwnedColumn(Column taken) : column(std::move(taken)) {
    const auto parts = column.buffers();
    for (size_t i = 0; i < parts.size(); ++i) buffers[i] = parts[i].data();
    if (column.nulls() == 0) buffers[0] = nullptr;
  }
  const Column column;
  std::array<const void*, Column::kMaxBuffers> buffers = {};
};

void ExportColumn(Column column, ArrowArray* out) {
  CHECK_OP(column.buffer_count(), <=, Column::kMaxBuffers);
  *out = {};
  OwnedColumn& owned = *Adopt(std::make_unique<OwnedColumn>(std::move(column)), out);
  out->length = static_cast<int64_t>(owned.column.rows());
  out->null_count = static_cast<int64_t>(owned.column.nulls());
  out->n_buffers = static_cast<int64_t>(owned.column.buffer_count());
  out->buffers = owned.buffers.data();
}

const void* g_no_nulls[] = {nullptr};  // Never written.

}  // namespace

void ExportSchema(const std::vector<ColumnField>& fields, ArrowSchema* out) {
  *out = {};
  out->format = "+s";  // A struct.
  out->name = "";
  std::vector<ArrowSchema>& children = AdoptChildren(fields.size(), out);
  for (size_t i = 0; i < fields.size(); ++i) {
    const OwnedField& owned =
        *Adopt(std::make_unique<OwnedField>(fields[i].name, fields[i].type.format()), &children[i]);
    children[i].name = owned.name.c_str();
    children[i].format = owned.format.c_str();
    children[i].flags = fields[i].nullable ? ARROW_FLAG_NULLABLE : 0;
  }
}

void ExportBatch(RecordColumns records, ArrowArray* out) {
  *out = {};
  out->length = static_cast<int64_t>(records.rows());
  out->n_buffers = 1;
  out->buffers = g_no_nulls;
  std::vector<Column> columns = std::move(records).TakeColumns();
  for (const Column& column : columns) {
    CHECK_OP(static_cast<int64_t>(column.rows()), ==, out->length);
  }
  std::vector<ArrowArray>& children = AdoptChildren(columns.size(), out);
  for (size_t i = 0; i < columns.size(); ++i) ExportColumn(std::move(columns[i]), &children[i]);
}

}  // namespace varve::arrow
