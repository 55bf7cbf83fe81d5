// SPDX-License-Identifier: Apache-2.0
// GET …/events: what RocksDB wrote into its LOG.
#include <charconv>

#include "core/base/try.h"
#include "core/inspect/event_log.h"
#include "webview/api/call.h"
#include "webview/api/resources/resources.h"

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

Json EventJson(const LogEvent& event) {
  Json json = {{"log", event.log},
               {"offset", event.offset},
               {"time_unix_us", event.time_micros},
               {"type", event.type}};
  if (event.job) json["job"] = *event.job;
  // As RocksDB wrote it: its numbers are exact, whatever their size.
  Json data = ParseJson(event.json);
  QuoteLargeNumbers(&data);
  json["data"] = data.is_discarded() ? Json(nullptr) : std::move(data);
  return json;
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
      *row = {EventJson(event), std::to_string(number)};
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

}  // namespace

Reply ListEvents(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(EventLogReader events,
                   EventLogReader::Open(call.target().fs(), call.target().path()));
  uint64_t skip = 0;
  const std::string& position = call.position();
  std::from_chars(position.data(), position.data() + position.size(), skip);
  return List{call.Head(), "events", std::make_unique<EventRows>(call, std::move(events), skip)};
}

Json EventsSchema() {
  return ListDocument("varve.events/1", {}, "events",
                      Object({{"log", Text()},
                              {"offset", Number()},
                              {"time_unix_us", Number()},
                              {"type", Text()},
                              {"job", Number(), kOptional},
                              {"data", Anything()}}));
}

}  // namespace varve::api
