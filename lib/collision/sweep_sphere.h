// A ball on the move, and when it first touches something: exact, never by steps.
//
//            start                                   The ball touches a flat thing with one of its
//              o - - - - - ->o                       faces (a plane), edges (a cylinder of the
//                         .-' '-.  normal            ball's radius about it) or corners (a ball).
//                        (   o---)--->               Which one is decided by where the centre is:
//                         '-._.-'                    every point of space belongs to the feature
//      ________________________* point______         nearest to it, so none is met twice, and there
//      face                        edge, corner      is no crack between two.
//
// A touch counts when the ball is not moving away: a ball that starts in contact, or overlapping,
// is hit at time 0 if it moves further in, along, or not at all, and is let go otherwise. The path
// may bend: a constant acceleration during the step keeps the answer as exact as a straight line.
// Touching is inclusive: a ball that grazes hits.
//
// Times are exact to the last digits of a double for any input: 106-bit arithmetic on differences
// of coordinates (sweep_polynomial.h), so neither grazing, nor a path a million radii long, nor a
// place far from the origin costs any. Most features are ruled out in double first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/box.h"

namespace talus {

/// The centre at time t of [0, 1]: start + t (end - start) - t (1 - t) bend. Coordinates finite and
/// within 1e12 m.
struct SphereSweep {
  Vec3 start{0}, end{0};
  double radius = 0.5;  // metres, > 0
  Vec3 bend{0};         // half the acceleration times the step's time squared, metres
};

Vec3 center_at(const SphereSweep& sweep, double time);
/// All that the ball touches between two times.
Box bounds(const SphereSweep& sweep, double from = 0, double to = 1);

enum class SweepFeature : std::uint8_t { Face, Edge, Corner };
const char* feature_name(SweepFeature feature);  // "face", "edge", "corner"

struct SweepHit {
  double time = 0;   // of the sweep, 0 to 1
  Vec3 point{0};     // where the surfaces touch, metres
  Vec3 normal{0};    // unit, from what is hit to the ball's centre
  double depth = 0;  // metres: how far they overlap (0 but for a start inside)
  SweepFeature feature = SweepFeature::Face;
};

/// Which features there are: bit `side` of faces, bit `edge` of edges (numbers as in block.h), and
/// corners by one bit an axis (1: the high side).
struct BoxFeatures {
  std::uint8_t faces = 0x3F;
  std::uint16_t edges = 0xFFF;
  std::uint8_t corners = 0xFF;
};
/// What is left where only some sides are open: the edges between two, the corners between three.
BoxFeatures features_of_open(unsigned open_sides);

/// The first touch before `before` with the outside of a box; its inside is hollow to a centre that
/// starts there. A box without thickness is a rectangle, which is hit on both faces.
std::optional<SweepHit> sweep_box(const SphereSweep& sweep, const Box& box,
                                  const BoxFeatures& features = {}, double before = 2);

/// The first touch with a ball that stands still.
std::optional<SweepHit> sweep_ball(const SphereSweep& sweep, Vec3 center, double radius,
                                   double before = 2);

/// A triangle or a plane convex quadrilateral, hit on either face. Bit k of edges is the one from
/// corner k to the next. Degenerate ones are segments or points.
struct SweepPolygon {
  std::array<Vec3, 4> corners{};
  int count = 3;
  std::uint8_t edges = 0xF, corner_balls = 0xF;
  bool one_sided = false;  // only the face that is counter-clockwise from outside
};
std::optional<SweepHit> sweep_polygon(const SphereSweep& sweep, const SweepPolygon& polygon,
                                      double before = 2);

}  // namespace talus
