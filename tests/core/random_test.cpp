#include "core/random.h"

#include <gtest/gtest.h>

#include "support/csv.h"

namespace talus {
namespace {

TEST(Mulberry32, MatchesTheReferenceStream) {
  const auto rows = read_numbers("mulberry32.csv");
  ASSERT_EQ(rows.size(), 32u);
  for (const auto& row : rows) {
    Mulberry32 random(static_cast<std::uint32_t>(row[0]));
    double value = 0;
    for (int i = 0; i <= static_cast<int>(row[1]); ++i) value = random.next();
    EXPECT_EQ(value, row[2]) << "seed " << row[0] << " index " << row[1];
  }
}

}  // namespace
}  // namespace talus
