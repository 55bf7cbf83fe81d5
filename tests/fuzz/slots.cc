// SPDX-License-Identifier: Apache-2.0
// A file system on slots (core/fs/slot_fs.h), as browsers store databases: the files of a bundle
// are the slots, by their order. What was mounted, changed and mounted again has the files of
// before.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/crc32c.h"
#include "core/fs/slot_fs.h"
#include "tests/fuzz/bundle.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

constexpr uint32_t kSpareSlots = 3;
constexpr size_t kCrcSize = 4, kCatalogueHeaderSize = 8;

class MemorySlots final : public SlotDevice {
 public:
  explicit MemorySlots(const Bundle& bundle) {
    for (const auto& [name, bytes] : bundle) slots_.push_back(bytes);
    slots_.resize(std::max<size_t>(slots_.size(), 2) + kSpareSlots);
  }
  uint32_t slots() const override { return static_cast<uint32_t>(slots_.size()); }
  Result<size_t> Read(uint32_t slot, uint64_t offset, size_t size, char* buffer) override {
    const std::string& bytes = slots_.at(slot);
    if (offset >= bytes.size()) return size_t{0};
    return bytes.copy(buffer, size, offset);
  }
  Status Write(uint32_t slot, uint64_t offset, std::string_view bytes) override {
    std::string& all = slots_.at(slot);
    all.resize(std::max<size_t>(all.size(), offset + bytes.size()));
    all.replace(offset, bytes.size(), bytes);
    return Status::Ok();
  }
  Result<uint64_t> Size(uint32_t slot) override { return uint64_t{slots_.at(slot).size()}; }
  Status Resize(uint32_t slot, uint64_t size) override {
    slots_.at(slot).resize(size);
    return Status::Ok();
  }
  Status Flush(uint32_t) override { return Status::Ok(); }

 private:
  std::vector<std::string> slots_;
};

using Files = std::map<std::string, std::string>;

// All files below a directory, by path. The depth of names that a catalogue has is its own affair.
void Collect(FileSystem& fs, const std::string& directory, int depth, Files* files) {
  const auto entries = fs.List(directory);
  if (!entries.ok() || depth > 4) return;
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = directory + "/" + entry.name;
    if (entry.is_directory) {
      Collect(fs, path, depth + 1, files);
      continue;
    }
    (*files)[path] = ReadFile(fs, path);
    Must(files->at(path).size() == entry.size, "a file is as long as it is listed");
  }
}

Files AllFiles(FileSystem& fs) {
  Files files;
  Collect(fs, "", 0, &files);
  return files;
}

void Run(std::string_view bytes) {
  MemorySlots device(Unpack(bytes));
  Files before;
  {
    const auto mounted = MountSlots(device);
    if (!mounted.ok()) return;
    FileSystem& fs = (*mounted)->files();
    before = AllFiles(fs);
    static_cast<void>((*mounted)->free_slots());
    if (!fs.CreateDirectory("/new").ok() || !fs.Create("/new/file", /*direct=*/false).ok()) return;
    WriteFile(fs, "/new/file", "contents");
    MustBeOk(fs.SyncDirectory("/new"), "sync");
  }
  const auto again = MountSlots(device);
  MustBeOk(again.status(), "slots that were written are mounted again");
  before["/new/file"] = "contents";
  Must(AllFiles((*again)->files()) == before, "with the files of before");
}

// A catalogue gets its checksum.
void Change(std::string* input, size_t size_max, uint32_t seed, const AnyChange& any) {
  Bundle bundle = Unpack(*input);
  if (bundle.empty()) return ChangeAll(input, size_max, any);
  std::string& slot = bundle[seed % std::min<size_t>(bundle.size(), 2)].second;
  ChangeAll(&slot, std::min(size_max, slot.size() + 64), any);
  if (slot.size() >= kCatalogueHeaderSize) {
    const auto stored = static_cast<uint32_t>(slot.size() - kCatalogueHeaderSize);
    if (seed % 8 != 0) StoreFixed32(slot.data() + kCrcSize, stored);
    const Crc32c crc = ComputeCrc32c(std::string_view(slot).substr(kCatalogueHeaderSize));
    StoreFixed32(slot.data(), Mask(crc).value);
  }
  *input = Pack(bundle);
}

}  // namespace

const Target slots = {"slots", Run, Change};

}  // namespace varve::fuzz
