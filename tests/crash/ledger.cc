// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/ledger.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace varve::crash {
namespace {

std::string Key(int w, char part, uint64_t slot) {
  return std::string("w") + std::to_string(w) + part + std::to_string(slot);
}

std::string ValueOf(uint64_t n) {
  // Padding makes memtables fill, and torn records show.
  return std::to_string(n) + std::string(n % 300, static_cast<char>('a' + n % 26));
}

// The batch number last written to `slot` when batches 1..prefix were.
uint64_t LastInSlot(uint64_t prefix, uint64_t slot) {
  if (prefix < slot || prefix == 0) return 0;
  const uint64_t n = prefix - (prefix - slot) % kSlots;
  return n;
}

}  // namespace

Ledger* Ledger::Map(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(Ledger)) != 0) return nullptr;
  // All-zero bytes are an empty ledger.
  void* memory = mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<Ledger*>(memory);
}

WriteBatch MakeBatch(const DB& db, int w, uint64_t n) {
  const ColumnFamilyId other = *db.FindFamily("other");
  WriteBatch batch;
  batch.Put(Key(w, 'a', n % kSlots), ValueOf(n));
  batch.Put(Key(w, 'b', n % kSlots), ValueOf(n), other);
  // A tombstone and a put on the same key: order within the batch counts.
  batch.Delete(Key(w, 'c', 0));
  batch.Put(Key(w, 'c', 0), ValueOf(n));
  return batch;
}

std::string CheckAgainst(DB& db, Ledger* ledger) {
  const auto family = db.FindFamily("other");
  for (int w = 0; w < kWriters; ++w) {
    Ledger::Writer& writer = ledger->writers[w];
    const uint64_t issued = writer.issued, acknowledged = writer.acknowledged;
    const std::string who = "writer " + std::to_string(w) + " (issued " + std::to_string(issued) +
                            ", acknowledged " + std::to_string(acknowledged) + "): ";
    if (!family) {
      if (acknowledged > 0) return who + "the family is gone";
      continue;
    }
    const auto last = db.Get({}, Key(w, 'c', 0));
    if (!last.ok()) return who + last.status().ToString();
    const uint64_t prefix = last->has_value() ? std::stoull((**last).ToString()) : 0;
    if (prefix < acknowledged) return who + "only " + std::to_string(prefix) + " survived";
    if (prefix > issued) return who + "shows " + std::to_string(prefix);
    for (uint64_t slot = 0; slot < kSlots; ++slot) {
      const uint64_t expected = LastInSlot(prefix, slot);
      for (const bool other : {false, true}) {
        const auto value = db.Get({}, Key(w, other ? 'b' : 'a', slot), other ? *family : 0);
        if (!value.ok()) return who + value.status().ToString();
        const std::string found = value->has_value() ? (**value).ToString() : "";
        if (found != (expected == 0 ? "" : ValueOf(expected))) {
          return who + "prefix " + std::to_string(prefix) + ", slot " + std::to_string(slot) +
                 (other ? " of the other family" : "") + " should come from batch " +
                 std::to_string(expected) + " but is '" + found.substr(0, 20) + "'";
        }
      }
    }
    writer.issued = prefix;
    writer.acknowledged = prefix;
  }
  return "";
}

}  // namespace varve::crash
