// SPDX-License-Identifier: Apache-2.0
// The layout of a file: a tree in which every byte belongs to exactly one leaf, and every leaf has
// a name.
//
//   data block @0 +3902
//     payload @0 +3897
//       entry @0 +31
//         shared  0 | non_shared 15 | value_size 12 | user_key ... | packed ... | value ...
//       restarts ... last word
//     trailer @3897 +5
//       compression 0 | checksum 0x7c1d22a0
//
// The children of a node tile it. A leaf has the decoded value, as a number or as bytes, not its
// encoding; EncodeLayout() encodes it again and must reproduce the bytes of the file. Bytes that
// cannot be decoded are a leaf "undecoded" with the reason in its note.
//
// The field names are those of the format descriptions in core/format/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace varve {

enum class LeafForm : uint8_t { kBytes, kFixed8, kFixed16, kFixed32, kFixed64, kVarint };

struct LayoutNode {
  std::string name = {};
  uint64_t offset = 0;  // In the file, or in the decompressed block.
  uint64_t size = 0;
  std::string note = {};  // For people; empty if the name is sufficient.
  std::vector<LayoutNode> children = {};

  // Leaves only.
  LeafForm form = LeafForm::kBytes;
  uint64_t number = 0;
  std::string bytes = {};

  bool is_leaf() const { return children.empty(); }
};

// Encodes the bytes that the tree describes.
void EncodeLayout(const LayoutNode& node, std::string* out);
// The sum of the leaves' sizes; equals node.size if the tree is complete.
uint64_t SumOfLeaves(const LayoutNode& node);

// Splits bytes into leaves from front to back. A field that does not fit consumes nothing and makes
// the cutter fail; Finish() makes the rest a leaf, so no byte is lost. One thread.
class LayoutCutter {
 public:
  // `bytes` begin at `offset` and must outlive the cutter. Nodes are added to *parent.
  LayoutCutter(std::string_view bytes, uint64_t offset, LayoutNode* parent)
      : rest_(bytes), offset_(offset), parent_(parent) {}

  bool ok() const { return ok_; }
  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  uint64_t offset() const { return offset_; }  // Of the next leaf.

  bool Fixed8(std::string_view name, uint64_t* out = nullptr);
  bool Fixed16(std::string_view name, uint64_t* out = nullptr);
  bool Fixed32(std::string_view name, uint64_t* out = nullptr);
  bool Fixed64(std::string_view name, uint64_t* out = nullptr);
  bool Varint(std::string_view name, uint64_t* out = nullptr);
  // Adds no leaf if `size` is 0.
  bool Bytes(std::string_view name, uint64_t size, std::string_view* out = nullptr);
  // A length and that many bytes.
  bool Prefixed(std::string_view name, std::string_view* out = nullptr);
  // Bytes whose last eight are an internal key's sequence and type.
  bool InternalKey(std::string_view name, uint64_t size);

  // Explains the last leaf.
  void Note(std::string note);
  // Names the rest `name` or, if the cutter failed, "undecoded" with the reason `why`.
  void Finish(std::string_view name, std::string_view why);

  // Opens a node around the leaves until CloseNode(). They nest.
  void OpenNode(std::string_view name);
  LayoutNode* CloseNode();  // Null if nothing was added: the node is dropped then.

 private:
  bool Fixed(std::string_view name, LeafForm form, uint64_t size, uint64_t* out);
  LayoutNode* Take(std::string_view name, uint64_t size);
  LayoutNode* parent() { return open_.empty() ? parent_ : &open_.back(); }

  std::string_view rest_;
  uint64_t offset_;
  LayoutNode* const parent_;
  std::vector<LayoutNode> open_;
  bool ok_ = true;
};

}  // namespace varve
