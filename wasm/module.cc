// SPDX-License-Identifier: Apache-2.0
// What JavaScript calls: a flat C interface over the API's router, the dropped files and the
// playground. One thread; long work advances in varve_step(). package/index.mjs is its only caller.
//
//   handle = varve_request(…)       then varve_response_*(handle), then varve_response_free(handle)
//   text   = varve_open(path) etc.  "ok …" or "error …", valid until the next call
#include <emscripten.h>

#include <map>
#include <memory>
#include <string>

#include "core/fs/read_only_fs.h"
#include "varve/write_batch.h"
#include "wasm/environment.h"
#include "wasm/playground.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/routing/router.h"

namespace varve::wasm {
namespace {

struct OpenPlayground {
  std::unique_ptr<Playground> playground;
  std::string target;
  bool stored = false;
};

// All global state except the environment (environment.h).
struct World {
  std::unique_ptr<FileSystem> read_only = NewReadOnlyFileSystem(*NativeEnvironment().file_system);
  std::map<uint32_t, OpenPlayground> playgrounds;
  uint32_t playgrounds_made = 0;
  // Destroyed before the members above, which its targets use.
  api::Service service{{.file_system = read_only.get(),
                        .clock = NativeEnvironment().clock,
                        .records = api::EngineRecords(NativeEnvironment()),
                        .write = true}};
  std::string said;  // What the last call returned.
};

World& TheWorld() {
  static World world;
  return world;
}

const char* Say(std::string text) {
  TheWorld().said = std::move(text);
  return TheWorld().said.c_str();
}
const char* Say(const Status& status) {
  return Say(status.ok() ? "ok " : "error " + std::string(status.message()));
}

struct PendingResponse {
  api::Response response;
  std::string headers;
  std::string piece;
};

OpenPlayground* Find(uint32_t id) {
  const auto it = TheWorld().playgrounds.find(id);
  return it == TheWorld().playgrounds.end() ? nullptr : &it->second;
}

Status Gone() { return Status::NotFound("that playground has been closed"); }

}  // namespace
}  // namespace varve::wasm

using namespace varve;
using namespace varve::wasm;

extern "C" {

// `headers`: one "Name: value" per line.
EMSCRIPTEN_KEEPALIVE PendingResponse* varve_request(const char* method, const char* target,
                                                    const char* headers, const char* body,
                                                    uint32_t body_size) {
  api::Request request{.method = method, .target = target, .body = std::string(body, body_size)};
  for (std::string_view rest = headers; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  auto pending = std::make_unique<PendingResponse>();
  pending->response = api::Handle(TheWorld().service, request);
  for (const auto& [name, value] : pending->response.headers) {
    pending->headers += name + ": " + value + "\n";
  }
  return pending.release();
}
EMSCRIPTEN_KEEPALIVE int varve_response_status(PendingResponse* of) { return of->response.status; }
EMSCRIPTEN_KEEPALIVE const char* varve_response_headers(PendingResponse* of) {
  return of->headers.c_str();
}
// 0: a piece is available, 1: call again later, 2: end. The body of a reply that is not a stream is
// one piece.
EMSCRIPTEN_KEEPALIVE int varve_response_next(PendingResponse* of) {
  if (of->response.stream == nullptr) {
    of->piece = std::move(of->response.body);
    of->response.body.clear();
    return of->piece.empty() ? 2 : 0;
  }
  switch (of->response.stream->Next(&of->piece)) {
    case api::BodyStream::Event::kPiece:
      return 0;
    case api::BodyStream::Event::kWait:
      return 1;
    case api::BodyStream::Event::kEnd:
      return 2;
  }
  return 2;
}
EMSCRIPTEN_KEEPALIVE const char* varve_piece_data(PendingResponse* of) { return of->piece.data(); }
EMSCRIPTEN_KEEPALIVE uint32_t varve_piece_size(PendingResponse* of) {
  return static_cast<uint32_t>(of->piece.size());
}
EMSCRIPTEN_KEEPALIVE void varve_response_free(PendingResponse* of) { delete of; }

// Runs a job for about this long. False: there is none.
EMSCRIPTEN_KEEPALIVE bool varve_step(uint32_t budget_micros) {
  return TheWorld().service.jobs().Step(budget_micros);
}

EMSCRIPTEN_KEEPALIVE void varve_drop(const char* path, uint32_t id, double size) {
  TheDroppedFiles().Add(path, id, static_cast<uint64_t>(size));
}
EMSCRIPTEN_KEEPALIVE void varve_forget(const char* path) { TheDroppedFiles().Forget(path); }
// "ok t1".
EMSCRIPTEN_KEEPALIVE const char* varve_open(const char* path) {
  const Result<std::shared_ptr<api::Target>> target = TheWorld().service.Open(path);
  return target.ok() ? Say("ok " + (*target)->id()) : Say(target.status());
}
EMSCRIPTEN_KEEPALIVE bool varve_close(const char* target) {
  return TheWorld().service.Close(target);
}

// Mounts the slots that JavaScript has opened, with their files, as /stored.
EMSCRIPTEN_KEEPALIVE const char* varve_mount_stored() { return Say(MountStored()); }
EMSCRIPTEN_KEEPALIVE uint32_t varve_free_slots() { return FreeSlots(); }
// "ok " and the names of stored playgrounds, one per line.
EMSCRIPTEN_KEEPALIVE const char* varve_stored() {
  const auto entries = NativeEnvironment().file_system->List(kStoredRoot);
  if (!entries.ok()) return Say(entries.status());
  std::string names = "ok ";
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory) names += entry.name + "\n";
  }
  return Say(std::move(names));
}
EMSCRIPTEN_KEEPALIVE const char* varve_remove_stored(const char* name) {
  return Say(RemovePlayground(NativeEnvironment(), std::string(kStoredRoot) + "/" + name));
}

