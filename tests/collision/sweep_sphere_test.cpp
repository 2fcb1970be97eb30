#include "collision/sweep_sphere.h"

#include <cmath>
#include <utility>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "collision/triangle.h"
#include "core/random.h"

namespace talus {
namespace {

// ---- the oracle: 113 bits, closed formulas, straight paths

using Real = boost::multiprecision::cpp_bin_float_quad;

/// Shares of a sum that are its own rounding: a path may run exactly along a surface.
const Real kRounding = 1e-29;

struct Exact {
  Real x, y, z;
  Exact(Real a, Real b, Real c) : x(std::move(a)), y(std::move(b)), z(std::move(c)) {}
  explicit Exact(Vec3 v) : x(v.x), y(v.y), z(v.z) {}
};
Exact operator+(const Exact& a, const Exact& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Exact operator-(const Exact& a, const Exact& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Exact operator*(const Real& s, const Exact& a) {
  return {s * a.x, s * a.y, s * a.z};
}
Real dot(const Exact& a, const Exact& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Exact cross(const Exact& a, const Exact& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct OracleHit {
  bool hit = false;
  Real time = 2;
  Exact away{0, 0, 0};
};

struct Oracle {
  Exact start, motion;
  Real radius;
  std::vector<Exact> corners;
  OracleHit first{};

  Exact corner(std::size_t k) const { return corners[k % corners.size()]; }
  Exact edge(std::size_t k) const { return corner(k + 1) - corner(k); }
  Exact normal() const { return cross(edge(0), edge(1)); }

  Exact nearest(const Exact& c) const {
    const Exact n = normal();
    bool inside = true;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      inside = inside && dot(c - corner(k), cross(edge(k), n)) <= 0;
    }
    if (inside) return c - (dot(c - corner(0), n) / dot(n, n)) * n;
    Real best = -1;
    Exact found{0, 0, 0};
    for (std::size_t k = 0; k < corners.size(); ++k) {
      Real s = dot(c - corner(k), edge(k)) / dot(edge(k), edge(k));
      s = s < 0 ? Real(0) : s > 1 ? Real(1) : s;
      const Exact q = corner(k) + s * edge(k);
      const Real d2 = dot(c - q, c - q);
      if (best < 0 || d2 < best) best = d2, found = q;
    }
    return found;
  }

  void offer(const Real& t) {
    if (t < 0 || t > 1 || t >= first.time) return;
    const Exact c = start + t * motion;
    const Exact away = c - nearest(c);
    // On the surface of the swollen polygon, and not on that of one feature inside another's part.
    if (abs(dot(away, away) - radius * radius) >
        Real(1e-22) * (radius * radius + dot(motion, motion)))
      return;
    first = {true, t, away};
  }

  // The lesser root of |v + t m|^2 = r2.
  void offer_root(const Exact& v, const Exact& m, const Real& r2) {
    const Real a = dot(m, m), b = dot(m, v), v2 = dot(v, v);
    if (a == 0) return;
    Real d = b * b - a * (v2 - r2);
    if (abs(d) < kRounding * (b * b + a * (v2 + r2))) d = 0;
    if (d >= 0) offer((-b - sqrt(d)) / a);
  }

  OracleHit solve() {
    const Exact away = start - nearest(start);
    if (dot(away, away) <= radius * radius * (1 + kRounding)) {
      const Real rate = dot(away, motion);
      first = {rate <= kRounding * radius * sqrt(dot(motion, motion)), 0, away};
      return first;
    }
    const Exact n = normal();
    const Real speed = dot(n, motion), height = dot(n, start - corner(0));
    if (speed != 0) {
      const Real r = radius * sqrt(dot(n, n));
      offer(((height > 0 ? r : -r) - height) / speed);
    }
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Exact w = start - corner(k);
      offer_root(w, motion, radius * radius);
      const Exact e = edge(k);
      offer_root(cross(w, e), cross(motion, e), radius * radius * dot(e, e));
    }
    return first;
  }
};

Exact operator-(Vec3 a, const Exact& b) {
  return Exact(a) - b;
}

OracleHit ask_oracle(const SphereSweep& sweep, const SweepPolygon& polygon) {
  Oracle oracle{Exact(sweep.start), sweep.end - Exact(sweep.start), sweep.radius, {}};
  for (int k = 0; k < polygon.count; ++k) {
    oracle.corners.emplace_back(polygon.corners[static_cast<std::size_t>(k)]);
  }
  return oracle.solve();
}

// ---- random sweeps that come close

struct Draw {
  Mulberry32 random;
  explicit Draw(std::uint32_t seed) : random(seed) {}
  double in(double lo, double hi) { return lo + (hi - lo) * random.next(); }
  double log_in(double lo, double hi) { return std::exp(in(std::log(lo), std::log(hi))); }
  Vec3 direction() {
    while (true) {
      const Vec3 v(in(-1, 1), in(-1, 1), in(-1, 1));
      const double length = glm::length(v);
      if (length > 0.01 && length < 1) return v / length;
    }
  }
  bool chance(double p) { return random.next() < p; }
};

SweepPolygon random_triangle(Draw& draw, Vec3 place) {
  SweepPolygon triangle;
  for (std::size_t k = 0; k < 3; ++k)
    triangle.corners[k] = place + draw.in(0.1, 2) * draw.direction();
  return triangle;
}

SweepPolygon random_rectangle(Draw& draw, Vec3 place) {
  // Coordinates that doubles hold exactly, so that the corners lie in one plane.
  const int axis = static_cast<int>(draw.in(0, 3));
  Vec3 u(0), v(0);
  u[(axis + 1) % 3] = std::round(draw.in(1, 64)) / 16;
  v[(axis + 2) % 3] = std::round(draw.in(1, 64)) / 16;
  const Vec3 corner = glm::round(place * 16.0) / 16.0;
  return {{corner, corner + u, corner + u + v, corner + v}, 4};
}

/// A point of the feature and the direction in which a ball would touch it.
struct Aim {
  Vec3 point, normal;
};
Aim aim_at(Draw& draw, const SweepPolygon& polygon, SweepFeature feature) {
  const auto count = static_cast<std::size_t>(polygon.count);
  const auto k = static_cast<std::size_t>(draw.in(0, polygon.count));
  const Vec3 a = polygon.corners[k], b = polygon.corners[(k + 1) % count];
  const Vec3 c = polygon.corners[(k + 2) % count];
  const Vec3 n = glm::normalize(glm::cross(b - a, c - b));
  const double s = draw.random.next(), t = draw.random.next() * (1 - s);
  if (feature == SweepFeature::Face) {
    return {a + s * (b - a) + t * (c - a), draw.chance(0.5) ? n : -n};
  }
  if (feature == SweepFeature::Corner) return {a, draw.direction()};
  const Vec3 e = glm::normalize(b - a), out = glm::cross(e, n);
  const double angle = draw.in(-1.5, 1.5);
  return {a + s * (b - a), std::cos(angle) * out + std::sin(angle) * n};
}

/// Comes at the aim from a random side, often just grazing, sometimes from inside or in contact.
SphereSweep random_sweep(Draw& draw, const Aim& aim) {
  SphereSweep sweep;
  sweep.radius = draw.log_in(0.02, 1.5);
  Vec3 direction = draw.direction();
  const double grazing = draw.random.next();
  const double tilt = grazing < 0.3 ? 1 : grazing < 0.6 ? draw.log_in(1e-9, 1) : 0;
  direction -= (1 - tilt) * glm::dot(direction, aim.normal) * aim.normal;
  direction = glm::normalize(direction);
  const double off = draw.chance(0.5) ? 0 : draw.log_in(1e-12, 1) * (draw.chance(0.5) ? 1 : -1);
  const Vec3 touch = aim.point + sweep.radius * (1 + off) * aim.normal;
  const double length = draw.log_in(1e-3, 400);
  const double kind = draw.random.next();
  const double before = kind < 0.1   ? 0
                        : kind < 0.2 ? draw.in(0, sweep.radius)
                                     : length * draw.random.next();
  sweep.start = touch - before * direction;
  sweep.end = kind > 0.97 ? sweep.start : touch + (length - before) * direction;
  return sweep;
}

Vec3 random_place(Draw& draw) {
  const double far = draw.chance(0.5) ? 1 : draw.chance(0.5) ? 1e3 : 1e6;
  return far * draw.direction();
}

struct Tally {
  int hits = 0, missed = 0, ghosts = 0, wrong_time = 0, wrong_normal = 0, wrong_point = 0;
  int features[3] = {};
};

void compare(const SphereSweep& sweep, const OracleHit& exact, const std::optional<SweepHit>& found,
             Tally& tally) {
  tally.hits += exact.hit;
  if (exact.hit && !found) ++tally.missed;
  if (!exact.hit && found) ++tally.ghosts;
  if (!exact.hit || !found) return;
  ++tally.features[static_cast<int>(found->feature)];
  if (abs(Real(found->time) - exact.time) > Real(1e-9)) ++tally.wrong_time;
  const Real length = sqrt(dot(exact.away, exact.away));
  if (length > Real(1e-6) * sweep.radius) {
    const Exact off = Exact(found->normal) - (1 / length) * exact.away;
    if (dot(off, off) > Real(1e-12)) ++tally.wrong_normal;
  }
  const Vec3 center = center_at(sweep, found->time);
  const double reach = sweep.radius - found->depth;
  if (glm::length(center - found->point - reach * found->normal) >
      1e-12 * (1 + glm::length(center) + glm::length(sweep.end - sweep.start))) {
    ++tally.wrong_point;
  }
}

void expect_all_right(const Tally& tally, int least_hits) {
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(tally.ghosts, 0);
  EXPECT_EQ(tally.wrong_time, 0);
  EXPECT_EQ(tally.wrong_normal, 0);
  EXPECT_EQ(tally.wrong_point, 0);
  EXPECT_GT(tally.hits, least_hits);
}

constexpr int kSweeps = 100'000;

class SweepOfFeature : public ::testing::TestWithParam<SweepFeature> {};

TEST_P(SweepOfFeature, OfATriangleAgreesWithHighPrecision) {
  Draw draw(1 + static_cast<std::uint32_t>(GetParam()));
  Tally tally;
  for (int i = 0; i < kSweeps; ++i) {
    const SweepPolygon triangle = random_triangle(draw, random_place(draw));
    const SphereSweep sweep = random_sweep(draw, aim_at(draw, triangle, GetParam()));
    compare(sweep, ask_oracle(sweep, triangle), sweep_polygon(sweep, triangle), tally);
  }
  expect_all_right(tally, kSweeps / 2);
  EXPECT_GT(tally.features[static_cast<int>(GetParam())], kSweeps / 6);
}

TEST_P(SweepOfFeature, OfARectangleAgreesWithHighPrecision) {
  Draw draw(11 + static_cast<std::uint32_t>(GetParam()));
  Tally as_polygon, as_box;
  for (int i = 0; i < kSweeps; ++i) {
    const SweepPolygon rectangle = random_rectangle(draw, random_place(draw));
    const SphereSweep sweep = random_sweep(draw, aim_at(draw, rectangle, GetParam()));
    const OracleHit exact = ask_oracle(sweep, rectangle);
    compare(sweep, exact, sweep_polygon(sweep, rectangle), as_polygon);
    compare(sweep, exact, sweep_box(sweep, {rectangle.corners[0], rectangle.corners[2]}), as_box);
  }
  expect_all_right(as_polygon, kSweeps / 2);
  expect_all_right(as_box, kSweeps / 2);
}

INSTANTIATE_TEST_SUITE_P(Features, SweepOfFeature,
                         ::testing::Values(SweepFeature::Face, SweepFeature::Edge,
                                           SweepFeature::Corner),
                         [](const auto& info) { return feature_name(info.param); });

// ---- paths that bend: the distance to the triangle says where the first touch is

TEST(SweepSphere, ABentPathTouchesWhereItsDistanceFirstFallsToTheRadius) {
  Draw draw(7);
  int hits = 0;
  for (int i = 0; i < 20'000; ++i) {
    const SweepPolygon polygon = random_triangle(draw, Vec3(0));
    const Triangle triangle = {polygon.corners[0], polygon.corners[1], polygon.corners[2]};
    const SphereSweep sweep{draw.in(0, 4) * draw.direction(), draw.in(0, 4) * draw.direction(),
                            draw.log_in(0.02, 1), draw.in(0, 8) * draw.direction()};
    const auto gap = [&](double t) {
      const Vec3 c = center_at(sweep, t);
      return glm::length(c - closest_point(triangle, c)) - sweep.radius;
    };
    if (gap(0) <= 0) continue;
    const auto found = sweep_polygon(sweep, polygon);
    const double until = found ? found->time : 1;
    for (int k = 0; k < 100; ++k) ASSERT_GT(gap(until * k / 100), -1e-9) << i;
    if (!found) continue;
    ++hits;
    ASSERT_NEAR(gap(found->time), 0, 1e-9) << i;
    const Vec3 c = center_at(sweep, found->time);
    ASSERT_LT(glm::length(c - sweep.radius * found->normal - found->point), 1e-9) << i;
  }
  EXPECT_GT(hits, 3000);
}

TEST(SweepSphere, ABallThrownUpInContactIsLetGoAndMeetsTheFloorAgain) {
  // y = 0.5 + 4 t (1 - t): up from the floor, and back on it at t = 1.
  const SphereSweep sweep{{0, 0.5, 0}, {1, 0.5, 0}, 0.5, {0, -4, 0}};
  const auto hit = sweep_box(sweep, {{-5, -1, -5}, {5, 0, 5}});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->time, 1, 1e-15);
  EXPECT_EQ(hit->normal, Vec3(0, 1, 0));
}

// ---- starts, ends and closed sides

const Box kFloor{{-1, -1, -1}, {1, 0, 1}};

TEST(SweepSphere, InContactItIsHitWhenItMovesInAlongOrNotAtAll) {
  for (const Vec3 motion : {Vec3(0, -1, 0), Vec3(0.5, 0, 0), Vec3(0)}) {
    const auto hit = sweep_box({{0, 0.5, 0}, Vec3(0, 0.5, 0) + motion, 0.5}, kFloor);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->time, 0);
    EXPECT_EQ(hit->depth, 0);
    EXPECT_EQ(hit->normal, Vec3(0, 1, 0));
    EXPECT_EQ(hit->point, Vec3(0));
  }
  EXPECT_FALSE(sweep_box({{0, 0.5, 0}, {0, 0.6, 0}, 0.5}, kFloor));
}

TEST(SweepSphere, AStartInsideTellsItsDepth) {
  const auto hit = sweep_box({{0, 0.25, 0}, {0, -1, 0}, 0.5}, kFloor);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->time, 0);
  EXPECT_EQ(hit->depth, 0.25);
}

TEST(SweepSphere, ATouchAtTheVeryEndCounts) {
  const auto hit = sweep_box({{0, 1.5, 0}, {0, 0.5, 0}, 0.5}, kFloor);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->time, 1);
  EXPECT_FALSE(sweep_box({{0, 1.5, 0}, {0, 0.5 + 1e-15, 0}, 0.5}, kFloor));
}

