#include "collision/sweep_cells.h"

#include <gtest/gtest.h>

#include "collision/sweep_world.h"
#include "core/random.h"
#include "terrain/preset.h"

namespace talus {
namespace {

TerrainTriangles hills() {
  return TerrainTriangles(Terrain{make_preset({}), {}});
}

/// About the ground of the default hills, mostly short.
SphereSweep random_sweep(Mulberry32& random, const TerrainTriangles& ground) {
  const auto in = [&](double lo, double hi) { return lo + (hi - lo) * random.next(); };
  SphereSweep sweep;
  sweep.start = {in(290, 320), 0, in(-80, -50)};
  sweep.start.y = ground.terrain().preset->height(sweep.start.x, sweep.start.z) + in(-2, 2);
  const double far = random.next() < 0.9 ? 0.4 : 6;
  sweep.end = sweep.start + Vec3(in(-far, far), in(-far, far), in(-far, far));
  sweep.radius = in(0.05, random.next() < 0.9 ? 0.25 : 1);
  if (random.next() < 0.5) sweep.bend = {0, in(-0.01, 0.01), 0};
  return sweep;
}

void expect_same(const std::optional<SweepHit>& a, const std::optional<SweepHit>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->time, b->time);
  EXPECT_EQ(a->point, b->point);
  EXPECT_EQ(a->normal, b->normal);
  EXPECT_EQ(a->depth, b->depth);
  EXPECT_EQ(a->feature, b->feature);
}

TEST(SweepCells, GiveWhatASweepOfTheGroundGivesToTheBit) {
  TerrainTriangles ground = hills();
  SweepCells cells;
  SweepCells::Place place;
  Mulberry32 random(5);
  int hits = 0;
  for (int i = 0; i < 20'000; ++i) {
    const SphereSweep sweep = random_sweep(random, ground);
    const double before = random.next() < 0.2 ? random.next() : 2;
    const auto found = cells.sweep(ground, sweep, place, before);
    expect_same(found, sweep_ground(ground, sweep, before));
    hits += found.has_value();
  }
  EXPECT_GT(hits, 3000);
}

TEST(SweepCells, AfterAnEditTheySeeTheNewGround) {
  TerrainTriangles ground = hills();
  SweepCells cells;
  SweepCells::Place place;
  const auto surface = sweep_ground(ground, {{300, 200, -60}, {300, -100, -60}, 0.2});
  ASSERT_TRUE(surface);
  const double height = surface->point.y;
  const SphereSweep down{{300, height + 0.6, -60}, {300, height - 0.1, -60}, 0.2};
  const auto before = cells.sweep(ground, down, place);
  Brush hole;
  hole.center = Vec3(300, height, -60);
  hole.radius = 3;
  ground.edit(hole);
  const auto after = cells.sweep(ground, down, place);
  EXPECT_TRUE(before);
  EXPECT_FALSE(after);
  expect_same(after, sweep_ground(ground, down));
}

}  // namespace
}  // namespace talus
