// Rock that digging has cut off from the rest of the ground.
//
// Solid samples hang together over the six directions of the lattice. After a dig, each sample that
// lost a neighbour is followed through the rock, lowest first:
//
//      ____            ____
//     /    \___   ____/    \        x: dug out. The search to the left of it runs down the pillar
//     \__   ___ x ___    __/        to bedrock: held. The one to the right runs out: an island.
//       |  |         \__/
//     __|  |__________________
//
// Bedrock is what lies below every edit and so deep under the preset's surface that nature cuts
// nothing off there (short of caves far wider than the presets' own). A search therefore costs an
// island's size or the way down, whichever it turns out to be.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"
#include "terrain/field.h"
#include "terrain/sample_set.h"

namespace talus {

/// Islands of more samples (m3) are too large to fall.
inline constexpr std::int64_t kMostIslandSamples = 100'000;
/// So are those, however thin, whose box holds more: it is all looked through to give them a shape.
inline constexpr std::int64_t kMostIslandBox = 8'000'000;
/// Of what is larger no more are counted than this.
inline constexpr std::int64_t kMostCountedSamples = 2'000'000;
/// Digs that change more samples cannot be looked at.
inline constexpr std::int64_t kMostDugSamples = 50'000'000;

struct Island {
  std::shared_ptr<const SampleSet> samples;
  std::int64_t count = 0;
};
/// What cannot fall.
struct LargeIsland {
  enum class Why {
    Count,  // cut off, and too much of it
    Box,    // cut off, and too far from end to end
    Dig,    // nobody knows: the dig itself is too large to look at, and was not done
  };
  Why why = Why::Count;
  Vec3 place{0};           // where the dig meets it
  std::int64_t count = 0;  // m3, of the island or its box or the dig's; of kMostCountedSamples: at
                           // least so many
};
/// What is too large about it, and what to do.
std::string in_words(const LargeIsland& island);

struct IslandSearch {
  std::vector<Island> islands;
  std::optional<LargeIsland> too_large;  // then the others may not be known
};

/// The samples that a brush may change, and one more on every side.
IBox samples_near(const Brush& brush);
/// Which samples of the box are solid, in its order.
std::vector<std::uint8_t> solid_samples(Field& ground, const IBox& box);
/// The islands that border on samples of the box which were solid and no longer are.
IslandSearch find_islands(Field& ground, const IBox& box, std::span<const std::uint8_t> was_solid);

/// The brush that takes the samples out of the ground; made while they are there. It empties the
/// air about them, too, where no other rock is near: densities there still tell of their surface.
Brush removal_of(const Island& island, Field& ground);

/// An island as what it is to become, read from the ground while it is still there.
struct IslandShape {
  SampleSet cells;  // the cells of kCell whose middles are in its rock, at least one
  Mesh mesh;        // its surface, closed: surface nets on 1 m
};
IslandShape shape_of(const Island& island, Field& ground);

}  // namespace talus
