// What the tests of bakes share: a folder that goes away, and a small piece of the hills.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "bake/bake.h"

namespace talus {

class BakeTest : public testing::Test {
 protected:
  BakeTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("talus_" + std::string(test->name()) + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~BakeTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string bytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Hills with overhangs and caves; its faces are on no multiple of the chunk.
  static BakeRequest hills() {
    BakeRequest request;
    request.spec = TerrainSpec{};
    request.terrain = {make_preset(*request.spec), {}};
    request.region = {{300, -5, -70}, {341, 70, -31}};
    request.chunk = 16;
    return request;
  }

  std::filesystem::path folder_;
};

/// The message of the Error that the work ends with; empty when it ends well.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace talus
