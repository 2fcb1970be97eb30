// Where two boxes touch, or nearly.
//
// The separating axes of Gottschalk, Lin and Manocha ("OBBTree", 1996) say along which direction
// the boxes overlap least or are farthest apart; then the face of B that looks along it is
// projected onto the one of A, clipped to it, and the corners that remain are the contact. Where
// two edges cross, their crossing is added: near-parallel edges would else give one point that
// jumps along them from step to step.
#pragma once

#include <array>
#include <cstdint>

#include <glm/mat3x3.hpp>

#include "core/vec.h"

namespace talus {

using Mat3f = glm::mat3;

/// A box in a frame near both (float: metres from some point close by).
struct PosedBox {
  Vec3f center{0};
  Mat3f axes{1};  // columns: its unit axes
  Vec3f half{0};
  std::uint8_t closed = 0;  // sides that nothing can come through (block.h numbers them)
};

/// sin^2 of the angle under which two edges count as parallel.
inline constexpr float kParallelSine2 = 1e-3F;

/// The gaps of two boxes along their separating axes, metres, negative where they overlap; kNoGap
/// or less where two edges are parallel. [i][j]: axis i of A, axis j of B.
struct BoxGaps {
  float along_a[3], along_b[3], along_edges[3][3];
};
inline constexpr float kNoGap = -1e6F;

/// A direction leads into a side where its part along the side's normal is over this.
inline constexpr float kInto = 0.03F;

struct TouchPoint {
  Vec3f point;  // half way between the surfaces
  float gap;    // metres along the normal, negative where the boxes overlap
};

struct BoxTouch {
  Vec3f normal{0};  // unit, from A to B
  int count = 0;
  std::array<TouchPoint, 9> points;
};

/// The points of two boxes of which no gap is over `margin` that have a gap of at most that
/// themselves. False where there are none, as all ways out lead through closed sides. `gaps`: as
/// BoxPairs has them.
bool touch(const PosedBox& a, const PosedBox& b, const BoxGaps& gaps, float margin, BoxTouch& out);

}  // namespace talus
