// SPDX-License-Identifier: Apache-2.0
// Filters of every kind: any bytes are asked, and a filter that is built from keys says "maybe" of
// each of them.
#include "core/format/table/filter.h"

#include <string>
#include <string_view>
#include <vector>

#include "core/format/table/leveldb_filter.h"
#include "core/inspect/table/block_layout.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

constexpr std::string_view kAsked[] = {"", "a", "key00042", "user:0000000017"};

void LayOut(std::string_view filter, bool per_block) {
  LayoutNode whole{.name = "filter", .size = filter.size()};
  if (per_block) {
    LayOutPerBlockFilters(filter, 0, &whole);
  } else {
    LayOutFilter(filter, 0, &whole);
  }
  std::string again;
  EncodeLayout(whole, &again);
  Must(again == filter, "the layout of a filter has all bytes");
}

void AskAnyBytes(std::string_view filter) {
  const FilterProbe probe = FilterProbe::Parse(filter);
  for (const std::string_view key : kAsked) {
    probe.Prefetch(probe.Hash(key));
    const bool maybe = probe.MayMatch(probe.Hash(key));
    if (probe.kind() == FilterProbe::Kind::kAlways) Must(maybe, "an unknown filter says maybe");
  }
  for (const bool leveldb_hash : {false, true}) {
    const auto per_block = LevelDbFilter::Parse(filter, leveldb_hash);
    if (!per_block) continue;
    for (const std::string_view key : kAsked) {
      for (const uint64_t offset : {uint64_t{0}, uint64_t{5000}, ~uint64_t{0}}) {
        static_cast<void>(per_block->MayMatch(offset, per_block->Hash(key)));
      }
    }
  }
  if (filter.empty()) return;
  LayOut(filter, /*per_block=*/false);
  LayOut(filter, /*per_block=*/true);
}

void Build(Input in) {
  FilterOptions options;
  options.kind = in.Flag() ? FilterKind::kRibbon : FilterKind::kBloom;
  options.bits_per_key = static_cast<double>(in.Number(1000)) / 16;
  options.format_version = static_cast<uint32_t>(2 + in.Number(6));
  FilterBuilder builder(options);
  if (builder.disabled()) return;
  std::vector<std::string_view> keys;
  while (!in.empty()) keys.push_back(in.Bytes(20));
  for (const std::string_view key : keys) builder.AddKey(key);
  const std::string filter = builder.Finish();
  const FilterProbe probe = FilterProbe::Parse(filter);
  for (const std::string_view key : keys) {
    Must(probe.MayMatch(probe.Hash(key)), "a filter says maybe of each of its keys");
  }
}

void Run(std::string_view bytes) {
  AskAnyBytes(bytes);
  Build(Input(bytes));
}

}  // namespace

const Target filter = {"filter", Run};

}  // namespace varve::fuzz
