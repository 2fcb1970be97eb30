#include "io/height_csv.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace talus {
namespace {

class HeightCsv : public testing::Test {
 protected:
  HeightGrid read(const std::string& text) {
    write_text(folder.file("a.csv"), text);
    return read_height_csv(folder.file("a.csv"));
  }
  std::string error(const std::string& text) {
    return error_of([&] { read(text); });
  }
  TempFolder folder;
};

TEST_F(HeightCsv, RowsInAnyOrderMakeTheGrid) {
  const HeightGrid grid = read(
      "\xEF\xBB\xBFname,height_m,z_m,x_m\r\na,6,20.5,11\r\nb,1,20,10\r\n\r\nc,2,20,10.5\r\n"
      "d,4,20.5,10\r\ne,5,20.5,10.5\r\nf,+3,20,11");
  EXPECT_EQ(grid.origin_x, 10);
  EXPECT_EQ(grid.origin_z, 20);
  EXPECT_EQ(grid.spacing, 0.5);
  EXPECT_EQ(grid.columns, 3);
  EXPECT_EQ(grid.rows, 2);
  EXPECT_EQ(grid.heights, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST_F(HeightCsv, PostsThatWereRoundedAreOnePost) {
  std::string text = "x,z,height\n";
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 4; ++i) {
      const double x = k % 2 ? 0.1 * i : (i == 3 ? 0.3 : 0.1 * i);
      char line[100];
      std::snprintf(line, sizeof line, "%.17g,%.17g,%d\n", x, 0.1 * k, i + 4 * k);
      text += line;
    }
  }
  const HeightGrid grid = read(text);
  EXPECT_EQ(grid.columns, 4);
  EXPECT_EQ(grid.rows, 4);
  EXPECT_EQ(grid.heights[13], 13);
}

TEST_F(HeightCsv, EveryFaultIsNamedWithItsLine) {
  const std::string good = "x,z,height\n0,0,1\n1,0,2\n0,1,3\n";
  EXPECT_NE(error(good).find("there is no row for x = 1, z = 1"), std::string::npos);
  EXPECT_EQ(error(good + "1,1,4\n"), "");
  EXPECT_NE(error(good + "1,1,4\n1,0,5\n").find(":6: x = 1, z = 0 is there already, in line 3"),
            std::string::npos);
  EXPECT_NE(error(good + "1,1,four\n").find(":5: 'four' is not"), std::string::npos);
  EXPECT_NE(error(good + "1,1,nan\n").find(":5: 'nan' is not"), std::string::npos);
  EXPECT_NE(error(good + "1,1\n").find(":5: has fewer"), std::string::npos);
  EXPECT_NE(error(good + "1,1,4\n2.5,0,4\n2.5,1,4\n").find("even spacing"), std::string::npos);
  EXPECT_NE(error("x,z,h\n").find(":1: the header has no column 'height'"), std::string::npos);
  EXPECT_NE(error("x,z,height\n"), "");
  EXPECT_NE(error(""), "");
  EXPECT_NE(error("x,z,height\n0,0,1\n1,0,1\n0,2,1\n1,2,1\n").find("spacing must be one"),
            std::string::npos);
}

TEST_F(HeightCsv, ADiagonalOfManyRowsTakesNoMemoryForTheSquare) {
  std::string text = "x,z,height\n";
  for (int i = 0; i < 100000; ++i) {
    text += std::to_string(i) + "," + std::to_string(i) + ",0\n";
  }
  EXPECT_NE(error(text).find("there is no row for x = 1, z = 0"), std::string::npos);
}

}  // namespace
}  // namespace talus
