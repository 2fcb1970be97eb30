// A world on the move -> trajectory: pieces, balls and walkers, as they come.
#pragma once

#include <map>
#include <string>

#include "physics/world.h"
#include "trajectory/trajectory.h"

namespace talus {

/// Most rows of a trajectory, all bodies together.
inline constexpr std::int64_t kMostRows = 10'000'000;

class Recorder {
 public:
  explicit Recorder(Trajectory& trajectory) : trajectory_(trajectory) {}

  /// Gives those of the world that are new a track each. `name_of(actor)` is asked once for each.
  template <class NameOf>
  void meet(const World& world, const NameOf& name_of) {
    for (const Actor who : newcomers(world)) add_track(world, who, name_of(who));
  }
  /// A frame with a row for each that is awake, and the first in which it sleeps. False over
  /// kMostRows.
  bool record(const World& world);
  /// The id of its track. Requires that it was met.
  int track_of(Actor who) const { return tracks_.at(who); }

 private:
  std::vector<Actor> newcomers(const World& world) const;
  void add_track(const World& world, Actor who, std::string name);

  Trajectory& trajectory_;
  std::map<Actor, int> tracks_;
  std::vector<Actor> actors_;                         // by track
  std::size_t bodies_ = 0, balls_ = 0, walkers_ = 0;  // met so far
  std::int64_t rows_ = 0;
};

}  // namespace talus
