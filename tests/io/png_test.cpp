#include "io/png.h"

#include <gtest/gtest.h>
#include <png.h>

#include "support/temp_folder.h"

namespace talus {
namespace {

// By libpng's simplified interface and by its rows: another way than the reader's.
void write_grey(const std::string& path, int width, int height, int bits, int interlace,
                const std::vector<std::uint8_t>& bytes) {
  FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits,
               PNG_COLOR_TYPE_GRAY, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_color_16 clear{};
  png_set_tRNS(png, info, nullptr, 0, &clear);
  png_write_info(png, info);
  std::vector<std::uint8_t> copy = bytes;
  std::vector<png_bytep> rows;
  rows.reserve(static_cast<std::size_t>(height));
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  for (int row = 0; row < height; ++row) {
    rows.push_back(copy.data() + static_cast<std::size_t>(row) * row_bytes);
  }
  png_write_image(png, rows.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

TEST(GreyPng, SixteenBitsComeAsTheyAre) {
  const TempFolder folder;
  for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
    write_grey(folder.file("a.png"), 3, 2, 16, interlace,
               {0, 0, 0, 1, 1, 0, 0xFF, 0xFF, 0x12, 0x34, 0x80, 0});
    const GreyImage image = read_grey_png(folder.file("a.png"));
    EXPECT_EQ(image.width, 3);
    EXPECT_EQ(image.height, 2);
    EXPECT_EQ(image.pixels, (std::vector<std::uint16_t>{0, 1, 256, 65535, 0x1234, 0x8000}));
  }
}

TEST(GreyPng, FewerBitsAreWidenedToTheFullRange) {
  const TempFolder folder;
  write_grey(folder.file("a.png"), 3, 1, 8, PNG_INTERLACE_NONE, {0, 1, 255});
  EXPECT_EQ(read_grey_png(folder.file("a.png")).pixels,
            (std::vector<std::uint16_t>{0, 257, 65535}));
  write_grey(folder.file("a.png"), 4, 1, 1, PNG_INTERLACE_NONE, {0xA0});
  EXPECT_EQ(read_grey_png(folder.file("a.png")).pixels,
            (std::vector<std::uint16_t>{65535, 0, 65535, 0}));
}

TEST(GreyPng, EveryTruncatedPrefixIsAnError) {
  const TempFolder folder;
  write_grey(folder.file("a.png"), 3, 2, 16, PNG_INTERLACE_NONE,
             {0, 0, 0, 1, 1, 0, 0xFF, 0xFF, 0x12, 0x34, 0x80, 0});
  const std::string bytes = read_text(folder.file("a.png"));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    write_text(folder.file("b.png"), bytes.substr(0, length));
    EXPECT_NE(error_of([&] { read_grey_png(folder.file("b.png")); }), "") << length;
  }
}

TEST(GreyPng, ATinyFileThatClaimsToBeHugeTakesNoMemory) {
  const TempFolder folder;
  write_grey(folder.file("a.png"), 16384, 1, 16, PNG_INTERLACE_NONE,
             std::vector<std::uint8_t>(32768));
  std::string bytes = read_text(folder.file("a.png"));
  bytes[22] = 64;  // height 16 384, of IHDR; its checksum does not fit any more either
  write_text(folder.file("a.png"), bytes);
  EXPECT_NE(error_of([&] { read_grey_png(folder.file("a.png")); }), "");
}

TEST(RgbPng, ReadingWhatWasWrittenGivesTheSame) {
  const TempFolder folder;
  RgbImage image{5, 4, {}};
  for (int i = 0; i < 60; ++i) image.pixels.push_back(static_cast<std::uint8_t>(i * 37));
  write_png(folder.file("a.png"), image);
  png_image found{};
  found.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&found, folder.file("a.png").c_str()));
  EXPECT_EQ(found.width, 5u);
  EXPECT_EQ(found.height, 4u);
  found.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(60);
  ASSERT_TRUE(png_image_finish_read(&found, nullptr, pixels.data(), 0, nullptr));
  EXPECT_EQ(pixels, image.pixels);
  EXPECT_NE(error_of([&] { read_grey_png(folder.file("a.png")); }).find("greyscale"),
            std::string::npos);
}

TEST(RgbPng, AFullDiskIsAnOutputError) {
  EXPECT_NE(error_of([] {
              write_png("/dev/full", RgbImage{1, 1, {1, 2, 3}});
            }).find("No space"),
            std::string::npos);
}

}  // namespace
}  // namespace talus
