// SPDX-License-Identifier: Apache-2.0
// Large values, keys and batches, many tables, many column families: they work, or are refused by
// name; and what they cost follows their number.
#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/resources/usage.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve::resources {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20, kGiB = uint64_t{1} << 30;

double CpuSeconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

uint64_t PeakResidentBytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

std::unique_ptr<DB> MustOpen(const Options& options, const std::string& path) {
  auto db = DB::Open(options, path);
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  return *std::move(db);
}

// Zeros that take no memory until they are read. Code that refuses their number never reads them.
class ManyBytes {
 public:
  explicit ManyBytes(uint64_t size)
      : size_(size),
        bytes_(
            ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    REQUIRE(bytes_ != MAP_FAILED);
  }
  ~ManyBytes() { ::munmap(bytes_, size_); }
  ManyBytes(const ManyBytes&) = delete;
  ManyBytes& operator=(const ManyBytes&) = delete;
  std::string_view view() const { return {static_cast<const char*>(bytes_), size_}; }

 private:
  const uint64_t size_;
  void* const bytes_;
};

void CheckRefused(const Status& status, const std::string& number) {
  CAPTURE(status.ToString());
  CHECK(status.code() == Code::kInvalidArgument);
  CHECK(status.message().find(number) != std::string::npos);
}

TEST_CASE("Sizes: a value of 1 GiB is put, read, flushed and scanned") {
  const ScratchDirectory root;
  Options options{.create_if_missing = true};
  options.family.table.compression = CompressionType::kNone;
  auto db = MustOpen(options, root / "db");
  {
    std::string value(kGiB, 'v');
    value.front() = 'a';
    value.back() = 'z';
    REQUIRE(db->Put({}, "large", value).ok());
  }
  const auto check = [&](std::string_view value) {
    CHECK_EQ(value.size(), kGiB);
    CHECK((value.front() == 'a' && value[kGiB / 2] == 'v' && value.back() == 'z'));
  };
  const auto read = [&] {
    const auto value = db->Get({}, "large");
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    REQUIRE(value->has_value());
    check((*value)->view());
  };
  read();
  const Status flushed = db->Flush();
  REQUIRE_MESSAGE(flushed.ok(), flushed.ToString());
  read();
  {
    auto it = db->NewIterator({});
    REQUIRE(it.ok());
    it->SeekToFirst();
    REQUIRE_MESSAGE(it->Valid(), it->status().ToString());
    check(it->value());
  }
  REQUIRE(db->Close().ok());
  db = MustOpen(options, root / "db");
  read();
  MESSAGE("at most ", PeakResidentBytes() >> 20, " MiB resident");
  CHECK_LE(PeakResidentBytes(), 6 * kGiB);
}

TEST_CASE("Sizes: what is larger than it may be is refused by name, before it is copied") {
  const ScratchDirectory root(ScratchDirectory::kMemory);
  const auto db = MustOpen({.create_if_missing = true}, root / "db");
  const uint64_t before = PeakResidentBytes();
  const ManyBytes huge(5 * kGiB);
  CheckRefused(db->Put({}, "key", huge.view()), std::to_string(5 * kGiB));
  CheckRefused(db->Merge({}, "key", huge.view()), std::to_string(5 * kGiB));
  CheckRefused(db->Put({}, huge.view(), "value"), std::to_string(5 * kGiB));
  CheckRefused(db->Delete({}, huge.view()), std::to_string(5 * kGiB));
  constexpr uint64_t kLongKey = 256 * kMiB + 1;
  CheckRefused(db->Put({}, huge.view().substr(0, kLongKey), "value"), std::to_string(kLongKey));
  CHECK_LE(PeakResidentBytes(), before + 64 * kMiB);
  CHECK(db->Get({}, "key").ok());
  CHECK_EQ(db->Stats().entries_written, 0);
}

