// SPDX-License-Identifier: Apache-2.0
// What JavaScript calls of the module for browsers (wasm/module.cc), in any order, with any words:
// files are dropped, opened and asked about, playgrounds are opened, written to, and closed. All of
// wasm/ is compiled natively; this source is its JavaScript.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/targets.h"

// Of wasm/module.cc, which has no header. A response is opaque to its caller.
extern "C" {
void* varve_request(const char* method, const char* target, const char* headers, const char* body,
                    uint32_t body_size);
int varve_response_status(void* of);
const char* varve_response_headers(void* of);
int varve_response_next(void* of);
const char* varve_piece_data(void* of);
uint32_t varve_piece_size(void* of);
void varve_response_free(void* of);
bool varve_step(uint32_t budget_micros);
void varve_drop(const char* path, uint32_t id, double size);
void varve_forget(const char* path);
const char* varve_open(const char* path);
bool varve_close(const char* target);
uint32_t varve_free_slots();
const char* varve_stored();
const char* varve_playground_new(const char* name);
const char* varve_playground_file(uint32_t id, const char* name, double offset, const char* bytes,
                                  uint32_t size);
const char* varve_playground_repair(uint32_t id);
const char* varve_playground_start(uint32_t id, const char* options);
const char* varve_playground_close(uint32_t id);
bool varve_playground_step();
const char* varve_playground_write(uint32_t id, const char* kind, const char* family,
                                   const char* key, uint32_t key_size, const char* value,
                                   uint32_t value_size);
const char* varve_playground_ingest(uint32_t id, const char* family, const char* records,
                                    uint32_t size);
const char* varve_playground_create_family(uint32_t id, const char* name);
const char* varve_playground_snapshot(uint32_t id);
const char* varve_playground_release(uint32_t id, double sequence);
const char* varve_playground_flush(uint32_t id);
const char* varve_playground_compact(uint32_t id);
const char* varve_playground_files(uint32_t id);
void* varve_playground_read(uint32_t id, const char* name, double offset, uint32_t size);

// What the page hands the module; nothing is stored.
int32_t varve_read_dropped(uint32_t id, double offset, uint32_t size, char* to);
int32_t varve_slot_count() { return 0; }
double varve_slot_read(uint32_t, double, uint32_t, char*) { return -1; }
double varve_slot_write(uint32_t, double, uint32_t, const char*) { return -1; }
double varve_slot_size(uint32_t) { return -1; }
double varve_slot_resize(uint32_t, double) { return -1; }
double varve_slot_flush(uint32_t) { return -1; }
bool varve_slot_trouble(char* to, int32_t) {
  *to = '\0';
  return false;
}
}

namespace varve::fuzz {
namespace {

constexpr int kCallsMax = 60, kPiecesMax = 50;

std::vector<std::string>& TheDropped() {
  static std::vector<std::string>& dropped =
      *std::make_unique<std::vector<std::string>>().release();
  return dropped;
}

void MustBeSaid(std::string_view said) {
  Must(said.starts_with("ok ") || said.starts_with("error "), "a call says ok or error");
}

class Calls {
 public:
  explicit Calls(std::string_view bytes) : in_(bytes) {}
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  // Nothing is left to the next input.
  ~Calls() {
    for (const uint32_t id : playgrounds_) MustBeSaid(varve_playground_close(id));
    for (const std::string& target : targets_) varve_close(target.c_str());
    varve_forget("/dropped");
    TheDropped().clear();
  }

  void Make() {
    for (int i = 0; i < kCallsMax && !in_.empty(); ++i) Call();
  }

 private:
  void Call() {
    switch (in_.Number(12)) {
      case 0:
        return Drop();
      case 1:
      case 2:
        return Request();
      case 3:
        return OpenPlayground();
      case 4:
        varve_step(1000);
        return;
      case 5:
        varve_playground_step();
        return;
      case 6:
        if (!targets_.empty()) varve_close(targets_[in_.Number(targets_.size())].c_str());
        return;
      case 7:
        varve_forget(Word().c_str());
        return;
      default:
        return Play();
    }
  }

  std::string Word() {  // C strings end at the first NUL.
    const std::string_view word = in_.Bytes(100);
    return std::string(word.substr(0, word.find('\0')));
  }

  void Drop() {
    const std::string path = "/dropped/" + Word();
    TheDropped().emplace_back(in_.Bytes(4000));
    const uint32_t id = static_cast<uint32_t>(TheDropped().size() - 1);
    // The file may have changed since.
    const uint64_t size = in_.Number(8) == 0 ? in_.Number(5000) : TheDropped().back().size();
    varve_drop(path.c_str(), id, static_cast<double>(size));
    const std::string said = varve_open(path.c_str());
    MustBeSaid(said);
    if (said.starts_with("ok ")) targets_.push_back(said.substr(3));
  }

