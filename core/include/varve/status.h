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

// What kind of failure it is, by what a caller may do about it.
enum class Code : uint8_t {
  kOk = 0,           // No failure.
  kCorruption,       // Stored bytes are wrong. Retrying cannot help; restore or repair.
  kIoError,          // The OS refused. After a failed write the DB takes none until reopened.
  kNoSpace,          // As kIoError, but freeing space helps.
  kNotFound,         // A file or directory that must be there is not.
  kInvalidArgument,  // The caller's mistake.
  kNotSupported,     // A valid file or option that this engine does not implement; says which.
  kBusy,             // Locked by another process, a conflicting operation is running, or the caller
                     // would have to wait and has asked not to.
  kShutdown,         // The DB is closing, or closed.
};

// "corruption", "io_error", ...: the name programs see. Valid for good.
VARVE_EXPORT std::string_view CodeName(Code code);

// Ok, or a Code and a message. Copies share the message and are cheap; one that was moved from is
// Ok. Any number of threads may read one at once.
class [[nodiscard]] VARVE_EXPORT Status {
 public:
  Status() = default;  // kOk.
  // A failure. With Code::kOk it is Ok, which has no message.
  Status(Code code, std::string message) {
    if (code != Code::kOk) rep_ = std::make_shared<const Rep>(Rep{code, std::move(message)});
  }

  // Success.
  static Status Ok() { return {}; }
  // Code::kCorruption.
  static Status Corruption(std::string why) { return {Code::kCorruption, std::move(why)}; }
  // Code::kIoError.
  static Status IoError(std::string why) { return {Code::kIoError, std::move(why)}; }
  // Code::kNoSpace.
  static Status NoSpace(std::string why) { return {Code::kNoSpace, std::move(why)}; }
  // Code::kNotFound.
  static Status NotFound(std::string why) { return {Code::kNotFound, std::move(why)}; }
  // Code::kInvalidArgument.
  static Status InvalidArgument(std::string why) {
    return {Code::kInvalidArgument, std::move(why)};
  }
  // Code::kNotSupported.
  static Status NotSupported(std::string why) { return {Code::kNotSupported, std::move(why)}; }
  // Code::kBusy.
  static Status Busy(std::string why) { return {Code::kBusy, std::move(why)}; }
  // Code::kShutdown.
  static Status Shutdown(std::string why) { return {Code::kShutdown, std::move(why)}; }

  // It is a success.
  bool ok() const { return rep_ == nullptr; }
  // kOk, or the kind of failure.
  Code code() const { return rep_ ? rep_->code : Code::kOk; }
  // For people; empty if ok. Valid while this Status, or a copy of it, lives unchanged.
  std::string_view message() const { return rep_ ? std::string_view(rep_->message) : ""; }

  // "corruption: 000012.sst@4096: ..." or "ok".
  std::string ToString() const;

  // A copy whose message begins with where the failure was noticed: "000012.sst@4096: ...". Ok
  // stays Ok.
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
