// SPDX-License-Identifier: Apache-2.0
#include "core/c/statistics.h"

#include <algorithm>

#include "core/c/option_handles.h"

struct rocksdb_statistics_histogram_data_t {
  varve::c::HistogramFigures figures = {};
};
using Histogram = rocksdb_statistics_histogram_data_t;

extern "C" {

// A hint, and like RocksDB's without effect before rocksdb_options_enable_statistics().
void rocksdb_options_set_statistics_level(rocksdb_options_t* options, int level) {
  constexpr int kLevelMax = 5;
  if (options->statistics != nullptr) {
    options->statistics->SetLevel(std::clamp(level, 0, kLevelMax));
  }
}
int rocksdb_options_get_statistics_level(rocksdb_options_t* options) {
  return options->statistics == nullptr ? 0 : options->statistics->level();
}

uint64_t rocksdb_options_statistics_get_ticker_count(rocksdb_options_t* options, uint32_t ticker) {
  return options->statistics == nullptr ? 0 : options->statistics->CountOf(ticker);
}

void rocksdb_options_statistics_get_histogram_data(rocksdb_options_t* options, uint32_t histogram,
                                                   Histogram* const data) {
  data->figures = options->statistics == nullptr ? varve::c::HistogramFigures()
                                                 : options->statistics->HistogramOf(histogram);
}
Histogram* rocksdb_statistics_histogram_data_create() { return new Histogram; }
void rocksdb_statistics_histogram_data_destroy(Histogram* data) { delete data; }
double rocksdb_statistics_histogram_data_get_median(Histogram* data) {
  return data->figures.median;
}
double rocksdb_statistics_histogram_data_get_p95(Histogram* data) { return data->figures.p95; }
double rocksdb_statistics_histogram_data_get_p99(Histogram* data) { return data->figures.p99; }
double rocksdb_statistics_histogram_data_get_average(Histogram* data) {
  return data->figures.average;
}
double rocksdb_statistics_histogram_data_get_std_dev(Histogram* data) {
  return data->figures.deviation;
}
double rocksdb_statistics_histogram_data_get_max(Histogram* data) { return data->figures.max; }
uint64_t rocksdb_statistics_histogram_data_get_count(Histogram* data) {
  return data->figures.count;
}
uint64_t rocksdb_statistics_histogram_data_get_sum(Histogram* data) { return data->figures.sum; }
double rocksdb_statistics_histogram_data_get_min(Histogram* data) { return data->figures.min; }

}  // extern "C"
