// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/http_call.h"

#include "core/base/text/text.h"
#include "core/base/try.h"

#if VARVE_HAVE_CURL

#define CURL_DISABLE_TYPECHECK 1  // Its checks call the functions by name.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/base/check.h"
#include "core/fs/http/curl_library.h"
#include "core/fs/http/http_client.h"
#include "varve/version.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace varve {
namespace {

constexpr long kConnectWaitMillis = 10'000;
constexpr uint64_t kFirstPauseMillis = 100;
constexpr uint64_t kLookMillis = 50;  // Between two looks at whether it was cancelled.

uint64_t MillisNow() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

bool IsCancelled(const HttpCall& call) {
  return call.cancelled != nullptr && call.cancelled->load(std::memory_order_relaxed);
}

// The state of one call, which libcurl's callbacks get.
class CallInProgress {
 public:
  CallInProgress(const CurlLibrary& curl, const HttpCall& call)
      : curl_(curl), call_(call), handle_(curl.easy_init()), heard_millis_(MillisNow()) {
    CHECK(handle_ != nullptr);
  }
  CallInProgress(const CallInProgress&) = delete;
  CallInProgress& operator=(const CallInProgress&) = delete;
  ~CallInProgress() {
    curl_.slist_free_all(lines_);
    curl_.easy_cleanup(handle_);
  }

  Result<HttpCallAnswer> Make() {
    SetRequest();
    SetLimits();
    const CURLcode code = curl_.easy_perform(handle_);
    RETURN_IF_ERROR(failure_);
    if (code != CURLE_OK) {
      return Status::IoError(call_.url + ": " +
                             (why_.empty() ? std::string(curl_.easy_strerror(code)) : why_));
    }
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &answer_.code);
    curl_off_t seconds = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &seconds);
    answer_.retry_after_millis =
        std::min(static_cast<uint64_t>(seconds), HttpClient::kRetryAfterMaxMillis / 1000) * 1000;
    return std::move(answer_);
  }

 private:
  template <typename Value>
  void Set(CURLoption option, Value value) {
    curl_.easy_setopt(handle_, option, value);
  }
  void AddLine(const std::string& line) {
    lines_ = curl_.slist_append(lines_, line.c_str());
    CHECK(lines_ != nullptr);
  }

  void SetRequest() {
    Set(CURLOPT_URL, call_.url.c_str());
    Set(CURLOPT_PATH_AS_IS, 1L);
    Set(CURLOPT_USERAGENT, "varve/" VARVE_VERSION);
    if (!call_.token.empty()) AddLine("Authorization: Bearer " + call_.token);
    if (!call_.type.empty()) AddLine("Content-Type: " + call_.type);
    if (call_.method == "POST") {
      AddLine("Expect:");  // The body is sent at once.
      Set(CURLOPT_POST, 1L);
      if (call_.pieces) {
        Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call_.size));
        Set(CURLOPT_READDATA, this);
        Set(CURLOPT_READFUNCTION, &CallInProgress::GiveBody);
      } else {
        Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call_.body.size()));
        Set(CURLOPT_POSTFIELDS, call_.body.data());
      }
    } else {
      Set(CURLOPT_HTTPGET, 1L);
      Set(CURLOPT_CUSTOMREQUEST, call_.method.c_str());
    }
    Set(CURLOPT_HTTPHEADER, lines_);
    Set(CURLOPT_WRITEDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &CallInProgress::TakeAnswer);
  }

  void SetLimits() {
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_PROTOCOLS_STR, "http,https");
    Set(CURLOPT_FOLLOWLOCATION, 0L);
    Set(CURLOPT_CONNECTTIMEOUT_MS, kConnectWaitMillis);
    // A server that vanishes without a word is noticed after two minutes, however long it may take.
    Set(CURLOPT_TCP_KEEPALIVE, 1L);
    Set(CURLOPT_TCP_KEEPIDLE, 30L);
    Set(CURLOPT_TCP_KEEPINTVL, 10L);
    Set(CURLOPT_TIMEOUT_MS, static_cast<long>(call_.deadline_millis));
    Set(CURLOPT_NOPROGRESS, 0L);
    Set(CURLOPT_XFERINFODATA, this);
    Set(CURLOPT_XFERINFOFUNCTION, &CallInProgress::Look);
  }

  static size_t GiveBody(char* bytes, size_t, size_t size, void* of) {
    auto* const call = static_cast<CallInProgress*>(of);
    const Result<std::string_view> piece = call->call_.pieces(size);
    if (!piece.ok() || piece->size() > size) {
      call->failure_ = piece.ok() ? Status::IoError("a piece that is too long") : piece.status();
      return CURL_READFUNC_ABORT;
    }
    piece->copy(bytes, piece->size());
    return piece->size();
  }

  static size_t TakeAnswer(char* bytes, size_t, size_t size, void* of) {
    auto* const call = static_cast<CallInProgress*>(of);
    const uint64_t max = call->call_.answer_max;
    if (size > max - call->answer_.body.size()) {
      call->why_ = "the answer is longer than " + std::to_string(max) + " bytes";
      return 0;
    }
    call->answer_.body.append(bytes, size);
    return size;
  }

  // Called about once a second, and when something has moved.
  static int Look(void* of, curl_off_t, curl_off_t taken, curl_off_t, curl_off_t given) {
    auto* const call = static_cast<CallInProgress*>(of);
    const HttpCall& made = call->call_;
    if (IsCancelled(made)) {
      call->failure_ = Status::Shutdown("it was cancelled");
      return 1;
    }
    const uint64_t now = MillisNow();
    if (taken + given != call->moved_) {
      call->moved_ = taken + given;
      call->heard_millis_ = now;
    } else if (made.silence_millis > 0 && now - call->heard_millis_ > made.silence_millis) {
      call->why_ = "nothing moved for " + std::to_string(made.silence_millis / 1000) + " s";
      return 1;
    }
    return 0;
  }

  const CurlLibrary& curl_;
  const HttpCall& call_;
  CURL* const handle_;
  curl_slist* lines_ = nullptr;
  curl_off_t moved_ = 0;
  uint64_t heard_millis_;
  HttpCallAnswer answer_;
  Status failure_;   // Not of the transfer.
  std::string why_;  // Of a transfer that was ended here.
};

