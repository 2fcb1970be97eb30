// Where two convex solids touch, or nearly: cut blocks, boxes beside them, and balls.
//
// The general form of box_contact.h: the separating axis among face normals and products of sharp
// edges, then the face of B that looks along it, projected onto the one of A and clipped to it.
// Round surfaces are faceted (shape.h); edges between facets that nearly agree are no edges.
#pragma once

#include <vector>

#include "collision/box_contact.h"
#include "voxel/block.h"

namespace talus {

/// A convex polyhedron about its own origin, metres.
struct Hull {
  struct Face {
    Vec3f normal;
    std::vector<std::uint16_t> loop;  // counter-clockwise seen from outside
  };
  std::vector<Vec3f> vertices;
  std::vector<Face> faces;
  std::vector<Vec3f> edges;  // directions of the sharp ones, each once
};

Hull box_hull(Vec3f half);
/// The shape that a block's cuts leave, about the cube's middle.
Hull cut_hull(const Block& block);
/// True for a block that is a ball: all its edges are round.
bool is_ball(const Block& block);

/// A cut block as a part of something: its hull, and for a ball its radius.
struct CutPart {
  Vec3 middle{0};  // metres, in the frame of its cells
  Hull hull;
  float ball = 0;  // radius, metres; 0: no ball
  float core = 0;  // radius of the ball about the middle that fits inside
};
CutPart make_cut_part(const Block& block);

struct PosedHull {
  const Hull* hull;
  Vec3f center{0};
  Mat3f axes{1};
};

/// As touch() of boxes; points are appended.
struct HullTouch {
  Vec3f normal{0};  // unit, from A to B
  std::vector<TouchPoint> points;
};
bool touch(const PosedHull& a, const PosedHull& b, float margin, HullTouch& out);
/// The greatest gap along any axis, metres.
float separation(const PosedHull& a, const PosedHull& b);

/// The surface of a hull nearest to a point outside, or the shallowest way out from inside: the
/// point's distance, and the unit direction away from the hull. Cost: its faces.
struct HullDistance {
  float distance;
  Vec3f normal;
};
HullDistance distance_to(const PosedHull& hull, Vec3f point);

}  // namespace talus
