#include "io/png.h"

#include <cassert>
#include <csetjmp>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

#include "core/error.h"
#include "io/atomic_file.h"
#include "io/read_file.h"

namespace talus {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 28;

// libpng reports an error through a callback that must not return, and is C: no exception may pass
// through it. So the message is kept and the call site, which has nothing to destroy, is jumped
// back to.
struct Session {
  std::string message;
  std::jmp_buf back;
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* session = static_cast<Session*>(png_get_error_ptr(png));
  session->message = message;
  std::longjmp(session->back, 1);
}

void on_warning(png_structp, png_const_charp) {}

struct Source {
  const std::string& bytes;
  std::size_t at = 0;
};

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->bytes.size() - source->at) png_error(png, "the file is cut short");
  std::memcpy(to, source->bytes.data() + source->at, count);
  source->at += count;
}

struct Reader {
  Session session;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning);
  png_infop info = png_create_info_struct(png);
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

bool read_head(Reader& reader, Source& source) {
  if (setjmp(reader.session.back) != 0) return false;
  png_set_read_fn(reader.png, &source, read_bytes);
  png_read_info(reader.png, reader.info);
  return true;
}

// To 16 bits from any number of them, without the alpha that a transparent grey would become, and
// from PNG's byte order to the machine's.
bool read_rows(Reader& reader, std::vector<png_bytep>& rows) {
  if (setjmp(reader.session.back) != 0) return false;
  png_set_expand_16(reader.png);
  png_set_strip_alpha(reader.png);
  png_set_swap(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  const std::size_t row_bytes = 2 * std::size_t{png_get_image_width(reader.png, reader.info)};
  if (png_get_rowbytes(reader.png, reader.info) != row_bytes) png_error(reader.png, "not grey");
  png_read_image(reader.png, rows.data());
  png_read_end(reader.png, nullptr);
  return true;
}

struct Writer {
  Session session;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning);
  png_infop info = png_create_info_struct(png);
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

void keep_bytes(png_structp png, png_bytep from, std::size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<const char*>(from), count);
}

void flush_nothing(png_structp) {}

bool encode(Writer& writer, const RgbImage& image, std::vector<png_bytep>& rows, std::string& out) {
  if (setjmp(writer.session.back) != 0) return false;
  png_set_write_fn(writer.png, &out, keep_bytes, flush_nothing);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(writer.png, writer.info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(writer.png, writer.info);
  png_write_image(writer.png, rows.data());
  png_write_end(writer.png, nullptr);
  return true;
}

// Throws where the header asks for what is not read, or for more than the file can hold: deflate
// makes nothing more than 1032 times smaller.
void check_head(const std::string& path, const Reader& reader, std::uint64_t file_bytes) {
  const std::uint64_t width = png_get_image_width(reader.png, reader.info);
  const std::uint64_t height = png_get_image_height(reader.png, reader.info);
  if (png_get_color_type(reader.png, reader.info) != PNG_COLOR_TYPE_GRAY) {
    throw Error(fmt::format("{}: heights must be a greyscale image without alpha", path));
  }
  if (width * height > kMostPixels) {
    throw Error(
        fmt::format("{}: {} x {} pixels; the limit is {}", path, width, height, kMostPixels));
  }
  const std::uint64_t row_bytes = png_get_rowbytes(reader.png, reader.info);
  if (height * row_bytes / 1032 > file_bytes) {
    throw Error(fmt::format("{}: the file is cut short", path));
  }
}

}  // namespace

GreyImage read_grey_png(const std::string& path) {
  const std::string bytes = read_file(path, kMostBytes);
  Source source{bytes};
  Reader reader;
  const auto damaged = [&] { return Error(fmt::format("{}: {}", path, reader.session.message)); };
  if (!read_head(reader, source)) throw damaged();
  check_head(path, reader, bytes.size());

  GreyImage image;
  image.width = static_cast<int>(png_get_image_width(reader.png, reader.info));
  image.height = static_cast<int>(png_get_image_height(reader.png, reader.info));
  const auto width = static_cast<std::size_t>(image.width);
  image.pixels.resize(width * static_cast<std::size_t>(image.height));
  std::vector<png_bytep> rows;
  for (std::size_t row = 0; row < static_cast<std::size_t>(image.height); ++row) {
    rows.push_back(reinterpret_cast<png_bytep>(image.pixels.data() + row * width));
  }
  if (!read_rows(reader, rows)) throw damaged();
  return image;
}

void write_png(const std::string& path, const RgbImage& image) {
  const auto row_bytes = 3 * static_cast<std::size_t>(image.width);
  assert(image.width > 0 && image.height > 0);
  assert(image.pixels.size() == row_bytes * static_cast<std::size_t>(image.height));
  AtomicFile file(path, FileKind::Png);
  std::vector<std::uint8_t> pixels = image.pixels;  // libpng wants them mutable
  std::vector<png_bytep> rows;
  for (std::size_t at = 0; at < pixels.size(); at += row_bytes) rows.push_back(&pixels[at]);
  std::string encoded;
  Writer writer;
  if (!encode(writer, image, rows, encoded)) {
    throw Error(fmt::format("cannot write {}: {}", path, writer.session.message), Trouble::Output);
  }
  file.write(encoded);
  file.commit();
}

}  // namespace talus
