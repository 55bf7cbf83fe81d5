// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/report.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace varve::cli::bench {
namespace {

WorkloadResult Reads() {
  WorkloadResult result;
  result.name = "readrandom";
  result.threads = 2;
  result.distribution = "uniform";
  result.seconds = 0.5;
  result.operations = 6000;
  result.found = 5000;
  result.bytes = 3'000'000;
  result.max_rss_bytes = 3 << 20;
  result.end.levels = {{0, 2, 1000}, {1, 0, 0}, {6, 1, 4000}};
  result.end.stats.user_bytes_written = 1000;
  result.end.stats.wal_bytes_written = 1500;
  result.end.stats.block_cache_hits = 17;
  for (int i = 0; i < 100; ++i) result.latency.Record(100);
  result.latency.Record(200'000);
  result.intervals = {{.seconds = 0.25,
                       .length = 0.25,
                       .operations = 2000,
                       .bytes = 9,
                       .flush_bytes = 8,
                       .latency = {.count = 3, .mean = 2.5, .p50 = 2, .p99_9 = 7, .max = 7}}};
  return result;
}

RunResult Sample() {
  RunResult result;
  result.command = "varve bench run \"a,b\"";
  result.machine.cpu = "Some CPU";
  result.machine.cpus = 2;
  result.machine.file_system = "ext4";
  WorkloadResult once;
  once.name = "flush";
  once.distribution = "uniform";
  once.threads = 1;
  once.checksum = 7;
  result.workloads.push_back(std::move(once));
  result.workloads.push_back(Reads());
  return result;
}

template <typename Write>
std::string Written(Write write) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  {
    Sink sink(fileno(file.get()), Sink::Kind(), nullptr);
    write(sink);
    REQUIRE(sink.Finish().ok());
  }
  std::string text(1 << 16, '\0');
  text.resize(static_cast<size_t>(pread(fileno(file.get()), text.data(), text.size(), 0)));
  return text;
}

std::string FileNamed(std::string_view name, const RunResult& result) {
  for (const ResultFile& file : ResultFiles()) {
    if (file.name == name) return Written([&](Sink& out) { file.write(out, result); });
  }
  return "";
}

TEST_CASE("ResultTable: where, with which options, and a row for each run") {
  const std::string text = ResultTable({.there = false}, Sample());
  CHECK(
      text.starts_with("2 x Some CPU, ext4, 1,000,000 records of 16 + 100 bytes, 1 thread, "
                       "seed 42\ndurability=buffered "));
  CHECK(
      text.ends_with("workload     ops/s  MB/s  mean us  p50 us  p99 us  p99.9  max us    ops  "
                     "found      RSS  shape at the end\n"
                     "flush            0   0.0        -       -       -      -       -      0  "
                     "    0      0 B\n"
                     "readrandom  12,000   6.0     2.08    0.10    0.10    200     200  6,000  "
                     "5,000  3.0 MiB  L0:2 L6:1 w-amp 1.50\n"));
}

TEST_CASE("WriteResultRows: a row for each run, with the values of the JSON") {
  const RunResult result = Sample();
  const std::string csv = Written([&](Sink& out) { WriteResultRows(out, Format::kCsv, result); });
  CHECK(csv ==
        "workload,threads,seconds,operations,operations_per_second,found,bytes,latency_mean_ns,"
        "latency_p50_ns,latency_p99_ns,latency_p99.9_ns,latency_max_ns,max_rss_bytes,table_bytes,"
        "write_amplification,run,distribution,latency_min_ns,latency_p90_ns,latency_p95_ns,"
        "latency_p99.99_ns,background_operations,checksum,start_levels,start_table_bytes,"
        "start_sorted_runs,start_write_amplification,start_space_amplification,"
        "start_block_cache_bytes,start_block_cache_hits,start_block_cache_misses,end_levels,"
        "end_table_bytes,end_sorted_runs,end_write_amplification,end_space_amplification,"
        "end_block_cache_bytes,end_block_cache_hits,end_block_cache_misses\n"
        "flush,1,0.0,0,0.0,0,0,0.0,0,0,0,0,0,0,0.0,1,uniform,0,0,0,0,0,7,\"\",0,0,0.0,0.0,0,0,0,"
        "\"\",0,0,0.0,0.0,0,0,0\n"
        "readrandom,2,0.5,6000,12000.0,5000,3000000,2079.207920792079,100,100,200000,200000,"
        "3145728,5000,1.5,2,uniform,100,100,100,200000,0,\"\",\"\",0,0,0.0,0.0,0,0,0,"
        "\"0:2:1000 6:1:4000\",5000,3,1.5,1.25,0,17,0\n");
  CHECK(FileNamed("workloads.csv", result) == csv);
  const std::string tsv = Written([&](Sink& out) { WriteResultRows(out, Format::kTsv, result); });
  CHECK(tsv.find("\t0:2:1000 6:1:4000\t5000\t") != std::string::npos);
}

TEST_CASE("ResultFiles: intervals, histograms and the environment") {
  const RunResult result = Sample();
  CHECK(FileNamed("intervals.csv", result) ==
        "run,workload,seconds,length_seconds,operations,operations_per_second,bytes,latency_count,"
        "latency_mean_ns,latency_p50_ns,latency_p90_ns,latency_p99_ns,latency_p99.9_ns,"
        "latency_max_ns,flush_bytes,compaction_bytes,stall_micros,memtable_bytes,level0_files\n"
        "2,readrandom,0.25,0.25,2000,8000.0,9,3,2.5,2,0,0,7,7,8,0,0,0,0\n");
  CHECK(FileNamed("latency.csv", result)
            .starts_with("run,workload,from_ns,to_ns,calls\n"
                         "2,readrandom,100,101,100\n"));
  const std::string environment = FileNamed("environment.csv", result);
  CHECK(environment.find("run,command,\"varve bench run \"\"a,b\"\"\"\n") != std::string::npos);
  CHECK(environment.find("machine,cpu,\"Some CPU\"\n") != std::string::npos);
  CHECK(environment.find("settings,operations,\"\"\n") != std::string::npos);
  CHECK(environment.find("options,block_size,4096\n") != std::string::npos);
  CHECK(environment.find("grades,block_form,lookup\n") != std::string::npos);
}

TEST_CASE("ResultJson: what is not set is null") {
  const api::Json json = ResultJson(Sample());
  CHECK(json["schema"] == "varve.bench/1");
  CHECK(json["settings"]["operations"].is_null());
  CHECK(json["settings"]["distribution"].is_null());
  CHECK(json["settings"]["seed"] == "42");
  CHECK(json["workloads"][0]["checksum"] == "7");
  CHECK(json["workloads"][1]["checksum"].is_null());
  CHECK(json["workloads"][1]["end"]["levels"].size() == 2);
  CHECK(json["workloads"][1]["latency"]["buckets"][0] == api::Json::array({100, 101, 100}));
}

}  // namespace
}  // namespace varve::cli::bench
