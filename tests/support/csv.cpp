#include "support/csv.h"

#include <charconv>
#include <fstream>

#include <gtest/gtest.h>

namespace talus {

std::vector<std::vector<double>> read_numbers(const std::string& name) {
  std::ifstream file(std::string(TALUS_TEST_DATA "/") + name);
  EXPECT_TRUE(file) << "no test data " << name;
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    auto& row = rows.emplace_back();
    for (const char *at = line.data(), *end = at + line.size(); at < end;) {
      double value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      EXPECT_EQ(error, std::errc{}) << name << ": " << line;
      row.push_back(value);
      at = next + 1;
    }
  }
  return rows;
}

}  // namespace talus