bool MayPass(const HttpCall& call, const Result<HttpCallAnswer>& answer) {
  if (!answer.ok()) return call.method == "GET" && answer.status().code() == Code::kIoError;
  return answer->code == 429 || answer->code == 503;
}

// False: it was cancelled.
bool Pause(const HttpCall& call, uint64_t millis) {
  const uint64_t end = MillisNow() + millis;
  for (uint64_t now = MillisNow(); now < end; now = MillisNow()) {
    if (IsCancelled(call)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(end - now, kLookMillis)));
  }
  return true;
}

Result<HttpCallAnswer> CallPatiently(const CurlLibrary& curl, const HttpCall& call) {
  const uint64_t end = MillisNow() + call.patience_millis;
  for (uint64_t pause = kFirstPauseMillis;; pause *= 2) {
    Result<HttpCallAnswer> answer = CallInProgress(curl, call).Make();
    if (!MayPass(call, answer)) return answer;
    const uint64_t wait = std::max(pause, answer.ok() ? answer->retry_after_millis : 0);
    if (MillisNow() + wait > end) return answer;
    if (!Pause(call, wait)) return Status::Shutdown("it was cancelled");
    if (call.restart) call.restart();
  }
}

}  // namespace

Result<HttpCallAnswer> CallHttp(const HttpCall& call) {
  if (!call.url.starts_with("http://") && !call.url.starts_with("https://")) {
    return Status::InvalidArgument(EscapeForDisplay(call.url) + ": is no http:// or https:// URL");
  }
  if (call.token.find_first_of("\r\n") != std::string::npos) {
    return Status::InvalidArgument("a token has no line ends");
  }
  ASSIGN_OR_RETURN(const CurlLibrary* const curl, LoadCurl());
  return CallPatiently(*curl, call);
}

}  // namespace varve

#else

namespace varve {

Result<HttpCallAnswer> CallHttp(const HttpCall& /*call*/) {
  return Status::NotSupported("this program was built without libcurl");
}

}  // namespace varve

#endif
