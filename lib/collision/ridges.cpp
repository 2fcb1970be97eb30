#include "collision/ridges.h"

#include <array>
#include <cmath>
#include <cstddef>

#include <glm/geometric.hpp>

namespace talus {

namespace {

/// A face that two cells share: its corners' samples, (0, 0), (1, 0), (0, 1), (1, 1), and by how
/// much each is over the next one behind it and under the next one before it, along the axis
/// across.
struct SharedFace {
  std::array<double, 4> corners, before, after;
};

struct Place {
  double u, v;
};

double blended(const std::array<double, 4>& s, Place at) {
  const double low = s[0] + (s[1] - s[0]) * at.u, high = s[2] + (s[3] - s[2]) * at.u;
  return low + (high - low) * at.v;
}

/// The lines along which the surface crosses a face: none, one or two.
struct Lines {
  int count = 0;
  std::array<std::array<Place, 2>, 2> ends;
  void add(Place a, Place b) { ends[static_cast<std::size_t>(count++)] = {a, b}; }
};
Lines lines_across(const std::array<double, 4>& s) {
  const auto part = [](double from, double to) { return from / (from - to); };
  const auto parts = [&](std::size_t i, std::size_t j) { return (s[i] > 0) != (s[j] > 0); };
  std::array<Place, 4> crossings;  // counter-clockwise
  std::size_t count = 0;
  if (parts(0, 1)) crossings[count++] = {part(s[0], s[1]), 0};
  if (parts(1, 3)) crossings[count++] = {1, part(s[1], s[3])};
  if (parts(2, 3)) crossings[count++] = {part(s[2], s[3]), 1};
  if (parts(0, 2)) crossings[count++] = {0, part(s[0], s[2])};
  Lines lines;
  if (count == 2) lines.add(crossings[0], crossings[1]);
  if (count == 4) {
    // The saddle's middle says which corners belong together (Nielson and Hamann, 1991).
    const double sum = s[0] + s[3] - s[1] - s[2];
    const double middle = (s[0] * s[3] - s[1] * s[2]) / sum;
    const std::size_t first = (s[0] > 0) == (middle > 0) ? 0 : 3;
    lines.add(crossings[first], crossings[(first + 1) % 4]);
    lines.add(crossings[(first + 2) % 4], crossings[(first + 3) % 4]);
  }
  return lines;
}

bool all_alike(const double* s, std::ptrdiff_t u, std::ptrdiff_t v) {
  const bool solid = s[0] > 0;
  return (s[u] > 0) == solid && (s[v] > 0) == solid && (s[u + v] > 0) == solid;
}

SharedFace face_at(const double* s, std::ptrdiff_t u, std::ptrdiff_t v, std::ptrdiff_t across) {
  SharedFace face;
  const std::array<std::ptrdiff_t, 4> offsets = {0, u, v, u + v};
  for (std::size_t i = 0; i < 4; ++i) {
    const double* at = s + offsets[i];
    face.corners[i] = *at;
    face.before[i] = *at - *(at - across);
    face.after[i] = *(at + across) - *at;
  }
  return face;
}

/// Adds the creases of a face across axis w at `first`, its least corner.
void add_ridges(const SharedFace& face, IVec3 first, int w, std::vector<RidgeEdge>& ridges) {
  const int u = (w + 1) % 3, v = (w + 2) % 3;
  const Lines lines = lines_across(face.corners);
  for (int i = 0; i < lines.count; ++i) {
    const auto& [a, b] = lines.ends[static_cast<std::size_t>(i)];
    const Place middle{0.5 * (a.u + b.u), 0.5 * (a.v + b.v)};
    const auto& s = face.corners;
    const double along_u = s[1] - s[0] + (s[3] - s[1] - s[2] + s[0]) * middle.v;
    const double along_v = s[2] - s[0] + (s[3] - s[1] - s[2] + s[0]) * middle.u;
    const double before = blended(face.before, middle), after = blended(face.after, middle);
    const double flat2 = along_u * along_u + along_v * along_v, mean = 0.5 * (before + after);
    const double bend = before - after;
    if (!(bend > 0) || bend * bend < kSharp * kSharp * (flat2 + mean * mean)) continue;
    const auto outward = [&](double along_w) {
      Vec3 gradient;
      gradient[u] = along_u;
      gradient[v] = along_v;
      gradient[w] = along_w;
      return -glm::normalize(gradient);
    };
    const auto point = [&](Place at) {
      Vec3 p(first);
      p[u] += at.u;
      p[v] += at.v;
      return Vec3f(p);
    };
    const Vec3 one = outward(before), other = outward(after);
    const Vec3 normal = glm::normalize(one + other);
    ridges.push_back(
        {point(a), point(b), Vec3f(normal), static_cast<float>(glm::dot(normal, one))});
  }
}

}  // namespace

void find_ridges(std::span<const double> samples, IVec3 size, std::vector<RidgeEdge>& ridges) {
  ridges.clear();
  const std::array<std::ptrdiff_t, 3> strides = {1, size.x, std::ptrdiff_t{size.x} * size.y};
  for (int w = 0; w < 3; ++w) {
    const std::ptrdiff_t across = strides[static_cast<std::size_t>(w)],
                         along_u = strides[static_cast<std::size_t>((w + 1) % 3)],
                         along_v = strides[static_cast<std::size_t>((w + 2) % 3)];
    IVec3 lo(0), hi = size - IVec3(1);
    lo[w] = 1;
    for (int z = lo.z; z < hi.z; ++z) {
      for (int y = lo.y; y < hi.y; ++y) {
        for (int x = lo.x; x < hi.x; ++x) {
          const double* s = samples.data() + x + y * strides[1] + z * strides[2];
          if (all_alike(s, along_u, along_v)) continue;
          add_ridges(face_at(s, along_u, along_v, across), {x, y, z}, w, ridges);
        }
      }
    }
  }
}

}  // namespace talus
