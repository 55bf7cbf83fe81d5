// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/point_index_layout.h"

#include <algorithm>

#include "core/format/table/hash_index.h"
#include "core/format/table/integer_index.h"

namespace varve {
namespace {

// A list: `count` nodes called `name`, each of which `cut_one` cuts.
template <typename CutOne>
void CutList(std::string_view list, std::string_view name, uint64_t count, LayoutCutter* cut,
             const CutOne& cut_one) {
  cut->OpenNode(list);
  for (uint64_t i = 0; i < count && cut->ok() && !cut->empty(); ++i) {
    cut->OpenNode(name);
    cut_one();
    cut->CloseNode();
  }
  cut->CloseNode();
}

void CutPlaces(LayoutCutter* cut) {
  uint64_t count = 0;
  cut->Varint("num_blocks", &count);
  CutList("blocks", "block", count, cut, [cut] {
    cut->Varint("entries");
    cut->Varint("gap");
    cut->Varint("size");
  });
  count = 0;
  cut->Varint("num_repeats", &count);
  CutList("repeats", "repeat", count, cut, [cut] {
    cut->Varint("keys_since");
    cut->Varint("more_versions");
  });
}

void CutForm(uint64_t form, uint64_t span, uint64_t keys, LayoutCutter* cut) {
  if (form == static_cast<uint64_t>(IntegerIndex::Form::kDense)) {
    cut->Bytes("bits", std::min<uint64_t>(span / 8 + 1, cut->rest().size()));
    cut->Note("one for each integer from the smallest on");
  } else if (form == static_cast<uint64_t>(IntegerIndex::Form::kPiecewise) && keys > 0) {
    CutList("segments", "segment", (keys - 1) / IntegerIndex::kSegmentKeys + 1, cut, [cut] {
      cut->Varint("distance");
      cut->Varint("bias");
      cut->Fixed8("width");
    });
    if (cut->ok()) cut->Bytes("numbers", cut->rest().size());
  }
}

}  // namespace

void LayOutIntegerIndex(std::string_view payload, uint64_t offset, LayoutNode* parent) {
  LayoutCutter cut(payload, offset, parent);
  uint64_t version = 0, form = 0, key_size = 0, span = 0, keys = 0;
  cut.Fixed8("version", &version);
  if (version != IntegerIndex::kVersion) return cut.Finish("undecoded", "of another version");
  cut.Fixed8("form", &form);
  if (form <= static_cast<uint64_t>(IntegerIndex::Form::kPiecewise)) {
    cut.Note(std::string(IntegerFormName(static_cast<IntegerIndex::Form>(form))));
  }
  cut.Varint("key_size", &key_size);
  if (key_size > IntegerIndex::kIntegerSize) {
    cut.Bytes("prefix", key_size - IntegerIndex::kIntegerSize);
  }
  cut.Fixed64("smallest");
  cut.Varint("span", &span);
  cut.Varint("entries");
  cut.Varint("keys", &keys);
  CutPlaces(&cut);
  if (cut.ok()) CutForm(form, span, keys, &cut);
  cut.Finish("undecoded", "the index's fields do not fit");
}

void LayOutHashIndex(std::string_view payload, uint64_t offset, LayoutNode* parent) {
  LayoutCutter cut(payload, offset, parent);
  uint64_t version = 0, lines = 0;
  cut.Fixed8("version", &version);
  if (version != HashIndex::kVersion) return cut.Finish("undecoded", "of another version");
  cut.Fixed8("slot_size");
  cut.Varint("entries");
  cut.Varint("keys");
  cut.Varint("homes");
  cut.Varint("num_lines", &lines);
  CutPlaces(&cut);
  if (cut.ok()) {
    CutList("lines", "line", lines, &cut, [&cut] {
      cut.Fixed32("ends");
      cut.Bytes("slots", HashIndex::kLineSize - HashIndex::kEndsSize);
    });
  }
  cut.Finish("undecoded", "the index's fields do not fit");
}

}  // namespace varve
