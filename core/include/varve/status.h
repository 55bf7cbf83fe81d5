// SPDX-License-Identifier: Apache-2.0
// Status says whether an operation worked and, if not, what the caller can do about it.
//
// One code per *reaction*, not per cause: a caller that would react the same way to two
// failures gets the same code, and the cause goes in the message. Codes are stable (they cross
// the WASM and HTTP boundaries); messages are for people and always say where.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "varve/export.h"

namespace varve {

enum class Code : uint8_t {
  kOk = 0,
  kCorruption,       // Stored bytes are wrong. Retrying cannot help; restore or repair.
  kIoError,          // The OS refused. After a failed write the DB takes none until reopened.
  kNoSpace,          // As kIoError, but freeing space helps.
  kNotFound,         // A file or directory that must be there is not.
  kInvalidArgument,  // The caller's mistake.
  kNotSupported,     // A valid file or option that this engine does not implement; says which.
  kBusy,             // Locked by another process, or a conflicting operation is running.
  kShutdown,         // The DB is closing.
};

// "corruption", "io_error", ...: the name programs see.
VARVE_EXPORT std::string_view CodeName(Code code);

class [[nodiscard]] VARVE_EXPORT Status {
 public:
  Status() = default;  // kOk.
  Status(Code code, std::string message)
      : rep_(std::make_shared<const Rep>(Rep{code, std::move(message)})) {}

  static Status Ok() { return {}; }
  static Status Corruption(std::string why) { return {Code::kCorruption, std::move(why)}; }
  static Status IoError(std::string why) { return {Code::kIoError, std::move(why)}; }
  static Status NoSpace(std::string why) { return {Code::kNoSpace, std::move(why)}; }
  static Status NotFound(std::string why) { return {Code::kNotFound, std::move(why)}; }
  static Status InvalidArgument(std::string why) {
    return {Code::kInvalidArgument, std::move(why)};
  }
  static Status NotSupported(std::string why) { return {Code::kNotSupported, std::move(why)}; }
  static Status Busy(std::string why) { return {Code::kBusy, std::move(why)}; }
  static Status Shutdown(std::string why) { return {Code::kShutdown, std::move(why)}; }

  bool ok() const { return rep_ == nullptr; }
  Code code() const { return rep_ ? rep_->code : Code::kOk; }
  std::string_view message() const { return rep_ ? std::string_view(rep_->message) : ""; }

  // "corruption: 000012.sst@4096: ..." or "ok".
  std::string ToString() const;

  // Prefixes the message with where the failure was noticed: "000012.sst@4096: ...".
  Status At(std::string_view where) const;

  // The only sanctioned way to drop an error; `why` documents the reason at the call site.
  void Ignore([[maybe_unused]] const char* why) const {}

 private:
  struct Rep {
    Code code;
    std::string message;
  };
  std::shared_ptr<const Rep> rep_;  // Null when ok: success costs one pointer test.
};

}  // namespace varve
