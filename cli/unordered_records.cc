// SPDX-License-Identifier: Apache-2.0
#include "cli/unordered_records.h"

#include "cli/input/external_sort.h"
#include "cli/process/leftovers.h"
#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/stored_order.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

// Appended to the key for sorting.
constexpr size_t kSequenceSize = sizeof(uint64_t);

// By the bytes of the key, the newest version first.
class NewestFirst final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override {
    const int order = KeyOf(a).compare(KeyOf(b));
    if (order != 0) return order;
    const uint64_t left = SequenceOf(a), right = SequenceOf(b);
    return left > right ? -1 : left < right ? 1 : 0;
  }
  std::string_view name() const override { return "newest first"; }

  static std::string_view KeyOf(std::string_view sorted) {
    sorted.remove_suffix(kSequenceSize);
    return sorted;
  }

 private:
  static uint64_t SequenceOf(std::string_view sorted) {
    ByteReader in(sorted.substr(sorted.size() - kSequenceSize));
    uint64_t sequence = 0;
    in.ReadFixed64(&sequence);
    return sequence;
  }
};

}  // namespace

Status NoOrder(const FamilyInfo& family, const std::string& what) {
  return Status::NotSupported("column family " + EscapeForDisplay(family.name) + " is ordered by " +
                              EscapeForDisplay(family.comparator) + ", which is not known here; " +
                              what);
}

Status WalkUnordered(const std::string& path, const FamilyInfo& family, const ScanRange& range,
                     uint64_t memory,
                     const std::function<bool(std::string_view, std::string_view)>& use) {
  if (range.from || range.to) return NoOrder(family, "only --prefix needs no order");
  if (family.comparator.ends_with(".u64ts")) {
    return NoOrder(family,
                   "its keys end with timestamps, which are not understood "
                   "(scan --stored-order shows them)");
  }
  ASSIGN_OR_RETURN(const auto directory, TemporaryDirectory::Create("varve-sort-"));
  FileSystem& fs = *NativeEnvironment().file_system;
  ASSIGN_OR_RETURN(StoredOrder stored, StoredOrder::Open(fs, path, family.name));
  const NewestFirst order;
  ExternalSort sort(fs, directory.path(), order, memory);
  StoredEntry entry;
  std::string key, value;
  while (stored.Next(&entry)) {
    const bool put = entry.type == "put";
    if (!put && entry.type != "delete" && entry.type != "single_delete") {
      return NoOrder(family, "it holds a " + std::string(entry.type) +
                                 " entry, which cannot be applied without the order "
                                 "(scan --stored-order shows it)");
    }
    if (range.prefix && !entry.key.starts_with(*range.prefix)) continue;
    key.assign(entry.key);
    AppendFixed64(&key, entry.sequence);
    value.assign(1, put ? '+' : '-');
    value.append(entry.value);
    RETURN_IF_ERROR(sort.Add(key, value));
  }
  RETURN_IF_ERROR(stored.status());
  std::string last;
  bool any = false, more = true;
  return sort.Drain([&](std::string_view sorted, std::string_view marked) -> Status {
    const std::string_view user_key = NewestFirst::KeyOf(sorted);
    if (!more || (any && user_key == last)) return Status::Ok();
    any = true;
    last.assign(user_key);
    if (marked.front() == '+') more = use(user_key, marked.substr(1));
    return Status::Ok();
  });
}

}  // namespace varve::cli
