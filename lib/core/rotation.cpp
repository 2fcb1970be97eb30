#include "core/rotation.h"

namespace talus {

Quat rotation_by(Vec3 turn) {
  // Halve until the series below is exact to the last bits, then square as often.
  double half2 = 0.25 * (turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  int squarings = 0;
  double scale = 0.5;
  while (half2 > 0.0625 && squarings < 64) {
    half2 *= 0.25;
    scale *= 0.5;
    ++squarings;
  }
  // sin(x)/x and cos(x) for x <= 1/4.
  const double x2 = half2;
  const double sine = 1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110))));
  const double cosine = 1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56 * (1 - x2 / 90))));
  Quat q(cosine, turn.x * scale * sine, turn.y * scale * sine, turn.z * scale * sine);
  for (int i = 0; i < squarings; ++i) {
    q = normalized(Quat(q.w * q.w - q.x * q.x - q.y * q.y - q.z * q.z, 2 * q.w * q.x, 2 * q.w * q.y,
                        2 * q.w * q.z));
  }
  return q;
}

}  // namespace talus
