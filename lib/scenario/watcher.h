// What a run looks at for its expectations, and what becomes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenario/cast.h"
#include "scenario/expectations.h"
#include "scenario/run.h"
#include "scenario/scenario.h"

namespace talus {

class Watcher {
 public:
  /// Both must outlive it.
  Watcher(const Scenario& scenario, const Cast& cast, Vec3 site_m);

  /// Around a step of the world: the energy that it adds.
  void before_step(const World& world);
  void after_step(const World& world);
  /// After every step and action: how fast, how deep, how near.
  void look(World& world);
  void first_contact(Actor who, double time_s) { observed_.first_contact_s[who] = time_s; }
  /// Judges what is due, or at the end what is left.
  void judge_due(const World& world, bool at_end);
  /// In the order of the file. `rest_s`: since when all is at rest, which "at rest by" offers as
  /// what would have passed.
  std::vector<ExpectationResult> results(std::optional<double> rest_s);

 private:
  bool expects(Expectation::Kind kind) const;
  void watch_body(World& world, std::size_t i);
  void watch_ball(World& world, std::size_t i);
  void watch_walker(World& world, std::size_t i);
  void watch_who_arrives(const World& world);
  void note_speed(const World& world, Actor who, Vec3 velocity);
  void note_depth(const World& world, Actor who, double depth);
  double energy_of(const Body& body) const;
  double energy_of(const World& world, std::size_t bodies) const;

  const Scenario& scenario_;
  const Cast& cast_;
  Vec3 site_m_;
  bool watches_depth_, watches_walkers_;
  Observed observed_;
  std::vector<ExpectationResult> results_;
  std::vector<std::uint8_t> judged_;  // by expectation
  std::size_t bodies_before_ = 0;
  double energy_before_ = 0;  // J
};

}  // namespace talus
