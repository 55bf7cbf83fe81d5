// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/wal/log_layout.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/log/log_record.h"
#include "core/wal/zeros.h"

namespace varve {
namespace {

std::string_view TypeName(uint8_t type) {
  switch (static_cast<LogRecordType>(type)) {
    case LogRecordType::kZero:
      return "zero";
    case LogRecordType::kFull:
    case LogRecordType::kRecyclableFull:
      return "full";
    case LogRecordType::kFirst:
    case LogRecordType::kRecyclableFirst:
      return "first";
    case LogRecordType::kMiddle:
    case LogRecordType::kRecyclableMiddle:
      return "middle";
    case LogRecordType::kLast:
    case LogRecordType::kRecyclableLast:
      return "last";
    case LogRecordType::kCompression:
      return "compression";
    case LogRecordType::kTimestampSizes:
    case LogRecordType::kRecyclableTimestampSizes:
      return "timestamp_sizes";
    case LogRecordType::kPredecessor:
    case LogRecordType::kRecyclablePredecessor:
      return "predecessor";
  }
  return "unknown";
}

bool Starts(uint8_t type) {  // A record that continues in another fragment.
  return type == static_cast<uint8_t>(LogRecordType::kFirst) ||
         type == static_cast<uint8_t>(LogRecordType::kRecyclableFirst);
}
bool GoesOn(uint8_t type) {
  return type == static_cast<uint8_t>(LogRecordType::kMiddle) ||
         type == static_cast<uint8_t>(LogRecordType::kRecyclableMiddle);
}
bool Ends(uint8_t type) {
  return type == static_cast<uint8_t>(LogRecordType::kLast) ||
         type == static_cast<uint8_t>(LogRecordType::kRecyclableLast);
}
bool IsFull(uint8_t type) {
  return type == static_cast<uint8_t>(LogRecordType::kFull) ||
         type == static_cast<uint8_t>(LogRecordType::kRecyclableFull);
}

// Whether `bytes` begin with a complete record with a correct crc.
bool IsRecord(std::string_view bytes, LogRecordHeader* header) {
  if (bytes.size() < kLogHeaderSize) return false;
  *header = DecodeLogRecordHeader(bytes);
  const uint64_t size = header->size() + header->length;
  if (header->type == 0 || bytes.size() < size) return false;
  return ComputeLogRecordCrc(bytes.substr(0, static_cast<size_t>(size))) == header->crc;
}

LayoutNode Leaf(std::string_view name, uint64_t offset, std::string_view bytes) {
  LayoutNode leaf;
  leaf.name = name;
  leaf.offset = offset;
  leaf.size = bytes.size();
  leaf.bytes = bytes;
  return leaf;
}

// `size` bytes of a leaf from `from` on, both relative to it.
LayoutNode CutLeaf(const LayoutNode& leaf, uint64_t from, uint64_t size) {
  if (size == leaf.size) return leaf;
  LayoutNode part{.name = leaf.name, .size = size};
  std::string encoded;
  if (leaf.form != LeafForm::kBytes) EncodeLayout(leaf, &encoded);
  const std::string_view bytes = leaf.form == LeafForm::kBytes ? leaf.bytes : encoded;
  part.bytes = bytes.substr(static_cast<size_t>(from), static_cast<size_t>(size));
  part.note = "a part of it";
  return part;
}

// Distributes the leaves of `tree`, whose offsets are relative to the payload, to the fragments:
// `cut` bytes from `from` on become children of *to, which begins at `offset`. Only visits the
// children that have some of these bytes: a record of n fragments costs no more than its size.
void TakeSlice(const LayoutNode& tree, uint64_t from, uint64_t cut, uint64_t offset,
               LayoutNode* to) {
  const auto first = std::partition_point(
      tree.children.begin(), tree.children.end(),
      [from](const LayoutNode& child) { return child.offset + child.size <= from; });
  for (auto child = first; child != tree.children.end() && child->offset < from + cut; ++child) {
    const uint64_t begin = std::max(child->offset, from);
    const uint64_t size = std::min(child->offset + child->size, from + cut) - begin;
    if (size == 0) continue;
    LayoutNode part;
    if (child->is_leaf()) {
      part = CutLeaf(*child, begin - child->offset, size);
    } else {
      part = {.name = child->name, .size = size, .note = child->note};
      TakeSlice(*child, from, cut, offset, &part);
    }
    part.offset = begin - from + offset;
    to->children.push_back(std::move(part));
  }
}

}  // namespace

Result<std::unique_ptr<LogLayout>> LogLayout::Open(FileSystem& fs, const std::string& path,
                                                   LogKind kind) {
  std::unique_ptr<LogLayout> layout(new LogLayout());
  ASSIGN_OR_RETURN(layout->file_, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(layout->file_size_, layout->file_->Size());
  layout->kind_ = kind;
  return layout;
}

Status LogLayout::FillBlock() {
  const uint64_t begin = at_ / kLogBlockSize * kLogBlockSize;
  if (!block_.empty() && block_offset_ == begin) return Status::Ok();
  const uint64_t size = std::min(kLogBlockSize, file_size_ - begin);
  buffer_.resize(static_cast<size_t>(size));
  ASSIGN_OR_RETURN(block_, file_->Read(begin, buffer_.size(), buffer_.data()));
  block_offset_ = begin;
  if (block_.size() == size) return Status::Ok();
  return Status::Corruption("the file has become shorter").At(file_->path());
}

// Adds the payload of the complete record at at_ to *payload and the size to *sizes.
LayoutNode LogLayout::CutFragment(std::string* payload, std::vector<uint64_t>* sizes) {
  const std::string_view bytes = block_.substr(static_cast<size_t>(at_ - block_offset_));
  const LogRecordHeader header = DecodeLogRecordHeader(bytes);
  CHECK_OP(header.size() + header.length, <=, bytes.size());
  LayoutNode node{.name = "header", .offset = at_, .size = header.size()};
  LayoutCutter cut(bytes.substr(0, static_cast<size_t>(header.size())), at_, &node);
  cut.Fixed32("masked_crc");
  cut.Note("verified");
  cut.Fixed16("length");
  cut.Fixed8("type");
  cut.Note(std::string(TypeName(header.type)) + (IsRecyclable(header.type) ? ", recyclable" : ""));
  if (IsRecyclable(header.type)) cut.Fixed32("log_number");
  payload->append(bytes.substr(static_cast<size_t>(header.size()), header.length));
  sizes->push_back(header.length);
  at_ += header.size() + header.length;
  return node;
}

// Adds the pieces of the payload after the headers that *record already has.
void LogLayout::AddPayload(const std::string& payload, const std::vector<uint64_t>& sizes,
                           bool decode, LayoutNode* record) const {
  CHECK_OP(sizes.size(), ==, record->children.size());
  LayoutNode whole{.size = payload.size()};
  if (!decode) {
    if (!payload.empty()) whole.children.push_back(Leaf("bytes", 0, payload));
  } else if (kind_ == LogKind::kWal) {
    LayOutBatch(payload, 0, &whole);
  } else {
    LayOutEdit(payload, 0, &whole);
  }
  std::vector<LayoutNode> children;
  uint64_t from = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    children.push_back(std::move(record->children[i]));
    const uint64_t offset = children.back().offset + children.back().size;
    LayoutNode piece{.name = "payload", .offset = offset, .size = sizes[i]};
    TakeSlice(whole, from, sizes[i], offset, &piece);
    from += sizes[i];
    if (sizes[i] > 0) children.push_back(std::move(piece));
  }
  CHECK_OP(from, ==, payload.size());
  record->children = std::move(children);
}

Result<std::optional<LayoutNode>> LogLayout::Next() {
  if (at_ >= file_size_) return std::optional<LayoutNode>();
  RETURN_IF_ERROR(FillBlock());
  CHECK_OP(at_ - block_offset_, <, block_.size(), "there is no call after an error");
  const std::string_view rest = block_.substr(static_cast<size_t>(at_ - block_offset_));
  LogRecordHeader header;
  if (!IsRecord(rest, &header)) {
    const bool zeros = FindNotZero(rest) == rest.npos;
    LayoutNode node = Leaf(zeros ? "padding" : "undecoded", at_, rest);
    if (!zeros) node.note = "not a record, or one whose crc is wrong";
    at_ += rest.size();
    return std::optional<LayoutNode>(std::move(node));
  }
  LayoutNode record{.name = "record", .offset = at_};
  std::string payload;
  std::vector<uint64_t> sizes;
  const uint8_t type = header.type;
  bool whole = IsFull(type);
  record.children.push_back(CutFragment(&payload, &sizes));
  // The following fragments, as long as their types are valid.
  for (bool more = Starts(type); more && !whole && at_ < file_size_;) {
    const uint64_t left = block_offset_ + block_.size() - at_;
    if (left > 0 && left < kLogHeaderSize) break;  // The padding of a block is a part of its own.
    RETURN_IF_ERROR(FillBlock());
    const std::string_view next = block_.substr(static_cast<size_t>(at_ - block_offset_));
    if (!IsRecord(next, &header) || (!GoesOn(header.type) && !Ends(header.type))) break;
    whole = Ends(header.type);
    record.children.push_back(CutFragment(&payload, &sizes));
  }
  record.size = at_ - record.offset;
  const bool part = Starts(type) || GoesOn(type) || Ends(type);
  if (part && !whole) record.note = "not a whole record";
  if (type == static_cast<uint8_t>(LogRecordType::kCompression)) compressed_ = true;
  AddPayload(payload, sizes, whole && !compressed_, &record);
  return std::optional<LayoutNode>(std::move(record));
}

}  // namespace varve
