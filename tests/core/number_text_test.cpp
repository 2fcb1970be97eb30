#include "core/number_text.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace talus {
namespace {

TEST(NumberText, TakesWholeFiniteNumbersOnly) {
  EXPECT_EQ(read_number("-1.5"), -1.5);
  EXPECT_EQ(read_number("+2e3"), 2000.0);
  EXPECT_EQ(read_number(".5"), 0.5);
  for (const char* text :
       {"", " 1", "1 ", "1,5", "1x", "nan", "inf", "-inf", "1e999", "+-1", "++1", "-", "0x10"}) {
    EXPECT_FALSE(read_number(text)) << text;
  }
}

TEST(NumberText, TakesWholeIntegersThatFit) {
  EXPECT_EQ(read_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read_integer("+7"), 7);
  for (const char* text : {"", "9223372036854775808", "1.0", "1e3", "0x10", "seven"}) {
    EXPECT_FALSE(read_integer(text)) << text;
  }
}

TEST(NumberText, ReadingWhatWasWrittenGivesTheSameBits) {
  for (const double value : {0.1, -0.0, 1e6, 1e23, 5e-324, 1.7976931348623157e308, 1.0 / 3}) {
    const auto back = read_number(number_text(value));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, value);
    EXPECT_EQ(std::signbit(*back), std::signbit(value));
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1000000), "1000000");
}

}  // namespace
}  // namespace talus
