// SPDX-License-Identifier: Apache-2.0
#include "core/python/interruptible.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "core/python/errors.h"
#include "core/python/open_db.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

// How soon a signal is noticed. Nothing wakes a thread of C++ when Python has got one.
constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

bool HandlesSignals() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

void RunInterruptible(const std::function<Status(const std::atomic<bool>& cancelled)>& work) {
  std::atomic<bool> cancelled = false;
  const auto run = [&] { return OrEnd([&] { return work(cancelled); }); };
  if (!HandlesSignals()) {
    Check(Unlocked(run));
    return;
  }
  std::optional<nb::python_error> raised;
  std::future<Status> done = std::async(std::launch::async, run);
  const auto wait = [&] { return done.wait_for(kBetweenLooks) == std::future_status::ready; };
  while (!Unlocked(wait)) {
    if (raised || PyErr_CheckSignals() == 0) continue;
    raised.emplace();
    cancelled = true;
  }
  Status status = done.get();
  if (raised) {
    status.Ignore("what was raised says why it ended");
    throw std::move(*raised);
  }
  Check(std::move(status));
}

}  // namespace varve::python
