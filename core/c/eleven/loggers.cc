// SPDX-License-Identifier: Apache-2.0
// Loggers: to the standard error, and to a function of the program.
#include <cstdio>
#include <string>

#include "core/c/logger.h"
#include "core/c/option_handles.h"

using LogFn = void (*)(void* state, unsigned level, char* line, size_t size);

namespace {

constexpr int kHeader = 5, kInfo = 1;  // Lines of kHeader pass with those of kInfo.

class StderrLogger final : public varve::c::Logger {
 public:
  StderrLogger(int level, std::string prefix) : level_(level), prefix_(std::move(prefix)) {}
  void Log(int level, std::string_view line) override {
    if ((level == kHeader ? kInfo : level) < level_) return;
    std::string text = prefix_.empty() ? std::string() : prefix_ + " ";
    text.append(line).append("\n");
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

 private:
  const int level_;
  const std::string prefix_;
};

class CallbackLogger final : public varve::c::Logger {
 public:
  CallbackLogger(int level, LogFn log, void* state) : level_(level), log_(log), state_(state) {}
  void Log(int level, std::string_view line) noexcept override {
    if ((level == kHeader ? kInfo : level) < level_) return;
    std::string text(line);
    log_(state_, static_cast<unsigned>(level), text.data(), text.size());
  }

 private:
  const int level_;
  const LogFn log_;
  void* const state_;
};

}  // namespace

extern "C" {

rocksdb_logger_t* rocksdb_logger_create_stderr_logger(int level, const char* prefix) {
  return new rocksdb_logger_t{
      std::make_shared<StderrLogger>(level, prefix == nullptr ? "" : prefix)};
}
rocksdb_logger_t* rocksdb_logger_create_callback_logger(int level, LogFn log, void* state) {
  return new rocksdb_logger_t{std::make_shared<CallbackLogger>(level, log, state)};
}
void rocksdb_logger_destroy(rocksdb_logger_t* logger) { delete logger; }

// Null behind it: the options have none.
rocksdb_logger_t* rocksdb_options_get_info_log(rocksdb_options_t* options) {
  return new rocksdb_logger_t{options->logger};
}

}  // extern "C"
