// SPDX-License-Identifier: Apache-2.0
// An engine whose commits are written down: issued before it sees them, durable once it says so.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "tests/mix/database.h"
#include "tests/mix/model.h"
#include "tests/simulator/history.h"

namespace varve::simulator {

class RecordingKind final : public mix::EngineKind {
 public:
  // `now`: what the model has by now, the change included that is about to be made.
  RecordingKind(mix::EngineKind* engine, History* history, std::function<const mix::Moment&()> now)
      : engine_(*engine), history_(*history), now_(std::move(now)) {}

  std::string_view name() const override { return engine_.name(); }
  std::string DrawOptions(mix::Dice* dice) override { return engine_.DrawOptions(dice); }
  mix::Trouble Open(const std::string& path, const std::set<std::string>& families,
                    std::unique_ptr<mix::Database>* database) override;
  mix::Trouble OpenReadOnly(const std::string& path, const std::set<std::string>& families,
                            std::unique_ptr<mix::Database>* database) override {
    return engine_.OpenReadOnly(path, families, database);
  }
  void Remove(const std::string& path) override { engine_.Remove(path); }

 private:
  mix::EngineKind& engine_;
  History& history_;
  const std::function<const mix::Moment&()> now_;
};

}  // namespace varve::simulator