// "ok 1 t2": its number and its target. Stored under the name; in memory if that is empty.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_open(const char* name, const char* options) {
  World& world = TheWorld();
  const uint32_t id = ++world.playgrounds_made;
  const std::string path =
      *name == '\0' ? "/playground" + std::to_string(id) : std::string(kStoredRoot) + "/" + name;
  Result<std::unique_ptr<Playground>> made = Playground::Open(NativeEnvironment(), path, options);
  if (!made.ok()) return Say(made.status());
  const Result<std::shared_ptr<api::Target>> target = world.service.OpenLive(path, (*made)->live());
  if (!target.ok()) return Say(target.status());
  world.playgrounds[id] = {std::move(*made), (*target)->id(), *name != '\0'};
  return Say("ok " + std::to_string(id) + " " + (*target)->id());
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_close(uint32_t id) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  TheWorld().service.Close(open->target);
  Status closed = open->playground->db().Close();
  const std::string path = open->playground->path();
  const bool stored = open->stored;
  TheWorld().playgrounds.erase(id);
  if (closed.ok() && !stored) closed = RemovePlayground(NativeEnvironment(), path);
  return Say(closed);
}
EMSCRIPTEN_KEEPALIVE bool varve_playground_step() { return Playground::Step(); }
EMSCRIPTEN_KEEPALIVE const char* varve_playground_put(uint32_t id, const char* key,
                                                      uint32_t key_size, const char* value,
                                                      uint32_t value_size) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  WriteBatch batch;
  batch.Put({key, key_size}, {value, value_size});
  return Say(open->playground->Apply(std::move(batch)));
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_delete(uint32_t id, const char* key,
                                                         uint32_t key_size) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  WriteBatch batch;
  batch.Delete({key, key_size});
  return Say(open->playground->Apply(std::move(batch)));
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_delete_range(uint32_t id, const char* from,
                                                               uint32_t from_size, const char* to,
                                                               uint32_t to_size) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  WriteBatch batch;
  batch.DeleteRange({from, from_size}, {to, to_size});
  return Say(open->playground->Apply(std::move(batch)));
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_flush(uint32_t id) {
  OpenPlayground* const open = Find(id);
  return Say(open == nullptr ? Gone() : open->playground->db().Flush());
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_compact(uint32_t id) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  return Say(open->playground->db().CompactRange({}, std::nullopt, std::nullopt));
}
// "ok " and the file names, one per line.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_files(uint32_t id) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  const auto entries = NativeEnvironment().file_system->List(open->playground->path());
  if (!entries.ok()) return Say(entries.status());
  std::string names = "ok ";
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.is_directory) names += entry.name + "\n";
  }
  return Say(std::move(names));
}
// A response whose only piece is the file; null if there is none.
EMSCRIPTEN_KEEPALIVE PendingResponse* varve_playground_read(uint32_t id, const char* name) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return nullptr;
  Result<std::string> bytes = ReadFileToString(
      *NativeEnvironment().file_system, open->playground->path() + "/" + name, uint64_t{1} << 31);
  if (!bytes.ok()) return nullptr;
  auto pending = std::make_unique<PendingResponse>();
  pending->response.body = std::move(*bytes);
  return pending.release();
}

}  // extern "C"
