#include "io/obj_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace talus {
namespace {

// A short text that is copied whole, whatever its length, which is faster than copying the length.
template <std::size_t kRoom>
struct ShortText {
  std::array<char, kRoom> text{};
  std::uint32_t length = 0;

  char* copy_to(char* at) const {
    std::memcpy(at, text.data(), kRoom);
    return at + length;
  }
};

using Fraction = ShortText<12>;
using Decimal = ShortText<8>;
using Corner = ShortText<44>;

// The exact decimals of i/1024: "" for 0, ".5" for 512, ".0009765625" for 1.
std::array<Fraction, 1024> make_fractions() {
  std::array<Fraction, 1024> table;
  for (unsigned i = 1; i < 1024; ++i) {
    Fraction& entry = table[i];
    entry.text[entry.length++] = '.';
    for (unsigned rest = i; rest != 0; rest = rest * 10 % 1024) {
      entry.text[entry.length++] = static_cast<char>('0' + rest * 10 / 1024);
    }
  }
  return table;
}

// i / 10 000 with four decimals, for i = 0 .. 10 000.
std::vector<Decimal> make_decimals() {
  std::vector<Decimal> table(10001);
  for (unsigned i = 0; i <= 10000; ++i) {
    const unsigned digits[] = {i / 10000, i / 1000 % 10, i / 100 % 10, i / 10 % 10, i % 10};
    const char text[] = {static_cast<char>('0' + digits[0]), '.',
                         static_cast<char>('0' + digits[1]), static_cast<char>('0' + digits[2]),
                         static_cast<char>('0' + digits[3]), static_cast<char>('0' + digits[4])};
    std::memcpy(table[i].text.data(), text, sizeof text);
    table[i].length = sizeof text;
  }
  return table;
}

constexpr std::size_t kNumberRoom = 32;  // of any double, and of what a table copies past its end

char* put_integer(char* at, std::uint64_t value) {
  return std::to_chars(at, at + 20, value).ptr;
}

char* put_exact(char* at, double value) {
  static const auto kFractions = make_fractions();
  constexpr double kFastLimit = 0x1p30;
  const double steps = value * 1024;
  if (!(std::abs(steps) < kFastLimit) || static_cast<double>(static_cast<int>(steps)) != steps) {
    return std::to_chars(at, at + kNumberRoom, value).ptr;
  }
  const int step = static_cast<int>(steps);
  if (step < 0) *at++ = '-';
  const auto size = static_cast<unsigned>(std::abs(step));
  at = put_integer(at, size / 1024);
  return kFractions[size % 1024].copy_to(at);
}

// Four decimals of a number in [-1, 1].
char* put_rounded(char* at, float value) {
  static const auto kDecimals = make_decimals();
  const float scaled = std::clamp(value, -1.0f, 1.0f) * 10000.0f;
  const int rounded = static_cast<int>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  if (rounded < 0) *at++ = '-';
  return kDecimals[static_cast<std::size_t>(std::abs(rounded))].copy_to(at);
}

// " 7//7", or " 7" where there are no normals.
Corner make_corner(std::uint64_t number, bool with_normal) {
  Corner corner;
  char* at = corner.text.data();
  *at++ = ' ';
  at = put_integer(at, number);
  if (with_normal) {
    *at++ = '/';
    *at++ = '/';
    at = put_integer(at, number);
  }
  corner.length = static_cast<std::uint32_t>(at - corner.text.data());
  return corner;
}

// Lines are written into room for their longest text, and cut to what they took.
template <class PutLine>
void append_lines(std::string& out, std::size_t count, std::size_t room, const PutLine& put_line) {
  constexpr std::size_t kBlock = 4096;
  std::vector<char> block(std::min(count, kBlock) * room);
  for (std::size_t first = 0; first < count; first += kBlock) {
    char* at = block.data();
    const std::size_t end = std::min(count, first + kBlock);
    for (std::size_t i = first; i < end; ++i) at = put_line(at, i);
    out.append(block.data(), static_cast<std::size_t>(at - block.data()));
  }
}

}  // namespace

void append_obj_vertices(std::string& out, std::span<const Vec3f> positions,
                         std::span<const Vec3f> colors, Vec3 shift) {
  constexpr std::size_t kRoom = 6 * (kNumberRoom + 1) + 4;
  append_lines(out, positions.size(), kRoom, [&](char* at, std::size_t i) {
    const Vec3 position = Vec3(positions[i]) + shift;
    *at++ = 'v';
    for (int axis = 0; axis < 3; ++axis) {
      *at++ = ' ';
      at = put_exact(at, position[axis]);
    }
    for (int channel = 0; channel < (colors.empty() ? 0 : 3); ++channel) {
      *at++ = ' ';
      at = put_rounded(at, colors[i][channel]);
    }
    *at++ = '\n';
    return at;
  });
}

void append_obj_normals(std::string& out, std::span<const Vec3f> normals) {
  constexpr std::size_t kRoom = 3 * 12 + 8;
  append_lines(out, normals.size(), kRoom, [&](char* at, std::size_t i) {
    *at++ = 'v';
    *at++ = 'n';
    for (int axis = 0; axis < 3; ++axis) {
      *at++ = ' ';
      at = put_rounded(at, normals[i][axis]);
    }
    *at++ = '\n';
    return at;
  });
}

void append_obj_faces(std::string& out, std::span<const std::uint32_t> indices,
                      std::uint64_t first_vertex, bool with_normals) {
  if (indices.empty()) return;
  // A vertex is a corner of six triangles or so: its text is made once.
  const auto [lowest, highest] = std::minmax_element(indices.begin(), indices.end());
  const std::uint32_t base = *lowest;
  const std::size_t used = std::size_t{*highest} - base + 1;
  std::vector<Corner> corners(used <= indices.size() ? used : 0);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i] = make_corner(first_vertex + base + i, with_normals);
  }
  constexpr std::size_t kRoom = 3 * sizeof(Corner) + 4;
  append_lines(out, indices.size() / 3, kRoom, [&](char* at, std::size_t triangle) {
    *at++ = 'f';
    for (const std::uint32_t index : indices.subspan(3 * triangle, 3)) {
      at = corners.empty() ? make_corner(first_vertex + index, with_normals).copy_to(at)
                           : corners[index - base].copy_to(at);
    }
    *at++ = '\n';
    return at;
  });
}

}  // namespace talus
