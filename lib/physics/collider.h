// A body as the narrow phase sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collision/box_contact.h"
#include "collision/hull_contact.h"
#include "collision/surroundings.h"
#include "physics/body.h"

namespace talus {

/// What never changes about a piece: lengths from its centre of mass, in its own axes, metres.
struct ColliderShape {
  struct Part {
    Vec3f middle, half;
    std::uint8_t closed;
  };
  std::vector<Part> boxes;
  std::vector<CutPart> cuts;    // middles from the centre of mass
  std::vector<Hull> box_hulls;  // of the boxes, for meeting what is cut
  std::vector<Vec3f> points;    // that may stand on the ground
  bool rock = false;            // the points are its mesh, which the boxes only roughly fill
  float radius = 0;             // of the ball about the centre that holds it
  float resistance = 0;         // lever of rolling and twist resistance: a tenth of its size
};
ColliderShape make_collider_shape(const Piece& piece);

/// A shape somewhere.
struct PosedShape {
  Vec3 position{0};
  Mat3f axes{1};                // columns: the piece's axes in the world
  std::vector<PosedBox> boxes;  // from the position, world axes
  std::vector<Vec3f> reach;     // half sizes of the boxes' bounds
  std::vector<Vec3f> cuts;      // middles of the cut parts, from the position
  Vec3f lo{0}, hi{0};           // bounds of all, from the position

  /// Bounds in the world, grown on every side.
  Box bounds(double room) const {
    return {position + Vec3(lo) - Vec3(room), position + Vec3(hi) + Vec3(room)};
  }
};
void place(PosedShape& posed, const ColliderShape& shape, Vec3 position, const Quat& orientation);

/// A pose that a body has kept, to within a tenth of a millimetre, since a step.
struct StillPose {
  Vec3 position{0};
  Quat orientation = kNoRotation;
  std::uint64_t since = 0;
};

struct Collider : PosedShape {
  Vec3f velocity{0}, spin{0};
  float tip_speed = 0;  // the most that spin moves any of it, m/s
  StillPose still;
  Quat orientation = kNoRotation;
  double turned = 0;  // no less than turning has moved any of it so far, metres
  float chase = 0;    // how far a body that it was held back by has gone on without it, metres
  ColliderShape shape;
  Surroundings around;
};
/// Takes over the body's pose and velocities, in this step.
void place(Collider& collider, const Body& body, std::uint64_t step);

}  // namespace talus
