// Where ridges of the ground poke into a body's faces and edges.
//
// A body's own points are asked how far the ground is; what that misses is a ridge of the ground
// (ridges.h) under the middle of a face or of an edge. Where a ridge crosses an edge of the body
// that leans over it, their crossing is one contact, which pushes across both. Otherwise the part
// of the ridge over the face that looks against it most is cut out; its two ends are contacts that
// push along the face's normal:
//
//      +-----------+                        /\      <- a beam, end on
//      |   box     |                       /  \.
//      +--o-----o--+        o: contacts    \  /
//     ___/       \___                    ---o---    <- the ridge, from the side
//
// The slope of a ridge under a face does not matter to the push, so that a slider is never held by
// one. Corners of the ground are ends of ridges, so they are found, too.
#pragma once

#include <functional>

#include "physics/collider.h"

namespace talus {

/// Pieces of rock have no faces: their points are a mesh as fine as the ground's, and their boxes
/// may stick out of it by half a cell. They meet the ground with their points alone.
///
/// Calls found(point, normal) for the contacts of the body's boxes with a gap of at most `margin`;
/// the point from the body's centre, the normal from the body to the ground. Returns how far the
/// boxes are from all ridges around at least, 0 where that is under the margin. Cost: boxes times
/// ridges around.
float meet_ridges(const Collider& a, float margin,
                  const std::function<void(const TouchPoint&, Vec3f)>& found);

}  // namespace talus
