// Where edges of the ground poke into a body's faces.
//
// A body's own points are asked how far the ground is; what that misses is a ridge of the ground
// under the middle of a face. Of each convex edge, the part over the face that looks against it
// most is cut out; its two ends are contacts that push along the face's normal:
//
//      +-----------+
//      |   box     |
//      +--o-----o--+        o: contacts. The edge's own slope does not matter to the push, so that
//     ___/       \___          a slider is never held by one.
//
// Terrain vertices are ends of edges, so they are found, too.
#pragma once

#include <functional>

#include "collision/ground_patch.h"
#include "physics/collider.h"

namespace talus {

/// Pieces of rock have no faces: their points are a mesh as fine as the ground's, and their boxes
/// may stick out of it by half a cell. They meet the ground with their points alone.
///
/// Calls found(point, normal) for the contacts of the body's boxes with a gap of at most `margin`;
/// the point from the body's centre, the normal from the body to the ground. Cost: boxes times
/// ridges around.
void meet_ridges(const Collider& a, const GroundPatch& patch, float margin,
                 const std::function<void(const TouchPoint&, Vec3f)>& found);

}  // namespace talus
