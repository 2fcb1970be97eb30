// The ground around a site as nodes of a scene.
#pragma once

#include <span>
#include <vector>

#include "io/scene.h"
#include "scenario/run.h"

namespace talus {

/// The surface (surface nets on 1 m) over the x and z of `around`, at most kWidestGround across.
/// Edits (by time) split it: chunks that one changes are in nodes of their own, shown while they
/// were so. Positions are relative to `origin`; vertices have colours, parts `material`. Throws
/// Error over kMostGroundTriangles.
std::vector<SceneNode> ground_nodes(const Terrain& terrain, std::span<const GroundEdit> edits,
                                    const Box& around, Vec3 origin, std::size_t material);

/// The surfaces of the sea over the x and z of `around` and of the pools: plane, relative to
/// `origin`. A pool's reaches as far as its shape does somewhere.
std::vector<Mesh> water_meshes(const Water& water, const Box& around, Vec3 origin);

inline constexpr double kWidestGround = 256;  // m
inline constexpr std::size_t kMostGroundTriangles = 20'000'000;

}  // namespace talus
