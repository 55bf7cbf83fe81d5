// SPDX-License-Identifier: Apache-2.0
// GET …/events: the events in RocksDB's LOG; as an event stream, new ones as they are written.
#include <compare>
#include <deque>

#include "core/base/text/quantity.h"
#include "core/base/try.h"
#include "core/inspect/history/event_log.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

bool IsAmong(const std::string& types, std::string_view type) {
  std::string_view rest = types;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    if (one == type) return true;
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
  return false;
}

// As RocksDB wrote it: with exact numbers of any size.
Json DataOf(const LogEvent& event) {
  Json data = ParseJson(event.json);
  QuoteLargeNumbers(&data);
  return data.is_discarded() ? Json(nullptr) : data;
}

const Fields<LogEvent>& EventFields() {
  static const auto fields =
      Fields<LogEvent>("LogEvent")
          .Text("log", &LogEvent::log, "the file that it is in")
          .Number("offset", Unit::kOffset, &LogEvent::offset, "where in that file")
          .Number("time_unix_us", Unit::kUnixMicroseconds, &LogEvent::time_micros,
                  "when it was logged")
          .Text("type", &LogEvent::type, "flush_started, compaction_finished, ...")
          .Number("job", Unit::kNone, &LogEvent::job, "number of the flush or compaction")
          .Other("data", Anything(), DataOf, "all that RocksDB wrote of it");
  return fields;
}

class EventRows : public RowSource {
 public:
  EventRows(const Call& call, EventLogReader events, uint64_t skip)
      : call_(call), events_(std::move(events)), types_(call.Text("types")), skip_(skip) {}

  bool Next(Row* row) override {
    LogEvent event;
    while (events_.Next(&event)) {
      const uint64_t number = number_++;
      if (number < skip_ || (types_ && !IsAmong(*types_, event.type))) continue;
      if (call_.Has("job") && event.job != call_.Number("job")) continue;
      *row = {EventFields().ToJson(event), std::to_string(number)};
      return true;
    }
    return false;
  }
  const Status& status() const override { return events_.status(); }

 private:
  const Call call_;
  EventLogReader events_;
  const std::optional<std::string> types_;
  const uint64_t skip_;
  uint64_t number_ = 0;
};

// The position of an event among all events ever logged, independent of later renaming (LOG becomes
// LOG.old.<time>). As an id: "1795223358786379-4096".
struct EventPlace {
  uint64_t time = 0, offset = 0;

  auto operator<=>(const EventPlace&) const = default;
  std::string ToId() const { return std::to_string(time) + "-" + std::to_string(offset); }
  static std::optional<EventPlace> FromId(std::string_view id) {
    const size_t dash = id.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const std::optional<uint64_t> time = ParseDecimal(id.substr(0, dash));
    const std::optional<uint64_t> offset = ParseDecimal(id.substr(dash + 1));
    if (!time || !offset) return std::nullopt;
    return EventPlace{*time, *offset};
  }
};

// The live form. File sizes are checked twice a second, and files read when they have grown:
//
//   event: edit   data: {"edit":"181","seq":"9120"}   at first, and whenever the MANIFEST has grown
//   event: log    data: a row of the list             id: where to go on from
//
// Only events logged from now on, or after Last-Event-ID.
class EventTail : public BodyStream {
 public:
  explicit EventTail(const Call& call)
      : call_(call), types_(call.Text("types")), after_(EventPlace::FromId(call.LastEventId())) {
    if (!after_) {
      after_.emplace();
      Read();
      pieces_.clear();  // Skip everything logged before.
    }
  }

  Event Next(std::string* piece) override {
    if (pieces_.empty()) Look();
    if (pieces_.empty()) return Event::kWait;
    *piece = std::move(pieces_.front());
    pieces_.pop_front();
    return Event::kPiece;
  }

 private:
  void Look() {
    constexpr uint64_t kLookMicros = 500'000;
    constexpr size_t kPiecesMax = 1000;  // Further ones are read at the next check.
    const uint64_t now = call_.service().options().clock->NowMicros();
    if (looked_ != 0 && now - looked_ < kLookMicros) return;
    looked_ = now;
    if (const auto lsm = call_.target().Lsm(); lsm.ok() && (*lsm)->manifest_edits != edit_) {
      edit_ = (*lsm)->manifest_edits;
      const Json shape = {{"edit", std::to_string(*edit_)},
                          {"seq", std::to_string((*lsm)->last_sequence)}};
      pieces_.push_back("event: edit\ndata: " + Dump(shape) + "\n\n");
    }
    if (const std::string sizes = Sizes(); sizes != sizes_) {
      Read(kPiecesMax);
      if (pieces_.size() < kPiecesMax) sizes_ = sizes;
    }
  }

  // Changes when something is logged.
  std::string Sizes() const {
    std::string sizes;
    const auto names = call_.target().fs().List(call_.target().path());
    if (!names.ok()) return sizes;
    for (const DirectoryEntry& entry : *names) {
      if (!entry.name.starts_with("LOG")) continue;
      const auto size = call_.target().fs().FileSize(call_.target().path() + "/" + entry.name);
      sizes += entry.name + " " + std::to_string(size.ok() ? *size : 0) + "\n";
    }
    return sizes;
  }

  void Read(size_t pieces_max = SIZE_MAX) {
    Result<EventLogReader> events =
        EventLogReader::Open(call_.target().fs(), call_.target().path());
    if (!events.ok()) return;  // The next check may succeed.
    LogEvent event;
    while (pieces_.size() < pieces_max && events->Next(&event)) {
      const EventPlace place{event.time_micros, event.offset};
      if (place <= *after_) continue;
      after_ = place;
      if (types_ && !IsAmong(*types_, event.type)) continue;
      if (call_.Has("job") && event.job != call_.Number("job")) continue;
      pieces_.push_back("event: log\nid: " + place.ToId() +
                        "\ndata: " + Dump(EventFields().ToJson(event)) + "\n\n");
    }
  }

  const Call call_;
  const std::optional<std::string> types_;
  std::optional<EventPlace> after_;
  std::optional<uint64_t> edit_;
  std::string sizes_;
  uint64_t looked_ = 0;
  std::deque<std::string> pieces_;
};

Reply ListEvents(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  if (call.WantsEvents()) {
    return Response{.headers = {{"Content-Type", std::string(kEventsType)}},
                    .stream = std::make_unique<EventTail>(call)};
  }
  ASSIGN_OR_RETURN(EventLogReader events,
                   EventLogReader::Open(call.target().fs(), call.target().path()));
  return List{call.Head(), "events",
              std::make_unique<EventRows>(call, std::move(events), call.number_of_position()),
              /*partial=*/false, call.damage()};
}

constexpr DocumentSchema kEventsDocument = {
    .name = "varve.events/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "events", EventFields().Schema());
    }};

}  // namespace

std::span<const Route> EventsRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/events",
       .handler = ListEvents,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kScan,
       .documents = kEventsDocument,
       .summary = "what RocksDB wrote into its LOG",
       .parameters = {{"types", kText, "of these types only, separated by commas"},
                      {"job", kNumber, "of this job only"}},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
