// SPDX-License-Identifier: Apache-2.0
#include "core/table/point/hash_index_builder.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/format/limits.h"

namespace varve {
namespace {

constexpr uint64_t kEntriesOfSmallSlots = 1u << 20;

// A key that wants to be in a line.
struct Candidate {
  uint32_t entry;
  uint16_t fingerprint;
  uint16_t group;  // In that line.
};

// Of keys with that many entries.
uint8_t SlotSizeFor(uint64_t entries) { return entries <= kEntriesOfSmallSlots ? 4 : 5; }

uint64_t HomesFor(uint64_t keys, uint8_t slot_size) {
  const uint32_t load =
      keys <= HashIndexBuilder::kFew ? HashIndexBuilder::kLoadOfFew : HashIndexBuilder::kLoad;
  return keys * 100 / (HashIndex::CapacityOf(slot_size) * load) + 1;
}

// The keys by their homes: those of home i are candidates [starts[i], starts[i + 1]).
struct ByHome {
  std::vector<uint32_t> starts;
  std::vector<Candidate> candidates;
};
ByHome SortByHome(const std::vector<uint64_t>& hashes, const HashIndex& index) {
  ByHome sorted;
  sorted.starts.assign(index.homes + 1, 0);
  for (const uint64_t hash : hashes) ++sorted.starts[HashIndex::HomeOf(hash, index.homes)];
  uint32_t end = 0;
  for (uint32_t& start : sorted.starts) start = end += start;  // Where each home ends.
  sorted.candidates.resize(hashes.size());
  const uint32_t bits = index.fingerprint_bits();
  // From the last key on: what is left in `starts` then is where each home begins.
  uint32_t entry = index.entries;
  auto repeat = index.repeats.rbegin();
  for (size_t i = hashes.size(); i-- > 0;) {
    --entry;
    if (repeat != index.repeats.rend() && repeat->rank == i) entry -= (repeat++)->more;
    const uint64_t hash = hashes[i];
    sorted.candidates[--sorted.starts[HashIndex::HomeOf(hash, index.homes)]] = {
        entry, static_cast<uint16_t>(HashIndex::FingerprintOf(hash, bits)),
        static_cast<uint16_t>(HashIndex::GroupOf(hash))};
  }
  DCHECK_OP(entry, ==, 0u);
  return sorted;
}

// Fills lines from the first on.
class LineFiller {
 public:
  explicit LineFiller(HashIndex* index)
      : index_(*index), capacity_(index->capacity()), entry_bits_(index->entry_bits()) {}

  // Whether the last line has room, and nothing is left to be added to the next.
  bool has_room() const { return carried_.empty() && full_run_ == 0; }
  uint32_t full_run() const { return full_run_; }

  // The next line: of `home`, and of what the last line had no room for.
  void Fill(std::span<const Candidate> home) {
    here_.assign(carried_.begin(), carried_.end());
    here_.insert(here_.end(), home.begin(), home.end());
    carried_.clear();
    std::array<uint32_t, HashIndex::kGroups + 1> starts = {};
    for (const Candidate& key : here_) ++starts[key.group + 1u];
    uint32_t ends = 0;
    for (uint32_t group = 0; group < HashIndex::kGroups; ++group) {
      starts[group + 1] += starts[group];
      ends |= std::min(starts[group + 1], capacity_) << 4 * group;
    }
    HashIndex::Line& line = index_.lines.emplace_back();
    std::memcpy(line.bytes.data(), &ends, sizeof(ends));
    for (const Candidate& key : here_) {
      const uint32_t at = starts[key.group]++;
      if (at < capacity_) {
        SetSlot(&line, at, key);
      } else {
        carried_.push_back(
            {key.entry, key.fingerprint, static_cast<uint16_t>(HashIndex::NextGroup(key.group))});
      }
    }
    full_run_ = here_.size() >= capacity_ ? full_run_ + 1 : 0;
  }

 private:
  void SetSlot(HashIndex::Line* line, uint32_t at, const Candidate& key) const {
    const uint64_t slot = uint64_t{key.fingerprint} << entry_bits_ | key.entry;
    std::memcpy(line->bytes.data() + HashIndex::kEndsSize + at * index_.slot_size, &slot,
                index_.slot_size);
  }

  HashIndex& index_;
  const uint32_t capacity_;
  const uint32_t entry_bits_;
  std::vector<Candidate> here_, carried_;
  uint32_t full_run_ = 0;
};

// False: too many keys want to be in the same lines.
bool FillLines(const std::vector<uint64_t>& hashes, HashIndex* index) {
  const ByHome sorted = SortByHome(hashes, *index);
  index->lines.reserve(index->homes + 1);
  LineFiller filler(index);
  for (uint32_t home = 0; home < index->homes || !filler.has_room(); ++home) {
    std::span<const Candidate> keys;
    if (home < index->homes) {
      keys = std::span(sorted.candidates)
                 .subspan(sorted.starts[home], sorted.starts[home + 1] - sorted.starts[home]);
    }
    filler.Fill(keys);
    if (filler.full_run() > HashIndex::kFullRunMax) return false;
  }
  return index->lines.size() - index->homes <= HashIndex::kFullRunMax;
}

}  // namespace

uint64_t HashIndexBuilder::EstimatedSize() const {
  if (hashes_.empty()) return 0;
  constexpr uint64_t kHead = 32;
  const uint64_t homes = HomesFor(places_.keys(), SlotSizeFor(places_.entries()));
  return kHead + places_.EstimatedSize() + homes * HashIndex::kLineSize;
}

BuiltIndex HashIndexBuilder::Finish() {
  if (hashes_.empty()) return {"", "none: no keys"};
  if (places_.entries() > HashIndex::kEntriesMax) return {"", "none: too many entries"};
  HashIndex index;
  static_cast<PointPlaces&>(index) = places_.Take();
  index.slot_size = SlotSizeFor(index.entries);
  index.homes = static_cast<uint32_t>(HomesFor(index.keys, index.slot_size));
  const bool filled = FillLines(hashes_, &index);
  hashes_ = {};
  if (!filled) return {"", "none: too many keys have nearly the same hash"};
  std::string bytes = EncodeHashIndex(index);
  if (bytes.size() > kPointIndexSizeMax) return {"", "none: it would be too large"};
  return {std::move(bytes), std::string(kHashFormName)};
}

}  // namespace varve
