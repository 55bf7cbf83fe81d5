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
// The children of a node tile it. A leaf holds what it says, as a number or as bytes, and not how
// that was written; EncodeLayout() writes it again and must arrive at the bytes of the file. What
// cannot be taken apart is a leaf "undecoded" with the reason in its note.
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
  std::string note = {};  // For people; empty: the name says it all.
  std::vector<LayoutNode> children = {};

  // Of a leaf.
  LeafForm form = LeafForm::kBytes;
  uint64_t number = 0;
  std::string bytes = {};

  bool is_leaf() const { return children.empty(); }
};

// The bytes that the tree describes.
void EncodeLayout(const LayoutNode& node, std::string* out);
// The sizes of its leaves; node.size if the tree is whole.
uint64_t SumOfLeaves(const LayoutNode& node);

// Cuts bytes into leaves from front to back. A field that does not fit takes nothing and leaves the
// cutter failed; Finish() makes what is left a leaf of its own, so nothing is ever lost. One
// thread.
class LayoutCutter {
 public:
  // `bytes` begin at `offset` and outlive the cutter. Nodes go to *parent.
  LayoutCutter(std::string_view bytes, uint64_t offset, LayoutNode* parent)
      : rest_(bytes), offset_(offset), parent_(parent) {}

  bool ok() const { return ok_; }
  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  uint64_t offset() const { return offset_; }  // Of what comes next.

  bool Fixed8(std::string_view name, uint64_t* out = nullptr);
  bool Fixed16(std::string_view name, uint64_t* out = nullptr);
  bool Fixed32(std::string_view name, uint64_t* out = nullptr);
  bool Fixed64(std::string_view name, uint64_t* out = nullptr);
  bool Varint(std::string_view name, uint64_t* out = nullptr);
  // Nothing at all if `size` is 0.
  bool Bytes(std::string_view name, uint64_t size, std::string_view* out = nullptr);
  // A length and so many bytes.
  bool Prefixed(std::string_view name, std::string_view* out = nullptr);
  // Bytes whose last eight are an internal key's sequence and type.
  bool InternalKey(std::string_view name, uint64_t size);

  // What the leaf made last means.
  void Note(std::string note);
  // The end: what is left is `name`, or if the cutter failed, "undecoded" because of `why`.
  void Finish(std::string_view name, std::string_view why);

  // A node around what is cut until CloseNode(). They nest.
  void OpenNode(std::string_view name);
  LayoutNode* CloseNode();  // Null if nothing was cut: there is no such node then.

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