TEST(SweepSphere, ClosedSidesAndTheirEdgesAreNotThere) {
  const BoxFeatures top_only = features_of_open(1u << 3);
  EXPECT_TRUE(sweep_box({{0, 2, 0}, {0, 0, 0}, 0.5}, kFloor, top_only));
  EXPECT_FALSE(sweep_box({{-3, -0.5, 0}, {3, -0.5, 0}, 0.25}, kFloor, top_only));
  EXPECT_FALSE(sweep_box({{-3, 0.1, 0}, {-1.05, 0.1, 0}, 0.25}, kFloor, top_only));
  EXPECT_TRUE(sweep_box({{-3, 0.1, 0}, {-1.05, 0.1, 0}, 0.25}, kFloor));
}

TEST(SweepSphere, ThroughAGapOneHairWiderThanTheBallItFliesFree) {
  const Box left{{-2, -1, -1}, {-0.5, 1, 1}}, right{{0.5, -1, -1}, {2, 1, 1}};
  const SphereSweep hair_thinner{{0, 5, 0}, {0, -5, 0}, 0.5 - 1e-15};
  EXPECT_FALSE(sweep_box(hair_thinner, left));
  EXPECT_FALSE(sweep_box(hair_thinner, right));
  const SphereSweep as_wide{{0, 5, 0}, {0, -5, 0}, 0.5};
  EXPECT_TRUE(sweep_box(as_wide, left));
}

TEST(SweepSphere, FlatTrianglesAreTheirEdgesAndCorners) {
  const SweepPolygon line{{Vec3(0.1, 0.2, 0.3), Vec3(0.2, 0.4, 0.6), Vec3(0.3, 0.6, 0.9)}};
  const auto hit = sweep_polygon({{1, 0.3, 0.45}, {-1, 0.3, 0.45}, 0.125}, line);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->feature, SweepFeature::Edge);
  const SweepPolygon point{{Vec3(1), Vec3(1), Vec3(1)}};
  const auto ball = sweep_polygon({{1, 3, 1}, {1, 0, 1}, 0.5}, point);
  ASSERT_TRUE(ball);
  EXPECT_DOUBLE_EQ(ball->time, 0.5);
  EXPECT_EQ(ball->feature, SweepFeature::Corner);
}

}  // namespace
}  // namespace talus
