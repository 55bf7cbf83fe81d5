// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/settings.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <variant>

#include "cli/commands/bench/store.h"
#include "cli/database.h"
#include "core/base/options/grades.h"
#include "core/base/try.h"
#include "varve/option_table.h"

namespace varve::cli::bench {
namespace {

Status CheckRanges(const Settings& settings) {
  constexpr uint64_t kKeyBytesMax = 64 << 10, kThreadsMax = 1024, kValueBytesMax = 1 << 30;
  constexpr uint64_t kBatchMax = 1 << 24;
  if (settings.num == 0) return Status::InvalidArgument("--num must be at least 1");
  if (settings.key_size == 0 || settings.key_size > kKeyBytesMax) {
    return Status::InvalidArgument("--key-size must be 1 to 65536");
  }
  if (settings.key_size < 8 && settings.num >> (8 * settings.key_size) != 0) {
    return Status::InvalidArgument("--num " + std::to_string(settings.num) +
                                   " does not fit into keys of " +
                                   std::to_string(settings.key_size) + " bytes");
  }
  const ValueSizes& sizes = settings.value_sizes;
  if (sizes.largest() > kValueBytesMax || sizes.min > sizes.max) {
    return Status::InvalidArgument(
        "values must have 0 to 1G bytes, and --value-size-min must not exceed --value-size-max");
  }
  if (settings.threads == 0 || settings.threads > kThreadsMax) {
    return Status::InvalidArgument("--threads must be 1 to 1024");
  }
  if (settings.batch_size && (*settings.batch_size == 0 || *settings.batch_size > kBatchMax)) {
    return Status::InvalidArgument("--batch-size must be 1 to 16777216");
  }
  if (settings.duration < 0) return Status::InvalidArgument("--duration must not be negative");
  if (settings.report_interval < 0.01) {
    return Status::InvalidArgument("--report-interval must be at least 0.01 s");
  }
  return Status::Ok();
}

// Appends the flag unless it is at its default.
struct AppendChanged {
  const std::string& name;
  std::vector<std::string>& words;

  void operator()(bool* given, bool* otherwise) const {
    if (*given != *otherwise) words.push_back(name);
  }
  void operator()(std::vector<std::string>* given, std::vector<std::string>*) const {
    for (const std::string& value : *given) Put(value);
  }
  void operator()(std::string* given, std::string* otherwise) const {
    if (*given != *otherwise) Put(*given);
  }
  void operator()(double* given, double* otherwise) const {
    if (*given != *otherwise) Put(std::to_string(*given));
  }
  template <typename T>
    requires std::is_integral_v<T>
  void operator()(T* given, T* otherwise) const {
    if (*given != *otherwise) Put(std::to_string(*given));
  }
  template <typename T>
  void operator()(std::optional<T>* given, std::optional<T>*) const {
    if (*given) (*this)(&**given);
  }
  template <typename A, typename B>
  void operator()(A*, B*) const {}  // Two declarations of one flag are of one type.

