// PNG images: heights in, pictures out. By libpng.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace talus {

/// Rows from the top, pixels from the left.
struct GreyImage {
  int width = 0, height = 0;
  std::vector<std::uint16_t> pixels;
};

/// Rows from the top, pixels from the left, three bytes each: sRGB.
struct RgbImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// A greyscale PNG of up to 16 bits; fewer bits are widened to the full range (8 bits: times 257).
/// Throws Error for anything else, for damaged files, and for over 2^28 pixels.
GreyImage read_grey_png(const std::string& path);

/// Throws Error (Trouble::Output).
void write_png(const std::string& path, const RgbImage& image);

}  // namespace talus
