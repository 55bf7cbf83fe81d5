// SPDX-License-Identifier: Apache-2.0
// Histories of concurrent calls on a real database, for the checker beside this:
//   record_histories DIRECTORY [--seed=N] [--first=N] [--seeds=N] [--lives=N] [--calls=N]
// Writes DIRECTORY/SEED.jsonl each. With more than one life the process that calls is killed (kill
// -9) at a random moment of each but the last, and the next goes on with what it left.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/base/check.h"
#include "tests/linearizability/history.h"
#include "tests/replay/replay.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"

namespace varve::linearizability {
namespace {

struct Settings {
  std::string directory;
  uint64_t first = 1, seeds = 20;
  uint32_t lives = 1, calls = 600;
};

// Flushes, compactions and new logs all the time.
Options BusyOptions(std::mt19937_64& dice) {
  Options options;
  options.create_if_missing = true;
  options.max_subcompactions = 1 + dice() % 2;
  options.allow_concurrent_memtable_write = dice() % 4 != 0;
  options.family.write_buffer_size = size_t{4096} << (dice() % 4);
  options.family.level0_file_num_compaction_trigger = 2;
  options.family.max_bytes_for_level_base = 32 << 10;
  options.family.target_file_size_base = 8 << 10;
  return options;
}

std::string NameOf(uint32_t key) { return "key" + std::to_string(key); }

// The number in front says which write it was; the rest fills memtables.
std::string TextOf(uint32_t value, std::mt19937_64& dice) {
  return std::to_string(value) + ":" + std::string(dice() % 400, 'v');
}
uint32_t ValueOf(std::string_view text) {
  return static_cast<uint32_t>(std::strtoul(std::string(text).c_str(), nullptr, 10));
}
uint32_t ValueOf(const std::optional<Value>& found) { return found ? ValueOf(found->view()) : 0; }

class Client {
 public:
  Client(DB* db, History* history, uint32_t number, uint64_t seed, uint32_t written)
      : db_(*db), history_(*history), number_(number), dice_(seed), written_(written) {}

  void Run(uint32_t calls) {
    for (uint32_t i = 0; i < calls; ++i) {
      Call* const call = history_.Next(number_);
      if (call == nullptr || history_.failed) return;
      const Status made = dice_() % 2 == 0 ? Write(call) : Read(call);
      if (!made.ok()) {
        fprintf(stderr, "client %u: %s\n", number_, made.ToString().c_str());
        history_.failed = true;
      }
      if (dice_() % 8 == 0) std::this_thread::yield();
    }
  }

 private:
  Status Write(Call* call) {
    call->is_write = true;
    WriteOptions options;
    options.durability = dice_() % 8 == 0 ? Durability::kSync : Durability::kBuffered;
    WriteBatch batch;
    if (dice_() % 10 == 0) {
      const uint32_t begin = dice_() % kKeys, end = begin + 1 + dice_() % (kKeys - begin);
      batch.DeleteRange(NameOf(begin), end < kKeys ? NameOf(end) : "key~");
      for (uint32_t key = begin; key < end; ++key) Add(call, key, 0);
    } else {
      const uint32_t count = dice_() % 3 == 0 ? 2 + dice_() % (kKeys - 1) : 1;
      const uint32_t first = dice_() % kKeys;
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t key = (first + i) % kKeys;
        if (dice_() % 6 == 0) {
          batch.Delete(NameOf(key));
          Add(call, key, 0);
        } else {
          const uint32_t value = ++written_ * kClients + number_;
          batch.Put(NameOf(key), TextOf(value, dice_));
          Add(call, key, value);
        }
      }
    }
    history_.Begin(number_, call);
    const Status written = db_.Write(options, batch);
    History::End(call);
    return written;
  }

  Status Read(Call* call) {
    switch (dice_() % 4) {
      case 0:
        return Get(call);
      case 1:
        return MultiGet(call);
      case 2:
        return Iterate(call);
      default:
        return AtSnapshot(call);
    }
  }

  Status Get(Call* call) {
    const uint32_t key = dice_() % kKeys;
    history_.Begin(number_, call);
    const auto value = db_.Get({}, NameOf(key));
    if (!value.ok()) return value.status();
    Add(call, key, ValueOf(*value));
    History::End(call);
    return Status::Ok();
  }

  Status MultiGet(Call* call) {
    std::vector<std::string> names;
    for (uint32_t key = 0; key < kKeys; ++key) names.push_back(NameOf(key));
    const std::vector<std::string_view> keys(names.begin(), names.end());
    history_.Begin(number_, call);
    const auto values = db_.MultiGet({}, keys);
    for (uint32_t key = 0; key < kKeys; ++key) {
      if (!values[key].ok()) return values[key].status();
      Add(call, key, ValueOf(*values[key]));
    }
    History::End(call);
    return Status::Ok();
  }

