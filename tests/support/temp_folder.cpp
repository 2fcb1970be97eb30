#include "support/temp_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace talus {

TempFolder::TempFolder() {
  path_ = (std::filesystem::temp_directory_path() / "talus-test-XXXXXX").string();
  EXPECT_NE(::mkdtemp(path_.data()), nullptr);
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

int TempFolder::count() const {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

void write_text(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  EXPECT_TRUE(file) << path;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace talus