TEST_CASE("Sizes: the longest key works") {
  const ScratchDirectory root;
  const auto db = MustOpen({.create_if_missing = true}, root / "db");
  const std::string key(Amount(32, 256) * kMiB, 'k');
  REQUIRE(db->Put({}, key, "value").ok());
  REQUIRE(db->Put({}, "l", "other").ok());
  const Status flushed = db->Flush();
  REQUIRE_MESSAGE(flushed.ok(), flushed.ToString());
  const auto value = db->Get({}, key);
  REQUIRE_MESSAGE(value.ok(), value.status().ToString());
  REQUIRE(value->has_value());
  CHECK_EQ((*value)->view(), "value");
}

TEST_CASE("Sizes: a batch of more than 4 GiB is refused by name") {
  if (!IsLong()) return;  // It is made first: 5 GiB of memory, or more.
  const ScratchDirectory root(ScratchDirectory::kMemory);
  const auto db = MustOpen({.create_if_missing = true}, root / "db");
  const std::string value(kGiB, 'v');
  WriteBatch batch;
  for (int i = 0; i < 4; ++i) batch.Put("key" + std::to_string(i), value);
  CheckRefused(db->Write({}, std::move(batch)), "4294967295");
  CHECK_FALSE((*db->Get({}, "key0")).has_value());
  CHECK(db->Put({}, "key", "value").ok());
}

// --- many tables

std::string KeyOf(uint64_t n) {
  std::string digits = std::to_string(n);
  return "key" + std::string(8 - digits.size(), '0') + digits;
}

Options ManyTables() {
  Options options{.create_if_missing = true};
  options.max_open_files = 200;
  options.family.disable_auto_compactions = true;
  return options;
}

void MakeTables(const ScratchDirectory& root, const std::string& path, uint64_t count) {
  const auto db = MustOpen(ManyTables(), path);
  std::vector<std::string> paths;
  for (uint64_t n = 0; n < count; ++n) {
    paths.push_back(root / (std::to_string(n) + ".sst"));
    auto writer = SstFileWriter::Create(NativeEnvironment(), {}, paths.back());
    REQUIRE_MESSAGE(writer.ok(), writer.status().ToString());
    REQUIRE(writer->Put(KeyOf(n), "value").ok());
    REQUIRE(writer->Finish().ok());
  }
  const Status ingested = db->Ingest({.move_files = true}, paths);
  REQUIRE_MESSAGE(ingested.ok(), ingested.ToString());
}

struct Cost {
  double make = 0, open = 0, read = 0;
  uint64_t bytes = 0;  // Resident, of the open database.
};

Cost CostOfTables(uint64_t count) {
  CAPTURE(count);
  const ScratchDirectory root(ScratchDirectory::kMemory);
  const std::string path = root / "db";
  Cost cost;
  const double begin = CpuSeconds();
  MakeTables(root, path, count);
  cost.make = CpuSeconds() - begin;
  ::malloc_trim(0);
  const uint64_t resident = ResidentBytes();
  const double opening = CpuSeconds();
  const auto db = MustOpen(ManyTables(), path);
  cost.open = CpuSeconds() - opening;
  ::malloc_trim(0);
  cost.bytes = ResidentBytes() - std::min(resident, ResidentBytes());
  uint64_t files = 0;
  for (const LevelInfo& level : db->Levels()) files += level.files;
  CHECK_EQ(files, count);
  const double reading = CpuSeconds();
  for (uint64_t n = 0; n < count; n += 10) {
    const auto value = db->Get({}, KeyOf(n));
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    REQUIRE(value->has_value());
  }
  cost.read = CpuSeconds() - reading;
  CHECK_LE(db->Stats().open_tables, 200);
  CHECK_LE(OpenDescriptors(), 300);
  return cost;
}

void CheckLinear(const char* what, double of_one, double of_two, double granted) {
  CAPTURE(what);
  CAPTURE(of_one);
  CHECK_LE(of_two, 3 * of_one + granted);  // Of twice as many: twice, and the noise of a machine.
}