 private:
  void operator()(const std::string* value) const { Put(*value); }
  void operator()(const uint64_t* value) const { Put(std::to_string(*value)); }
  void Put(const std::string& value) const {
    words.push_back(name);
    words.push_back(value);
  }
};

// "memtable_rep=skip_list|btree|btree_hash, …"
std::string GradeNames() {
  std::string text;
  for (const GradeRow& row : GradeTable()) {
    text.append(text.empty() ? "" : ", ").append(row.name).append("=").append(row.range);
  }
  return text;
}

// The options and grades for which wanted(name, not_default) returns true, in the order of the
// tables.
template <typename Wanted>
std::vector<NamedValue> OptionsWhere(const Settings& settings, Wanted wanted) {
  const Options defaults;
  std::vector<NamedValue> options;
  for (const OptionRow& row : OptionTable()) {
    if (row.name == "create_if_missing") continue;  // The runner's business.
    const std::string value = row.get(settings.options);
    if (wanted(row.name, value != row.get(defaults))) {
      options.push_back({std::string(row.name), value});
    }
  }
  for (const GradeRow& row : GradeTable()) {
    const std::string value = row.get(settings.grades);
    if (wanted(row.name, value != row.get({}))) options.push_back({std::string(row.name), value});
  }
  return options;
}

}  // namespace

std::vector<std::string> SettingsFlags::Words() const {
  SettingsFlags given = *this, defaults;
  Parameters ours, plain;
  given.Declare(ours);
  defaults.Declare(plain);
  std::vector<std::string> words;
  for (size_t i = 0; i < ours.list().size(); ++i) {
    const std::string name = "--" + ours.list()[i].name;
    std::visit(AppendChanged{name, words}, ours.list()[i].destination, plain.list()[i].destination);
  }
  return words;
}

void SettingsFlags::Declare(Parameters& parameters) {
  parameters.Option("num", &settings_.num, "records; 10K is 10,000, 1M is 1,000,000");
  parameters.Option("ops", &settings_.operations,
                    "operations of each thread; as many as records if not given");
  parameters.Option("duration", &settings_.duration, "seconds to run, instead of a count");
  parameters.Size("key-size", &settings_.key_size, "bytes of a key");
  parameters.Size("value-size", &value_size_,
                  "bytes of a value, half compressible; 100 if not given");
  parameters.Option("value-size-distribution", &value_sizes_,
                    "fixed: all of --value-size; else between --value-size-min and -max",
                    {kValueSizesNames.begin(), kValueSizesNames.end()});
  parameters.Size("value-size-min", &value_size_min_,
                  "bytes of the shortest value; 100 if not given");
  parameters.Size("value-size-max", &value_size_max_,
                  "bytes of the longest value; 100K if not given");
  parameters.Option("threads", &settings_.threads, "threads that do the operations");
  parameters.Option("seed", &settings_.seed, "the same seed gives the same operations");
  parameters.Option("distribution", &distribution_, "which records are chosen",
                    {kDistributionNames.begin(), kDistributionNames.end()});
  parameters.Option("batch-size", &settings_.batch_size, "keys of one MultiGet or write batch");
  parameters.Option("stride", &settings_.stride,
                    "distance of the keys of one MultiGet; 0: chosen one by one");
  parameters.Option("nexts", &settings_.nexts, "steps after each seek of seekrandom");
  parameters.Size("write-rate", &settings_.write_rate,
                  "bytes/s of the writer of *whilewriting; 0: unlimited");
  parameters.Option("durability", &durability_, "of writes",
                    {kDurabilityNames.begin(), kDurabilityNames.end()});
  parameters.Size("cache-size", &cache_size_, "bytes of the block cache");
  parameters.Option("direct-reads", &direct_reads_, "read with O_DIRECT");
  parameters.Option("compression", &compression_, "codec of the tables; none if not given");
  parameters.Option(
      "option", &options_,
      "NAME=VALUE of an engine option, RocksDB's names (varve options lists them), or "
      "of how the engine searches: " +
          GradeNames());
  parameters.Option("db", &settings_.directory, "database directory; a temporary one if not given");
  parameters.Option("use-existing", &settings_.use_existing,
                    "run on the existing database in --db; fills add to it");
  parameters.Option("read-only", &settings_.read_only, "open without a lock; only reads then");
  parameters.Option("serve", &settings_.serve,
                    "show the engine at work in a web browser, and /metrics for Prometheus");
  parameters.Option("port", &port_, "port for --serve (default: any that is free)");
  parameters.Option("sample", &settings_.sample,
                    "time one operation of N for the histogram; 0: none");
  parameters.Option("checksum", &settings_.checksum,
                    "compute a checksum of all answers, to compare stores");
  parameters.Option("report-interval", &settings_.report_interval,
                    "seconds between points of the time series");
}

Status SettingsFlags::CheckCombinations() const {
  if (port_ && !settings_.serve) return Status::InvalidArgument("--port needs --serve");
  const std::tuple<bool, std::string_view, std::string_view> twice[] = {
      {compression_.has_value(), "--compression", "compression"},
      {cache_size_.has_value(), "--cache-size", "block_cache_bytes"},
      {direct_reads_, "--direct-reads", "use_direct_reads"},
  };
  for (const auto& [given, flag, option] : twice) {
    const std::string prefix = std::string(option) + "=";
    const bool also = std::any_of(options_.begin(), options_.end(), [&](const std::string& word) {
      return word.starts_with(prefix);
    });
    if (given && also) {
      return Status::InvalidArgument(std::string(flag) + " and --option " + prefix +
                                     " set the same: give one of them");
    }
  }
  return Status::Ok();
}

Status SettingsFlags::TakeValueSizes(ValueSizes* sizes) const {
  sizes->kind = *ParseValueSizes(value_sizes_);
  const bool fixed = sizes->kind == ValueSizes::Kind::kFixed;
  if (fixed && (value_size_min_ || value_size_max_)) {
    return Status::InvalidArgument(
        std::string(value_size_min_ ? "--value-size-min" : "--value-size-max") +
        " needs --value-size-distribution uniform or normal");
  }
  if (!fixed && value_size_) {
    return Status::InvalidArgument(
        "--value-size is for values of one size: with "
        "--value-size-distribution " +
        value_sizes_ + ", give --value-size-min and --value-size-max");
  }
  sizes->size = value_size_.value_or(sizes->size);
  sizes->min = value_size_min_.value_or(sizes->min);
  sizes->max = value_size_max_.value_or(sizes->max);
  return Status::Ok();
}

Result<Settings> SettingsFlags::Make(const std::vector<std::string>& extra) const {
  Settings settings = settings_;
  settings.options.env = NativeEnvironment();
  // Unless --compression says so: what is compared are engines, not codecs, and published figures
  // are without.
  settings.options.family.table.compression = CompressionType::kNone;
  if (distribution_) settings.distribution = ParseDistribution(*distribution_);
  RETURN_IF_ERROR(CheckCombinations());
  RETURN_IF_ERROR(TakeValueSizes(&settings.value_sizes));
  settings.port = port_.value_or(0);
  settings.durability = durability_ == "sync"   ? Durability::kSync
                        : durability_ == "none" ? Durability::kNone
                                                : Durability::kBuffered;
  settings.options.use_direct_reads = direct_reads_;
  if (cache_size_) settings.options.block_cache_bytes = *cache_size_;
  std::vector<std::string> words = options_;
  if (compression_) words.insert(words.begin(), "compression=" + *compression_);
  words.insert(words.end(), extra.begin(), extra.end());
  for (const std::string& word : words) settings.named.push_back(word.substr(0, word.find('=')));
  if (!HasOwnOptions()) {
    ASSIGN_OR_RETURN(settings.grades, TakeGrades(&words));
  } else {
    std::erase_if(words, [&](const std::string& word) {
      const bool ours = FindOption(word.substr(0, word.find('='))) != nullptr;
      if (!ours) settings.peer_options.push_back(word);
      return !ours;
    });
  }
  RETURN_IF_ERROR(ApplyOptions(words, &settings.options));
  RETURN_IF_ERROR(CheckRanges(settings));
  if (settings.directory.empty() && (settings.use_existing || settings.read_only)) {
    return Status::InvalidArgument("--use-existing and --read-only need --db DIR");
  }
  if (settings.read_only) settings.use_existing = true;
  return settings;
}

std::vector<NamedValue> ChangedOptions(const Settings& settings) {
  return OptionsWhere(settings, [](std::string_view, bool changed) { return changed; });
}

std::vector<NamedValue> ToldOptions(const Settings& settings) {
  constexpr std::array<std::string_view, 6> kAlways = {"block_cache_bytes",   "use_direct_reads",
                                                       "write_buffer_size",   "compression",
                                                       "filter_bits_per_key", "block_size"};
  const auto has = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return OptionsWhere(settings, [&](std::string_view name, bool changed) {
    return changed || has(kAlways, name) || has(settings.named, name);
  });
}

Result<Grades> TakeGrades(std::vector<std::string>* words) {
  Grades grades;
  std::vector<std::string> others;
  for (std::string& word : *words) {
    const size_t equals = word.find('=');
    const GradeRow* const row = FindGrade(word.substr(0, equals));
    if (row == nullptr || equals == std::string::npos) {
      others.push_back(std::move(word));
      continue;
    }
    RETURN_IF_ERROR(
        row->set(&grades, word.substr(equals + 1)).At("--option " + std::string(row->name)));
  }
  *words = std::move(others);
  return grades;
}

}  // namespace varve::cli::bench
