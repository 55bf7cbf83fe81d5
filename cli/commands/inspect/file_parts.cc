// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/inspect/file_parts.h"

#include <string_view>

#include "core/base/text/text.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

constexpr size_t kBytesShown = 24;

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

}  // namespace

FileSystem& Files() { return *NativeEnvironment().file_system; }

ExitCode ExitOf(const TableLayout& layout) {
  if (!layout.is_implemented()) return kUnsupported;
  return layout.problems().empty() ? kDone : kCorrupt;
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

}  // namespace varve::cli
