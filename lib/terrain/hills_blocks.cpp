#include "terrain/hills_blocks.h"

namespace talus {

namespace {

// How far a noise can be from the value blended between a block's eight corners, and so from their
// range: blending is taking means, an axis after the other. The sum over all lattice corners within
// the kernel's reach is smooth, with a second derivative of at most 37.45 along any axis
// (the maximum over positions and over the worst gradients at every corner, by numerical search):
// over an edge of length h that allows h^2 / 8 of it an axis. What the simplex leaves out of that
// sum is at most 0.0059, on either side of the comparison.
constexpr double kCurvature = 38;
constexpr double kJump = 2 * 0.0059;
double noise_margin(double step, double scale_x, double scale_y, double scale_z) {
  const auto along = [&](double scale) {
    const double h = kBlockSide * step / scale;
    return h * h;
  };
  return kCurvature / 8 * (along(scale_x) + along(scale_y) + along(scale_z)) + kJump;
}

}  // namespace

NoiseMargins noise_margins(const HillsValues& v, double step) {
  return {noise_margin(step, v.overhang_scale_x_m, v.overhang_scale_y_m, v.overhang_scale_z_m),
          noise_margin(step, v.cave_scale_x_m, v.cave_scale_y_m, v.cave_scale_z_m)};
}

}  // namespace talus
