// SPDX-License-Identifier: Apache-2.0
// Databases made from fixed seeds under a fixed clock, in many formats, and a line for every file
// of theirs: name, size, hash. Built natively and for WebAssembly; both must print the same.
// LZ4 and trained zstd dictionaries are left out: what LZ4's compressor and zstd's trainer emit
// depends on the platform. So does the memory that a memtable takes: flushes come by count here.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "core/base/hash/hash.h"
#include "core/base/options/grades.h"
#include "core/base/threads/inline_executor.h"
#include "core/engine/open/open_graded.h"
#include "core/fs/memory_fs.h"
#include "varve/db.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"
#include "varve/write_batch.h"

namespace varve {
namespace {

class FixedClock : public Clock {
 public:
  uint64_t NowMicros() override { return now_ += 10; }
  uint64_t UnixMicros() override { return uint64_t{1'600'000'000'000'000} + (now_ += 10); }

 private:
  uint64_t now_ = 0;
};

class FixedRandom : public Random {
 public:
  uint64_t Next64() override { return random_(); }

 private:
  std::mt19937_64 random_{42};
};

const std::vector<std::vector<const char*>> kRecipes = {
    {"format_version=2", "checksum=kCRC32c"},
    {"format_version=3", "checksum=kxxHash"},
    {"format_version=4", "checksum=kxxHash64"},
    {"format_version=5", "compression=kSnappyCompression"},
    {"format_version=6", "compression=kZlibCompression"},
    {"format_version=7", "compression=kBZip2Compression"},
    {"format_version=7", "compression=kZSTD"},
    {"compression=kZSTD", "compression_opts.max_dict_bytes=4096"},
    {"filter_policy=ribbonfilter:9.5:-1"},
    {"filter_policy=bloomfilter:6.7:false", "data_block_index_type=kDataBlockBinaryAndHash"},
    {"index_type=kTwoLevelIndexSearch", "partition_filters=true"},
    {"index_type=kTwoLevelIndexSearch", "partition_filters=true",
     "decouple_partitioned_filters=false", "metadata_block_size=512"},
    {"memtable_rep=skip_list", "level_compaction_dynamic_level_bytes=false"},
};

Status Set(Options* options, Grades* grades, const std::string& line) {
  const size_t equals = line.find('=');
  const std::string_view value = std::string_view(line).substr(equals + 1);
  const GradeRow* const grade = FindGrade(line.substr(0, equals));
  if (grade != nullptr) return grade->set(grades, value);
  const OptionRow* row = FindOption(line.substr(0, equals));
  if (row == nullptr) return Status::InvalidArgument(line + ": there is no such option");
  return row->set(options, value);
}

Status Fill(DB& db, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 4000; ++i) {
    const std::string key = "key" + std::to_string(random() % 3000);
    WriteBatch batch;
    switch (random() % 12) {
      case 0:
        batch.Delete(key);
        break;
      case 1:
        batch.Merge(key, "+" + std::to_string(i));
        break;
      case 2:
        if (random() % 40 == 0) batch.DeleteRange(key, key + "5");
        break;
      default: {
        const size_t size = random() % 200;
        batch.Put(key, std::string(size, static_cast<char>('a' + random() % 6)));
      }
    }
    if (Status status = db.Write({}, std::move(batch)); !status.ok()) return status;
    if (i % 400 != 399) continue;
    if (Status status = db.Flush(); !status.ok()) return status;
  }
  return Status::Ok();
}

Status Make(const std::vector<const char*>& recipe, size_t number, FileSystem& fs) {
  FixedClock clock;
  FixedRandom random;
  InlineExecutor executor;
  Options options;
  Grades grades;
  options.env = {&fs, &clock, &random, &executor};
  options.create_if_missing = true;
  options.family.target_file_size_base = 32 << 10;
  options.family.max_bytes_for_level_base = 128 << 10;
  options.family.table.compression = CompressionType::kNone;  // Unless a recipe has another.
  options.family.merge_operator = MergeOperatorByName("stringappend");
  for (const char* line : recipe) {
    if (Status status = Set(&options, &grades, line); !status.ok()) return status;
  }
  auto db = OpenGraded(options, grades, "db" + std::to_string(number));
  if (!db.ok()) return db.status();
  if (Status status = Fill(**db, number); !status.ok()) return status;
  return (*db)->Close();
}

Status Print(FileSystem& fs, const std::string& directory) {
  auto entries = fs.List(directory);
  if (!entries.ok()) return entries.status();
  std::sort(entries->begin(), entries->end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const DirectoryEntry& entry : *entries) {
    const auto bytes = ReadFileToString(fs, directory + "/" + entry.name, 1 << 30);
    if (!bytes.ok()) return bytes.status();
    std::printf("%s/%s %zu %016" PRIx64 "\n", directory.c_str(), entry.name.c_str(), bytes->size(),
                Xxh3_64(*bytes));
  }
  return Status::Ok();
}

int Main() {
  const std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  for (size_t number = 0; number < kRecipes.size(); ++number) {
    Status status = Make(kRecipes[number], number, *fs);
    if (status.ok()) status = Print(*fs, "db" + std::to_string(number));
    if (!status.ok()) {
      std::fprintf(stderr, "recipe %zu: %s\n", number, status.ToString().c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace varve

int main() { return varve::Main(); }
