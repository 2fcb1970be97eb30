#include "terrain/noise.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace talus {

namespace {

constexpr std::array<std::uint8_t, 12> kGradients2 = {
    0,    kXNegative,        kYNegative, kXNegative | kYNegative, kNoY, kNoY | kXNegative,
    kNoY, kNoY | kXNegative, kNoX,       kNoX | kYNegative,       kNoX, kNoX | kYNegative};

constexpr std::array<std::uint8_t, 12> kGradients3 = {0,
                                                      kUNegative,
                                                      kVNegative,
                                                      kUNegative | kVNegative,  // x and y
                                                      kVIsZ,
                                                      kVIsZ | kUNegative,
                                                      kVIsZ | kVNegative,
                                                      kVIsZ | kUNegative | kVNegative,  // x and z
                                                      kUIsY | kVIsZ,
                                                      kUIsY | kVIsZ | kUNegative,
                                                      kUIsY | kVIsZ | kVNegative,  // y and z
                                                      kUIsY | kVIsZ | kUNegative | kVNegative};

double fourth_power_above_zero(double t) {
  t = std::max(0.0, t);
  t *= t;
  return t * t;
}

double corner2(std::uint8_t gradient, double x, double y) {
  const double t = fourth_power_above_zero(0.5 - x * x - y * y);
  const double u = gradient & kNoX ? 0.0 : x;
  const double v = gradient & kNoY ? 0.0 : y;
  return t * ((gradient & kXNegative ? -u : u) + (gradient & kYNegative ? -v : v));
}

double corner3(std::uint8_t gradient, double x, double y, double z) {
  const double t = fourth_power_above_zero(0.6 - x * x - y * y - z * z);
  const double u = gradient & kUIsY ? y : x;
  const double v = gradient & kVIsZ ? z : y;
  return t * ((gradient & kUNegative ? -u : u) + (gradient & kVNegative ? -v : v));
}

}  // namespace

Permutation draw_permutation(Mulberry32& random) {
  Permutation p;
  for (int i = 0; i < 256; ++i) p[i] = static_cast<std::uint8_t>(i);
  for (int i = 0; i < 255; ++i) {
    std::swap(p[i], p[i + static_cast<int>(std::floor(random.next() * (256 - i)))]);
  }
  return p;
}

std::uint8_t Simplex2::gradient(std::int64_t i, std::int64_t j) const {
  const auto& p = permutation_;
  return kGradients2[p[(i + p[j & 255]) & 255] % 12];
}

std::uint8_t Simplex3::gradient(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const auto& p = permutation_;
  return kGradients3[p[(i + p[(j + p[k & 255]) & 255]) & 255] % 12];
}

double Simplex2::operator()(double x, double y) const {
  const double s = (x + y) * kSkew2;
  const double i = std::floor(x + s), j = std::floor(y + s);
  const double t = (i + j) * kUnskew2;
  const double x0 = x - (i - t), y0 = y - (j - t);
  const int i1 = x0 > y0, j1 = 1 - i1;
  const auto ii = static_cast<std::int64_t>(i), jj = static_cast<std::int64_t>(j);
  const double n0 = corner2(gradient(ii, jj), x0, y0);
  constexpr double kG = kUnskew2;
  const double n1 =
      corner2(gradient(ii + i1, jj + j1), x0 + (i1 ? kG - 1 : kG), y0 + (j1 ? kG - 1 : kG));
  const double n2 = corner2(gradient(ii + 1, jj + 1), x0 + (2 * kG - 1), y0 + (2 * kG - 1));
  return 70 * (n0 + n1 + n2);
}

double Simplex3::operator()(double x, double y, double z) const {
  const double s = (x + y + z) * kSkew3;
  const double i = std::floor(x + s), j = std::floor(y + s), k = std::floor(z + s);
  const double t = (i + j + k) * kUnskew3;
  const double x0 = x - (i - t), y0 = y - (j - t), z0 = z - (k - t);
  // The order of the three decides through which two corners the simplex goes; ties go x, y, z.
  const bool a = x0 >= y0, b = y0 >= z0, c = x0 >= z0;
  const int i1 = a && c, j1 = !a && b, k1 = !(b || c);
  const int i2 = a || c, j2 = !a || b, k2 = !(b && c);
  const auto ii = static_cast<std::int64_t>(i), jj = static_cast<std::int64_t>(j),
             kk = static_cast<std::int64_t>(k);
  constexpr double kG = kUnskew3;
  const double n0 = corner3(gradient(ii, jj, kk), x0, y0, z0);
  const double n1 = corner3(gradient(ii + i1, jj + j1, kk + k1), x0 + (i1 ? kG - 1 : kG),
                            y0 + (j1 ? kG - 1 : kG), z0 + (k1 ? kG - 1 : kG));
  const double n2 = corner3(gradient(ii + i2, jj + j2, kk + k2), x0 + (i2 ? 2 * kG - 1 : 2 * kG),
                            y0 + (j2 ? 2 * kG - 1 : 2 * kG), z0 + (k2 ? 2 * kG - 1 : 2 * kG));
  const double n3 = corner3(gradient(ii + 1, jj + 1, kk + 1), x0 + (3 * kG - 1), y0 + (3 * kG - 1),
                            z0 + (3 * kG - 1));
  return 32 * (((n0 + n1) + n2) + n3);
}

}  // namespace talus
