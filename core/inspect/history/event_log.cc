// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/event_log.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text/quantity.h"
#include "core/base/try.h"
#include "core/format/file_name.h"

namespace varve {
namespace {

constexpr std::string_view kMark = "EVENT_LOG_v1 ";
constexpr uint64_t kReadBytes = 256 << 10;
// Longer lines are not events: the longest ones, of tables with many user properties, have some
// KiB.
constexpr uint64_t kLineBytesMax = 1 << 20;
constexpr int kJsonDepthMax = 32;

// Parses JSON text without interpreting values.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : rest_(text) {}

  void SkipSpace() {
    const size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(std::min(at, rest_.size()));
  }
  bool Take(char c) {
    SkipSpace();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool AtEnd() {
    SkipSpace();
    return rest_.empty();
  }
  // The text between the quotes.
  bool String(std::string_view* out) {
    if (!Take('"')) return false;
    for (size_t i = 0; i < rest_.size(); i++) {
      if (rest_[i] == '\\') {
        i++;
      } else if (rest_[i] == '"') {
        *out = rest_.substr(0, i);
        rest_.remove_prefix(i + 1);
        return true;
      }
    }
    return false;
  }
  // Any value; strings without their quotes.
  bool Value(std::string_view* out, int depth = 0) {
    SkipSpace();
    if (rest_.empty() || depth > kJsonDepthMax) return false;
    if (rest_[0] == '"') return String(out);
    const std::string_view start = rest_;
    if (rest_[0] == '{' || rest_[0] == '[') {
      if (!Nested(depth)) return false;
    } else {
      const size_t end = std::min(rest_.find_first_of(",]} \t\r\n"), rest_.size());
      if (end == 0) return false;
      rest_.remove_prefix(end);
    }
    *out = start.substr(0, start.size() - rest_.size());
    return true;
  }

 private:
  bool Nested(int depth) {
    const bool object = rest_[0] == '{';
    const char close = object ? '}' : ']';
    rest_.remove_prefix(1);
    if (Take(close)) return true;
    while (true) {
      std::string_view ignored;
      if (object && (!String(&ignored) || !Take(':'))) return false;
      if (!Value(&ignored, depth + 1)) return false;
      if (Take(close)) return true;
      if (!Take(',')) return false;
    }
  }

  std::string_view rest_;
};

std::optional<uint64_t> Number(const JsonMembers& members, std::string_view name) {
  const std::string_view* text = FindMember(members, name);
  return text == nullptr ? std::nullopt : ParseDecimal(*text);
}

}  // namespace

std::optional<JsonMembers> SplitJsonObject(std::string_view object) {
  JsonScanner in(object);
  JsonMembers members;
  if (!in.Take('{')) return std::nullopt;
  if (in.Take('}')) return in.AtEnd() ? std::optional(members) : std::nullopt;
  while (true) {
    std::string_view name, value;
    if (!in.String(&name) || !in.Take(':') || !in.Value(&value)) return std::nullopt;
    members.emplace_back(name, value);
    if (in.Take('}')) return in.AtEnd() ? std::optional(members) : std::nullopt;
    if (!in.Take(',')) return std::nullopt;
  }
}

std::optional<std::vector<std::string_view>> SplitJsonArray(std::string_view array) {
  JsonScanner in(array);
  std::vector<std::string_view> values;
  if (!in.Take('[')) return std::nullopt;
  if (in.Take(']')) return in.AtEnd() ? std::optional(values) : std::nullopt;
  while (true) {
    std::string_view value;
    if (!in.Value(&value)) return std::nullopt;
    values.push_back(value);
    if (in.Take(']')) return in.AtEnd() ? std::optional(values) : std::nullopt;
    if (!in.Take(',')) return std::nullopt;
  }
}

const std::string_view* FindMember(const JsonMembers& members, std::string_view name) {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

struct EventLogReader::Impl {
  // The next line without its end; false at the end of the file.
  Result<bool> NextLine(std::string_view* line, uint64_t* offset);
  Status OpenNext();
  bool Parse(std::string_view line, uint64_t offset, LogEvent* event);

  FileSystem* fs = nullptr;
  std::string directory;
  std::vector<std::string> logs;
  size_t next_log = 0;

  std::unique_ptr<RandomAccessFile> file;
  uint64_t size = 0;
  std::string buffer;  // Bytes of the file from `buffer_offset`.
  uint64_t buffer_offset = 0;
  size_t taken = 0;  // Of the buffer.
  uint64_t unreadable = 0;
  Status status;
};

Status EventLogReader::Impl::OpenNext() {
  CHECK_OP(next_log, <, logs.size());
  ASSIGN_OR_RETURN(file, fs->OpenForRead(JoinPath(directory, logs[next_log]), /*direct=*/false));
  ASSIGN_OR_RETURN(size, file->Size());
  next_log++;
  buffer.clear();
  buffer_offset = 0;
  taken = 0;
  return Status::Ok();
}

Result<bool> EventLogReader::Impl::NextLine(std::string_view* line, uint64_t* offset) {
  while (true) {
    DCHECK_OP(taken, <=, buffer.size());
    const std::string_view rest = std::string_view(buffer).substr(taken);
    const size_t end = rest.find('\n');
    const uint64_t read = buffer_offset + buffer.size();
    if (end != std::string_view::npos || (read >= size && !rest.empty())) {
      *line = rest.substr(0, end);
      *offset = buffer_offset + taken;
      taken += std::min(line->size() + 1, rest.size());
      return true;
    }
    if (read >= size) return false;
    if (rest.size() > kLineBytesMax) taken = buffer.size();  // Its tail is read as another line.
    buffer.erase(0, taken);
    buffer_offset += taken;
    taken = 0;
    const size_t kept = buffer.size();
    buffer.resize(kept + kReadBytes);
    ASSIGN_OR_RETURN(const std::string_view bytes,
                     file->Read(read, std::min(kReadBytes, size - read), buffer.data() + kept));
    if (bytes.data() != buffer.data() + kept) bytes.copy(buffer.data() + kept, bytes.size());
    buffer.resize(kept + bytes.size());
    if (bytes.empty()) size = read;  // The file became shorter meanwhile.
  }
}

bool EventLogReader::Impl::Parse(std::string_view line, uint64_t offset, LogEvent* event) {
  const size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return false;
  const std::string_view json = line.substr(mark + kMark.size());
  const std::optional<JsonMembers> members = SplitJsonObject(json);
  const std::string_view* type = members ? FindMember(*members, "event") : nullptr;
  if (type == nullptr) {
    unreadable++;
    return false;
  }
  event->log = logs[next_log - 1];
  event->offset = offset + mark + kMark.size();
  event->time_micros = Number(*members, "time_micros").value_or(0);
  event->type = *type;
  event->job = Number(*members, "job");
  event->json = json;
  return true;
}

Result<EventLogReader> EventLogReader::Open(FileSystem& fs, const std::string& directory) {
  auto impl = std::make_unique<Impl>();
  impl->fs = &fs;
  impl->directory = directory;
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  std::vector<std::pair<uint64_t, std::string>> old;
  bool current = false;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kInfoLog || entry.is_directory) continue;
    if (entry.name == kInfoLogFileName) {
      current = true;
    } else {
      old.emplace_back(name->number, entry.name);
    }
  }
  std::sort(old.begin(), old.end());
  for (auto& [time, name] : old) impl->logs.push_back(std::move(name));
  if (current) impl->logs.emplace_back(kInfoLogFileName);
  return EventLogReader(std::move(impl));
}

bool EventLogReader::Next(LogEvent* event) {
  Impl& impl = *impl_;
  while (impl.status.ok()) {
    if (impl.file == nullptr) {
      if (impl.next_log == impl.logs.size()) return false;
      impl.status = impl.OpenNext();
      // A running process may have deleted an old log since it was listed.
      if (impl.status.code() == Code::kNotFound) {
        impl.status = Status::Ok();
        impl.next_log++;
      }
      continue;
    }
    std::string_view line;
    uint64_t offset = 0;
    const Result<bool> more = impl.NextLine(&line, &offset);
    if (!more.ok()) {
      impl.status = more.status();
    } else if (!*more) {
      impl.file = nullptr;
    } else if (impl.Parse(line, offset, event)) {
      return true;
    }
  }
  return false;
}

const Status& EventLogReader::status() const { return impl_->status; }
uint64_t EventLogReader::unreadable() const { return impl_->unreadable; }
const std::vector<std::string>& EventLogReader::logs() const { return impl_->logs; }

EventLogReader::EventLogReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EventLogReader::EventLogReader(EventLogReader&&) noexcept = default;
EventLogReader& EventLogReader::operator=(EventLogReader&&) noexcept = default;
EventLogReader::~EventLogReader() = default;

}  // namespace varve
