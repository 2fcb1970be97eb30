// Who is called what in a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "physics/world.h"
#include "scenario/expectations.h"

namespace talus {

struct Cast {
  std::map<std::string, std::vector<BlockId>> blocks;
  std::map<std::string, Actor> actors;  // pieces that never stood, balls, walkers, rocks
  std::vector<std::size_t> body_of;     // by block; kNoBody: none

  /// Takes note of new blocks and bodies; rocks get their names.
  void meet(const World& world);
  /// Of those without a name of their own: after the blocks that they are of, or their number.
  std::string name_of(const World& world, Actor who) const;
  Parts parts(const World& world) const { return {world, blocks, actors, body_of}; }

 private:
  std::size_t seen_bodies_ = 0;
  int rocks_ = 0;
};

}  // namespace talus
