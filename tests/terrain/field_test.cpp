#include "terrain/field.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/flat_ground.h"

namespace talus {
namespace {

void expect_same_as_anew(Field& field, const IBox& box) {
  Field fresh(field.terrain());
  std::vector<double> mine(static_cast<std::size_t>(box.count())), anew(mine.size());
  field.read(box, mine);
  fresh.read(box, anew);
  ASSERT_EQ(mine, anew);
}

TEST(Field, EditsOfEverySizeAreThoseOfAFieldMadeAnew) {
  Field field(flat_ground());
  std::mt19937 random(1);
  std::uniform_real_distribution<double> at(-30, 30), radius(1, 9);
  for (int i = 0; i < 120; ++i) {
    const auto mode = i % 3 == 0 ? Brush::Mode::Fill : Brush::Mode::Dig;
    Brush brush = ball_brush(mode, {at(random), 0.3 * at(random), at(random)}, radius(random));
    if (i == 40 || i == 80) {  // a valley, deep enough to leave some of it
      brush = ball_brush(Brush::Mode::Dig, {0, 600.0 - i, 0}, 603);
    }
    field.edit(brush);
    if (i % 10 == 0 || i == 81) expect_same_as_anew(field, {{-40, -24, -40}, {40, 24, 40}});
  }
  EXPECT_EQ(field.terrain().edits.size(), 120u);
}

/// 20 km across: 10^10 blocks.
TEST(Field, AnEditOfAnySizeIsOneOfABoundedCost) {
  Field field(flat_ground());
  field.edit(ball_brush(Brush::Mode::Dig, {0, 0, 0}, 10'000));
  EXPECT_LT(field.sample({100, -9'000, 100}), 0);
  EXPECT_GT(field.sample({0, -10'010, 0}), 0);
  field.edit(ball_brush(Brush::Mode::Fill, {0, -9'990, 0}, 20));
  EXPECT_GT(field.sample({0, -9'980, 0}), 0);
}

}  // namespace
}  // namespace talus
