// The two scenes of falling debris: a thousand cubes, and two hundred L and T pieces, over a wavy
// ground. Shared by tests and benchmarks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "physics/world.h"

namespace talus {

enum class Debris { Cubes, Pieces };

struct DebrisBody {
  std::vector<Block> blocks;
  Vec3 center{0};  // of mass, in the blocks' frame
  Vec3 position{0};
  Quat orientation = kNoRotation;
};

/// `seed` 0: the start as recorded; others turn every body at random.
std::vector<DebrisBody> debris_bodies(Debris scene, const std::string& folder, std::uint32_t seed);
/// The ground as the terrain of preset heightmap.
Terrain debris_ground(const std::string& folder);
/// The ground and the bodies, step 1/60 s, density 1000 kg/m3.
std::unique_ptr<World> make_debris(Debris scene, const std::string& folder, std::uint32_t seed,
                                   std::unique_ptr<Solver> solver);

}  // namespace talus
