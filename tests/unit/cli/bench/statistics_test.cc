// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <vector>

#include "cli/commands/bench/random.h"
#include "cli/commands/bench/runner.h"

namespace varve::cli::bench {
namespace {

// Log-ratios about `effect`, nearly normal, every tenth disturbed by up to half.
std::vector<double> Noisy(double effect, double deviation, size_t n, uint64_t seed) {
  RandomSource random(seed);
  std::vector<double> ratios;
  for (size_t i = 0; i < n; ++i) {
    double noise = -6;
    for (int k = 0; k < 12; ++k) noise += random.Unit();
    const double disturbed = random.Below(10) == 0 ? random.Unit() - 0.5 : 0;
    ratios.push_back(effect + deviation * noise + disturbed);
  }
  return ratios;
}

// readrandom on a small database; `slower` is burnt on top of what it took.
class SmallReads {
 public:
  SmallReads() {
    OutputOptions output;
    output.quiet = true;
    console_ = *Console::Create(output);
    Settings settings;
    settings.num = 20000;
    settings.options.env = NativeEnvironment();
    runner_ = *Runner::Create(settings, *console_);
  }

  // In CPU seconds: other tests run beside this one.
  Result<double> Run(size_t pair, double slower) {
    const std::clock_t begin = std::clock();
    const auto result = runner_->Run(*FindWorkload("readrandom"), pair);
    if (!result.ok()) return result.status();
    const double took = static_cast<double>(std::clock() - begin);
    while (static_cast<double>(std::clock() - begin) < took * (1 + slower)) {
    }
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }

 private:
  std::unique_ptr<Console> console_;
  std::unique_ptr<Runner> runner_;
};

Effect CompareWithSlowdown(double slowdown) {
  SmallReads reads;
  REQUIRE(reads.Run(0, 0).ok());  // Loads, and warms up.
  const auto effect = ComparePairs([&](size_t pair) { return reads.Run(pair, 0); },
                                   [&](size_t pair) { return reads.Run(pair, slowdown); }, 120);
  REQUIRE(effect.ok());
  return *effect;
}

}  // namespace

TEST_CASE("EstimateEffect: an effect without noise is found exactly") {
  const std::vector<double> ratios(12, std::log(1.05));
  const Effect effect = EstimateEffect(ratios);
  CHECK(effect.log_ratio == doctest::Approx(std::log(1.05)));
  CHECK(effect.low == doctest::Approx(effect.high));
  CHECK(effect.shown());
}

TEST_CASE("EstimateEffect: too few pairs show nothing") {
  CHECK_FALSE(EstimateEffect(std::vector<double>(1, 1.0)).shown());
  CHECK_FALSE(EstimateEffect(std::vector<double>(7, 1.0)).shown());
  CHECK(EstimateEffect(std::vector<double>(kPairsMin, 1.0)).shown());
}

TEST_CASE("EstimateEffect: five percent is found through noise and disturbances") {
  int found = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Effect effect = EstimateEffect(Noisy(std::log(0.95), 0.02, kPairsDefault, seed));
    found += effect.shown() && effect.high < 0;
  }
  CHECK(found >= 95);
}

TEST_CASE("EstimateEffect: A against A is called different about once in a hundred") {
  int called = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    called += EstimateEffect(Noisy(0, 0.02, kPairsDefault, 1000 + seed)).shown();
  }
  CHECK(called < 40);
  CHECK(called > 0);  // An interval that never misses is too wide for its name.
}

TEST_CASE("ComparePairs: alternates who goes first, and passes failures on") {
  std::vector<char> order;
  const auto note = [&](char name) {
    return [&order, name](size_t) -> Result<double> {
      order.push_back(name);
      return name == 'a' ? 2.0 : 1.0;
    };
  };
  const auto effect = ComparePairs(note('a'), note('b'), 4);
  REQUIRE(effect.ok());
  CHECK(effect->log_ratio == doctest::Approx(std::log(2)));  // B is twice as fast.
  CHECK(std::string(order.begin(), order.end()) == "abbaabba");
  const auto fail = [](size_t) -> Result<double> { return Status::IoError("gone"); };
  CHECK_FALSE(ComparePairs(note('a'), fail, 4).ok());
}

TEST_CASE("ComparePairs: reads slowed down by five percent are found slower") {
  // How wide an interval is depends on what else the machine does: on a busy one, a single
  // comparison may rightly show nothing. It never finds them faster.
  bool found = false;
  for (int attempt = 0; attempt < 5 && !found; ++attempt) {
    const Effect effect = CompareWithSlowdown(0.05);
    CHECK_FALSE(effect.low > 0);
    found = effect.shown() && effect.high < 0;
  }
  CHECK(found);
}

TEST_CASE("ComparePairs: the same reads twice are not called different") {
  // One comparison in a hundred is expected to err: two in a row, one in ten thousand.
  CHECK_FALSE((CompareWithSlowdown(0).shown() && CompareWithSlowdown(0).shown()));
}

}  // namespace varve::cli::bench
