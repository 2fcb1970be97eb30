#include "terrain/gradient_table.h"

#include <cmath>

namespace talus {

// The skewed cell of a point is found by sums and products that round monotonically, so that over a
// box the two extreme corners give the first and the last cell. A simplex reaches one point past
// its cell.

GradientTable2 make_table(const Simplex2& noise, double x_lo, double x_hi, double y_lo,
                          double y_hi) {
  const double s_lo = (x_lo + y_lo) * kSkew2, s_hi = (x_hi + y_hi) * kSkew2;
  GradientTable2 table{.noise = &noise};
  table.i0 = std::floor(x_lo + s_lo);
  table.j0 = std::floor(y_lo + s_lo);
  table.fits = std::floor(x_hi + s_hi) - table.i0 <= 6 && std::floor(y_hi + s_hi) - table.j0 <= 6;
  if (!table.fits) return table;
  const auto i0 = static_cast<std::int64_t>(table.i0), j0 = static_cast<std::int64_t>(table.j0);
  for (int entry = 0; entry < 64; ++entry) {
    table.gradients[entry] = noise.gradient(i0 + entry % 8, j0 + entry / 8);
  }
  return table;
}

GradientTable3 make_table(const Simplex3& noise, const Box& box) {
  const double s_lo = (box.lo.x + box.lo.y + box.lo.z) * kSkew3;
  const double s_hi = (box.hi.x + box.hi.y + box.hi.z) * kSkew3;
  const auto cell = [](double x, double s) { return std::floor(x + s); };
  GradientTable3 table{.noise = &noise};
  table.i0 = cell(box.lo.x, s_lo);
  table.j0 = cell(box.lo.y, s_lo);
  table.k0 = cell(box.lo.z, s_lo);
  table.fits = cell(box.hi.x, s_hi) - table.i0 <= 2 && cell(box.hi.y, s_hi) - table.j0 <= 2 &&
               cell(box.hi.z, s_hi) - table.k0 <= 2;
  if (!table.fits) return table;
  const auto i0 = static_cast<std::int64_t>(table.i0), j0 = static_cast<std::int64_t>(table.j0),
             k0 = static_cast<std::int64_t>(table.k0);
  for (int entry = 0; entry < 64; ++entry) {
    table.gradients[entry] = noise.gradient(i0 + entry % 4, j0 + entry / 4 % 4, k0 + entry / 16);
  }
  return table;
}

}  // namespace talus