  Status Iterate(Call* call) {
    history_.Begin(number_, call);
    auto opened = db_.NewIterator({});
    const uint64_t made = NowOfEnd();
    if (!opened.ok()) return opened.status();
    Iterator& it = *opened;
    Pause();
    uint32_t found[kKeys] = {};
    const bool forward = dice_() % 2 == 0;
    for (forward ? it.SeekToFirst() : it.SeekToLast(); it.Valid();
         forward ? it.Next() : it.Prev()) {
      const uint32_t key = static_cast<uint32_t>(it.key()[3] - '0');
      found[key] = ValueOf(it.value());
    }
    if (!it.status().ok()) return it.status();
    for (uint32_t key = 0; key < kKeys; ++key) Add(call, key, found[key]);
    call->returned = made;
    return Status::Ok();
  }

  Status AtSnapshot(Call* call) {
    history_.Begin(number_, call);
    const Snapshot snapshot = db_.GetSnapshot();
    const uint64_t made = NowOfEnd();
    Pause();
    ReadOptions options;
    options.snapshot = &snapshot;
    for (uint32_t key = 0; key < kKeys; ++key) {
      const auto value = db_.Get(options, NameOf(key));
      if (!value.ok()) return value.status();
      Add(call, key, ValueOf(*value));
    }
    call->returned = made;
    return Status::Ok();
  }

  static void Add(Call* call, uint32_t key, uint32_t value) {
    call->values[call->count++] = {key, value};
  }
  static uint64_t NowOfEnd() {
    Call end;
    History::End(&end);
    return end.returned;
  }
  // Lets others write, flush and compact.
  void Pause() {
    const uint64_t most = dice_() % 8 == 0 ? 5000 : 200;
    if (dice_() % 4 >= 2) return;
    std::this_thread::sleep_for(std::chrono::microseconds(dice_() % most));  // pause: random
  }

  DB& db_;
  History& history_;
  const uint32_t number_;
  std::mt19937_64 dice_;
  uint32_t written_;
};

// One life of the database's process: all clients until they are done.
int Live(const std::string& path, History* history, uint64_t seed, uint32_t life, uint32_t calls) {
  std::mt19937_64 dice(seed * 1000 + life);
  auto db = DB::Open(BusyOptions(dice), path);
  if (!db.ok()) {
    fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed),
            db.status().ToString().c_str());
    return 1;
  }
  std::vector<std::thread> threads;
  for (uint32_t number = 0; number < kClients; ++number) {
    threads.emplace_back([&, number, client_seed = dice()] {
      Client(db->get(), history, number, client_seed, life * 1'000'000).Run(calls);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return history->failed || !(*db)->Close().ok() ? 1 : 0;
}

bool Record(const Settings& settings, uint64_t seed) {
  const ScratchDirectory scratch;
  History* const history = History::Make();
  std::mt19937_64 dice(seed);
  for (uint32_t life = 0; life < settings.lives; ++life) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      _exit(Live(scratch / "db", history, seed, life, settings.calls / settings.lives));
    }
    if (life + 1 < settings.lives) {
      // Not before it writes, which takes as long as the machine is busy.
      const uint32_t until =
          history->Count() + 1 + dice() % (kClients * settings.calls / settings.lives);
      while (history->Count() < until && waitpid(child, nullptr, WNOHANG) == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));  // pause: between two looks
      }
      kill(child, SIGKILL);
    }
    int status = 0;
    const bool ended = waitpid(child, &status, 0) == child;
    history->NoteDeath();
    if (history->failed || (ended && WIFEXITED(status) && WEXITSTATUS(status) != 0)) return false;
  }
  const std::string path = settings.directory + "/" + std::to_string(seed) + ".jsonl";
  FILE* const out = fopen(path.c_str(), "w");
  CHECK(out != nullptr);
  history->Print(out);
  fclose(out);
  return true;
}

uint64_t Number(const char* text) { return std::strtoull(text, nullptr, 10); }

int Main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const char* const value = std::strchr(argv[i], '=') + 1;
    if (word.starts_with("--seed=")) {
      settings.first = Number(value);
      settings.seeds = 1;
    } else if (word.starts_with("--first=")) {
      settings.first = Number(value);
    } else if (word.starts_with("--seeds=")) {
      settings.seeds = Number(value);
    } else if (word.starts_with("--lives=")) {
      settings.lives = static_cast<uint32_t>(Number(value));
    } else if (word.starts_with("--calls=")) {
      settings.calls = static_cast<uint32_t>(Number(value));
    } else {
      settings.directory = word;
    }
  }
  if (settings.directory.empty() || settings.lives == 0) return 2;
  for (uint64_t seed = settings.first; seed < settings.first + settings.seeds; ++seed) {
    if (Record(settings, seed)) continue;
    fprintf(stderr, "the database failed\n");
    replay::Print("linearizability --seed=" + std::to_string(seed));
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace varve::linearizability

int main(int argc, char** argv) { return varve::linearizability::Main(argc, argv); }
