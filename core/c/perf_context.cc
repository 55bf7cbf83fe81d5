// SPDX-License-Identifier: Apache-2.0
// RocksDB's performance context of a thread: what filters said and which blocks were read. The
// engine counts the rest by database and family (DB::Stats()), or not at all: those figures are 0.
//
// As in RocksDB, all handles of a thread are one context.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/thread_reads.h"
#include "core/c/error.h"

struct rocksdb_perfcontext_t {};
using Context = rocksdb_perfcontext_t;

namespace varve::c {
namespace {

struct PerfFigure {
  int number;  // In c.h.
  std::string_view name;
  uint64_t ThreadReads::* count;
};

constexpr std::array kPerfFigures = {
    PerfFigure{2, "block_read_count", &ThreadReads::blocks},
    PerfFigure{3, "block_read_byte", &ThreadReads::block_bytes},
    PerfFigure{44, "bloom_sst_hit_count", &ThreadReads::filters_passed},
    PerfFigure{45, "bloom_sst_miss_count", &ThreadReads::filters_excluded},
};

// The context of a thread: counts since Reset(), without what was read while it was disabled.
class ThreadPerf {
 public:
  uint64_t Count(const PerfFigure& figure) const {
    const uint64_t since = counting_ ? Now().*figure.count - begin_.*figure.count : 0;
    return kept_.*figure.count + since;
  }
  void Reset() {
    begin_ = Now();
    kept_ = {};
  }
  void SetCounting(bool counting) {
    for (const PerfFigure& figure : kPerfFigures) kept_.*figure.count = Count(figure);
    begin_ = Now();
    counting_ = counting;
  }

  static ThreadPerf& OfThisThread() {
    thread_local ThreadPerf perf;  // It has no destructor: it stays valid to the end.
    return perf;
  }

 private:
  static const ThreadReads& Now() { return ThreadReads::OfThisThread(); }

  ThreadReads begin_ = {};
  ThreadReads kept_ = {};
  bool counting_ = true;
};

std::string Report(bool exclude_zero) {
  std::string report;
  for (const PerfFigure& figure : kPerfFigures) {
    const uint64_t count = ThreadPerf::OfThisThread().Count(figure);
    if (count == 0 && exclude_zero) continue;
    report.append(figure.name).append(" = ").append(std::to_string(count)).append(", ");
  }
  return report;
}

}  // namespace
}  // namespace varve::c

using varve::c::ThreadPerf;

extern "C" {

void rocksdb_set_perf_level(int level) {
  constexpr int kDisable = 1;
  ThreadPerf::OfThisThread().SetCounting(level > kDisable);
}

Context* rocksdb_perfcontext_create() { return new Context; }
void rocksdb_perfcontext_reset(Context* /*context*/) { ThreadPerf::OfThisThread().Reset(); }

char* rocksdb_perfcontext_report(Context* /*context*/, unsigned char exclude_zero_counters) {
  return varve::c::CopyText(varve::c::Report(exclude_zero_counters != 0));
}

uint64_t rocksdb_perfcontext_metric(Context* /*context*/, int number) {
  for (const varve::c::PerfFigure& figure : varve::c::kPerfFigures) {
    if (figure.number == number) return ThreadPerf::OfThisThread().Count(figure);
  }
  return 0;
}

void rocksdb_perfcontext_destroy(Context* context) { delete context; }

}  // extern "C"