TEST_CASE(
    "Sizes: many tables are made, opened and read in time and memory that follow their number") {
  const uint64_t most = Amount(8'000, 100'000);
  const Cost half = CostOfTables(most / 2), whole = CostOfTables(most);
  MESSAGE(most, " tables: made in ", whole.make, " s, opened in ", whole.open, " s with ",
          whole.bytes / most, " bytes for each, a tenth of them read in ", whole.read, " s");
  CheckLinear("making", half.make, whole.make, 1);
  CheckLinear("opening", half.open, whole.open, 0.2);
  CheckLinear("reading", half.read, whole.read, 0.2);
  CHECK_LE(whole.bytes, most * 3000 + 32 * kMiB);
}

// --- many column families

struct FamiliesCost {
  double make = 0, write = 0, flush = 0, open = 0, drop = 0;
  uint64_t bytes = 0;
};

FamiliesCost CostOfFamilies(uint64_t count) {
  CAPTURE(count);
  const ScratchDirectory root(ScratchDirectory::kMemory);
  FamiliesCost cost;
  double last = CpuSeconds();
  const auto lap = [&](double* figure) {
    const double now = CpuSeconds();
    *figure = now - last;
    last = now;
  };
  Options options{.create_if_missing = true};
  options.max_open_files = 200;
  ::malloc_trim(0);
  const uint64_t resident = ResidentBytes();
  auto db = MustOpen(options, root / "db");
  std::vector<NewFamily> families;
  for (uint64_t n = 0; n < count; ++n) families.push_back({"family" + std::to_string(n), {}});
  last = CpuSeconds();
  auto ids = db->CreateColumnFamilies(families);
  REQUIRE_MESSAGE(ids.ok(), ids.status().ToString());
  REQUIRE_EQ(ids->size(), count);
  lap(&cost.make);
  for (const ColumnFamilyId id : *ids) REQUIRE(db->Put({}, "key", std::to_string(id), id).ok());
  lap(&cost.write);
  cost.bytes = ResidentBytes() - std::min(resident, ResidentBytes());
  const Status flushed = db->FlushAll();
  REQUIRE_MESSAGE(flushed.ok(), flushed.ToString());
  lap(&cost.flush);
  REQUIRE(db->Close().ok());
  last = CpuSeconds();
  db = MustOpen(options, root / "db");
  lap(&cost.open);
  CHECK_EQ(db->Families().size(), count + 1);
  for (const ColumnFamilyId id : *ids) {
    const auto value = db->Get({}, "key", id);
    REQUIRE_MESSAGE(value.ok(), value.status().ToString());
    REQUIRE(value->has_value());
    REQUIRE_EQ((*value)->view(), std::to_string(id));
  }
  last = CpuSeconds();
  for (size_t i = 0; i < 10; ++i) REQUIRE(db->DropColumnFamily((*ids)[i * 7]).ok());
  lap(&cost.drop);
  CHECK_EQ(db->Families().size(), count - 9);
  return cost;
}

TEST_CASE("Sizes: many column families cost in time and memory what follows their number") {
  const uint64_t most = Amount(1'000, 10'000);
  const FamiliesCost half = CostOfFamilies(most / 2), whole = CostOfFamilies(most);
  MESSAGE(most, " families: made in ", whole.make, " s, one record written to each in ",
          whole.write, " s with ", whole.bytes / most, " bytes for each, flushed in ", whole.flush,
          " s, opened in ", whole.open, " s, ten of them dropped in ", whole.drop, " s");
  CheckLinear("making", half.make, whole.make, 0.2);
  CheckLinear("writing", half.write, whole.write, 0.2);
  // Each of the jobs looks at all families for what to do next: with 10,000, most of the time of a
  // flush of all.
  if (!IsLong()) CheckLinear("flushing", half.flush, whole.flush, 0.5);
  CheckLinear("opening", half.open, whole.open, 0.2);
  // Each writes an OPTIONS file of all families.
  CheckLinear("dropping ten", half.drop, whole.drop, 0.2);
  CHECK_LE(whole.bytes, most * (64 << 10) + 32 * kMiB);
}

}  // namespace
}  // namespace varve::resources
