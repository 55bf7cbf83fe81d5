// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/layout.h"

#include <utility>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/internal_key.h"

namespace varve {
namespace {

uint64_t FixedSize(LeafForm form) {
  switch (form) {
    case LeafForm::kFixed8:
      return 1;
    case LeafForm::kFixed16:
      return 2;
    case LeafForm::kFixed32:
      return 4;
    case LeafForm::kFixed64:
      return 8;
    case LeafForm::kBytes:
    case LeafForm::kVarint:
      break;
  }
  return 0;
}

}  // namespace

void EncodeLayout(const LayoutNode& node, std::string* out) {
  for (const LayoutNode& child : node.children) EncodeLayout(child, out);
  if (!node.is_leaf()) return;
  DCHECK(node.form == LeafForm::kBytes || node.bytes.empty(), "a node has a number or bytes");
  if (node.form == LeafForm::kBytes) {
    out->append(node.bytes);
  } else if (node.form == LeafForm::kVarint) {
    AppendVarint64(out, node.number);
  } else {
    for (uint64_t i = 0; i < FixedSize(node.form); ++i) {
      out->push_back(static_cast<char>(node.number >> (8 * i)));
    }
  }
}

uint64_t SumOfLeaves(const LayoutNode& node) {
  if (node.is_leaf()) return node.size;
  uint64_t sum = 0;
  for (const LayoutNode& child : node.children) sum += SumOfLeaves(child);
  return sum;
}

LayoutNode* LayoutCutter::Take(std::string_view name, uint64_t size) {
  DCHECK_OP(size, >, 0);
  CHECK_OP(size, <=, rest_.size());
  LayoutNode& leaf = parent()->children.emplace_back();
  leaf.name = name;
  leaf.offset = offset_;
  leaf.size = size;
  rest_.remove_prefix(static_cast<size_t>(size));
  offset_ += size;
  return &leaf;
}

bool LayoutCutter::Fixed(std::string_view name, LeafForm form, uint64_t size, uint64_t* out) {
  CHECK_OP(size, ==, FixedSize(form));
  if (!ok_ || rest_.size() < size) return ok_ = false;
  uint64_t number = 0;
  for (uint64_t i = 0; i < size; ++i) {
    number |= uint64_t{static_cast<uint8_t>(rest_[static_cast<size_t>(i)])} << (8 * i);
  }
  LayoutNode* leaf = Take(name, size);
  leaf->form = form;
  leaf->number = number;
  if (out != nullptr) *out = number;
  return true;
}

bool LayoutCutter::Fixed8(std::string_view name, uint64_t* out) {
  return Fixed(name, LeafForm::kFixed8, 1, out);
}
bool LayoutCutter::Fixed16(std::string_view name, uint64_t* out) {
  return Fixed(name, LeafForm::kFixed16, 2, out);
}
bool LayoutCutter::Fixed32(std::string_view name, uint64_t* out) {
  return Fixed(name, LeafForm::kFixed32, 4, out);
}
bool LayoutCutter::Fixed64(std::string_view name, uint64_t* out) {
  return Fixed(name, LeafForm::kFixed64, 8, out);
}

bool LayoutCutter::Varint(std::string_view name, uint64_t* out) {
  ByteReader in(rest_);
  uint64_t number = 0;
  if (!ok_ || !in.ReadVarint64(&number)) return ok_ = false;
  const std::string_view stored = rest_.substr(0, static_cast<size_t>(in.offset()));
  std::string canonical;
  AppendVarint64(&canonical, number);
  LayoutNode* leaf = Take(name, stored.size());
  leaf->number = number;
  if (canonical == stored) {
    leaf->form = LeafForm::kVarint;
  } else {  // A non-canonical varint: keep its bytes.
    leaf->bytes = stored;
    leaf->note = "a varint of " + std::to_string(number) + " in needlessly many bytes";
  }
  if (out != nullptr) *out = number;
  return true;
}

bool LayoutCutter::Bytes(std::string_view name, uint64_t size, std::string_view* out) {
  if (!ok_ || rest_.size() < size) return ok_ = false;
  const std::string_view bytes = rest_.substr(0, static_cast<size_t>(size));
  if (out != nullptr) *out = bytes;
  if (size > 0) Take(name, size)->bytes = bytes;
  return true;
}

bool LayoutCutter::Prefixed(std::string_view name, std::string_view* out) {
  uint64_t size = 0;
  return Varint(std::string(name) + "_size", &size) && Bytes(name, size, out);
}

bool LayoutCutter::InternalKey(std::string_view name, uint64_t size) {
  if (size < kPackedSize) return Bytes(name, size);
  uint64_t packed = 0;
  if (!Bytes(name, size - kPackedSize) || !Fixed64("sequence_and_type", &packed)) return false;
  Note("@" + std::to_string(packed >> 8) + " " +
       std::string(ValueTypeName(static_cast<ValueType>(packed & 0xff))));
  return true;
}

void LayoutCutter::Note(std::string note) {
  if (!parent()->children.empty()) parent()->children.back().note = std::move(note);
}

void LayoutCutter::Finish(std::string_view name, std::string_view why) {
  while (!open_.empty()) CloseNode();
  if (rest_.empty()) return;
  const std::string_view bytes = rest_;
  LayoutNode* leaf = Take(ok_ ? name : "undecoded", bytes.size());
  leaf->bytes = bytes;
  if (!ok_) leaf->note = why;
}

void LayoutCutter::OpenNode(std::string_view name) {
  LayoutNode& node = open_.emplace_back();
  node.name = name;
  node.offset = offset_;
}

LayoutNode* LayoutCutter::CloseNode() {
  CHECK(!open_.empty());
  LayoutNode node = std::move(open_.back());
  open_.pop_back();
  node.size = offset_ - node.offset;
  if (node.size == 0) return nullptr;
  DCHECK_OP(SumOfLeaves(node), ==, node.size);
  return &parent()->children.emplace_back(std::move(node));
}

}  // namespace varve
