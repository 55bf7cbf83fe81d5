// SPDX-License-Identifier: Apache-2.0
#include <ctime>

#include "cli/commands/bench/claims.h"
#include "cli/commands/bench/records.h"
#include "cli/commands/bench/settings.h"
#include "cli/database.h"
#include "cli/process/leftovers.h"
#include "core/base/try.h"
#include "core/inspect/table/table_report.h"
#include "varve/sst_file_writer.h"

namespace varve::cli::bench {
namespace {

constexpr uint64_t kSeed = 42;
constexpr size_t kKeyBytes = 8;
constexpr ValueSizes kValues = {.size = 20};

// Of this thread: what a disk takes, and who else uses the machine, is not what is measured.
double CpuSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// A table without the index, or with another form of it, would be measured under a wrong name.
Status RequirePointIndex(FileSystem& fs, const std::string& path, const std::string& form) {
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(fs, path));
  if (report.point_index == form) return Status::Ok();
  return Status::NotSupported("its point index is " + report.point_index + ", not " + form +
                              (report.point_index_why.empty() ? "" : ": ") +
                              report.point_index_why);
}

}  // namespace

Result<Claim::Outcome> BuildTable(const Claim::Point& point, const Claim::Grade& grade,
                                  const Claim::Size& size, uint64_t round) {
  const uint64_t distance = std::stoull(point.flags.at(0));
  Options options;
  options.family.table.compression = CompressionType::kNone;
  RETURN_IF_ERROR(ApplyOptions(grade.options, &options));
  const Environment& env = NativeEnvironment();
  ASSIGN_OR_RETURN(const TemporaryDirectory home, TemporaryDirectory::Create("varve-claims-"));
  const std::string path = home.path() + "/table.sst";
  RandomSource random(kSeed + round);
  KeyBuffer key(kKeyBytes);
  ValueSource values(kSeed, kValues);
  uint64_t integer = 0;

  const double begin = CpuSeconds();
  ASSIGN_OR_RETURN(SstFileWriter writer, SstFileWriter::Create(env, options.family, path));
  for (uint64_t i = 0; i < size.records; ++i) {
    integer += 1 + random.Below(2 * distance - 1);
    RETURN_IF_ERROR(writer.Put(key.Of(integer), values.Next()));
  }
  RETURN_IF_ERROR(writer.Finish());
  const double seconds = CpuSeconds() - begin;

  if (options.family.table.point_index != PointIndexKind::kNone) {
    RETURN_IF_ERROR(RequirePointIndex(*env.file_system, path, point.flags.at(1)));
  }
  return Claim::Outcome{.rate = static_cast<double>(size.records) / seconds,
                        .found = size.records,
                        .table_bytes = writer.file_size()};
}

}  // namespace varve::cli::bench