  void Request() {
    const std::string method = in_.Number(4) == 0 ? Word() : "GET";
    const std::string target = "/api/v1/targets/t" + Word();
    const std::string headers = Word();
    const std::string_view body = in_.Bytes(200);
    void* const response = varve_request(method.c_str(), target.c_str(), headers.c_str(),
                                         body.data(), static_cast<uint32_t>(body.size()));
    const int status = varve_response_status(response);
    Must(status >= 200 && status < 600 && status != 500, "an answer has a status, and is no bug");
    static_cast<void>(varve_response_headers(response));
    for (int pieces = 0; pieces < kPiecesMax && varve_response_next(response) == 0; ++pieces) {
      const std::string piece(varve_piece_data(response), varve_piece_size(response));
    }
    varve_response_free(response);
  }

  void OpenPlayground() {
    const std::string made = varve_playground_new("");
    MustBeSaid(made);
    if (!made.starts_with("ok ")) return;
    const auto id = static_cast<uint32_t>(std::stoul(made.substr(3)));
    playgrounds_.push_back(id);
    // Most begin empty, others with files, and are repaired before they start.
    for (uint64_t files = in_.Number(4) == 0 ? in_.Number(4) : 0; files > 0; --files) {
      const std::string name = Word();
      const std::string_view bytes = in_.Bytes(2000);
      const std::string_view more = in_.Bytes(100);
      MustBeSaid(varve_playground_file(id, name.c_str(), 0, bytes.data(),
                                       static_cast<uint32_t>(bytes.size())));
      // Behind the first piece, or where it does not belong.
      const uint64_t offset = in_.Number(8) == 0 ? in_.Number(3000) : bytes.size();
      MustBeSaid(varve_playground_file(id, name.c_str(), static_cast<double>(offset), more.data(),
                                       static_cast<uint32_t>(more.size())));
      if (in_.Number(4) == 0) MustBeSaid(varve_playground_repair(id));
    }
    const std::string started = varve_playground_start(id, Word().c_str());
    MustBeSaid(started);
    if (started.starts_with("ok ")) targets_.push_back(started.substr(3));
  }

  void Play() {
    // One that is closed, or was never there, may be named.
    const uint32_t id = playgrounds_.empty() || in_.Number(16) == 0
                            ? static_cast<uint32_t>(in_.Byte())
                            : playgrounds_[in_.Number(playgrounds_.size())];
    const std::string_view key = in_.Bytes(20), value = in_.Bytes(50);
    const auto size = [](std::string_view bytes) { return static_cast<uint32_t>(bytes.size()); };
    const auto write = [&](const char* kind, const char* family) {
      MustBeSaid(varve_playground_write(id, kind, family, key.data(), size(key), value.data(),
                                        size(value)));
    };
    switch (in_.Number(12)) {
      case 0:
        return write("delete", "default");
      case 1:
        return write("range_delete", "default");
      case 5:
        return write("merge", "default");
      case 6:
        MustBeSaid(varve_playground_create_family(id, Word().c_str()));
        return write("single_delete", Word().c_str());
      case 7:
        return MustBeSaid(varve_playground_ingest(id, "default", value.data(), size(value)));
      case 8:
        MustBeSaid(varve_playground_release(id, in_.Byte()));
        return MustBeSaid(varve_playground_snapshot(id));
      case 2:
        return MustBeSaid(varve_playground_flush(id));
      case 3:
        return MustBeSaid(varve_playground_compact(id));
      case 4:
        return ReadFiles(id);
      default:
        return write("put", "default");
    }
  }

  void ReadFiles(uint32_t id) {
    const std::string said = varve_playground_files(id);
    MustBeSaid(said);
    if (!said.starts_with("ok ")) return;
    const std::string first = said.substr(3, said.find('\n') - 3);
    const std::string name = first.substr(first.find(' ') + 1);
    const auto offset = static_cast<double>(in_.Number(5000));
    const auto size = static_cast<uint32_t>(in_.Number(5000));
    void* const response = varve_playground_read(id, name.c_str(), offset, size);
    if (response != nullptr) varve_response_free(response);
  }

  Input in_;
  std::vector<uint32_t> playgrounds_;
  std::vector<std::string> targets_;
};

void Run(std::string_view bytes) { Calls(bytes).Make(); }

}  // namespace

const Target wasm_calls = {"wasm_calls", Run};

}  // namespace varve::fuzz

int32_t varve_read_dropped(uint32_t id, double offset, uint32_t size, char* to) {
  const auto& dropped = varve::fuzz::TheDropped();
  if (id >= dropped.size()) return -1;
  const auto from = static_cast<uint64_t>(offset);
  if (from >= dropped[id].size()) return 0;
  return static_cast<int32_t>(dropped[id].copy(to, size, from));
}
