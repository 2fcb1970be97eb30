#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

#include "meshing/bit_rows.h"
#include "meshing/mesher.h"

namespace talus {

namespace {

/// One plane of unit faces that look the same way: a bit a face, 64 columns wide.
using Slice = std::vector<std::uint64_t>;

/// The rectangle of faces [u, u + width) x [v, v + height) of the cubes in layer `depth` (in
/// samples from own.lo) that look along an axis: u and v count along the other two axes, the
/// earlier first.
struct Quad {
  std::int32_t axis, high;  // high: towards the axis' high end
  std::int32_t depth, u, v, width, height;
};

/// Writes quads into a mesh that has room for them.
class QuadWriter {
 public:
  QuadWriter(Mesh& mesh, double step)
      : mesh_(mesh), unit_(static_cast<float>(step / kGridPerStep)) {}

  void write(const std::vector<Quad>& quads) {
    mesh_.positions.resize(4 * quads.size());
    mesh_.normals.resize(4 * quads.size());
    mesh_.indices.resize(6 * quads.size());
    for (std::size_t i = 0; i < quads.size(); ++i) write_one(quads[i], i);
  }

 private:
  void write_one(const Quad& q, std::size_t number) {
    const int u = q.axis == 0 ? 1 : 0, v = q.axis == 2 ? 1 : 2;
    Vec3f normal(0);
    normal[q.axis] = q.high != 0 ? 1.0f : -1.0f;
    Vec3f low(0), high(0);
    low[q.axis] = high[q.axis] = coordinate(q.depth + q.high);
    low[u] = coordinate(q.u);
    low[v] = coordinate(q.v);
    high[u] = coordinate(q.u + q.width);
    high[v] = coordinate(q.v + q.height);
    Vec3f beside = low, above = high;
    beside[u] = high[u];
    above[u] = low[u];
    Vec3f* positions = mesh_.positions.data() + 4 * number;
    positions[0] = low;
    positions[1] = beside;
    positions[2] = high;
    positions[3] = above;
    std::fill_n(mesh_.normals.data() + 4 * number, 4, normal);
    // Going u then v turns about +axis for x and z, about -axis for y.
    const bool flip = (q.high != 0) == (q.axis == 1);
    const auto first = static_cast<std::uint32_t>(4 * number);
    const std::uint32_t second = first + (flip ? 3 : 1), last = first + (flip ? 1 : 3);
    std::uint32_t* indices = mesh_.indices.data() + 6 * number;
    indices[0] = indices[3] = first;
    indices[1] = second;
    indices[2] = indices[4] = first + 2;
    indices[5] = last;
  }

  /// Cubes reach half a step around their samples.
  float coordinate(int sample) const {
    constexpr int kHalf = kGridPerStep / 2;
    return static_cast<float>(sample * kGridPerStep - kHalf) * unit_;
  }

  Mesh& mesh_;
  float unit_;
};

/// Takes the faces out of the slice as rectangles: the lowest face left, widened along u as far as
/// it goes, then along v as long as a whole row of that width is there.
template <class Emit>
void take_rectangles(Slice& slice, bool merge, const Emit& emit) {
  for (std::size_t v = 0; v < slice.size(); ++v) {
    while (slice[v] != 0) {
      const int u = std::countr_zero(slice[v]);
      const int width = merge ? std::countr_one(slice[v] >> u) : 1;
      const std::uint64_t row = (width == 64 ? ~0ull : (1ull << width) - 1) << u;
      std::size_t end = v;
      do {
        slice[end++] &= ~row;
      } while (merge && end < slice.size() && (slice[end] & row) == row);
      emit(u, static_cast<int>(v), width, static_cast<int>(end - v));
    }
  }
}

/// The faces of one direction, 64 columns of the slices at a time.
class Faces {
 public:
  Faces(const SolidBits& solid, IVec3 size) : solid_(solid), size_(size) {}

  /// 64 samples of a row of owned samples, from x on; x may be -1, and bits past the row are cut
  /// off by the caller.
  std::uint64_t row(int x, int y, int z) const {
    const int at = x + kApron;
    const std::size_t word = solid_.row(y + kApron, z + kApron) + static_cast<std::size_t>(at / 64);
    const int shift = at % 64;
    const std::uint64_t low = solid_.words[word] >> shift;
    const bool more = shift > 0 && at / 64 + 1 < solid_.words_per_row;
    return more ? low | solid_.words[word + 1] << (64 - shift) : low;
  }
  /// Which of the 64 samples from x on are owned.
  std::uint64_t owned(int x) const {
    const int n = size_.x - x;
    return n >= 64 ? ~0ull : (1ull << n) - 1;
  }
  std::uint64_t exposed(int x, int y, int z, int axis, int side) const {
    IVec3 beyond(x, y, z);
    beyond[axis] += side;
    return row(x, y, z) & ~row(beyond.x, beyond.y, beyond.z) & owned(x);
  }

 private:
  const SolidBits& solid_;
  IVec3 size_;
};

void faces_across_y_or_z(const Faces& faces, IVec3 size, int axis, int side, bool merge,
                         std::vector<Quad>& quads) {
  const int across = axis == 1 ? size.z : size.y;
  Slice slice(static_cast<std::size_t>(across));
  for (int depth = 0; depth < size[axis]; ++depth) {
    for (int x = 0; x < size.x; x += 64) {
      for (int v = 0; v < across; ++v) {
        const int y = axis == 1 ? depth : v, z = axis == 1 ? v : depth;
        slice[static_cast<std::size_t>(v)] = faces.exposed(x, y, z, axis, side);
      }
      take_rectangles(slice, merge, [&](int u, int v, int width, int height) {
        quads.push_back({axis, side > 0, depth, x + u, v, width, height});
      });
    }
  }
}

/// Rows run along x, so faces across x are first sorted into slices, a bit at a time.
void faces_across_x(const Faces& faces, IVec3 size, int side, bool merge,
                    std::vector<Quad>& quads) {
  std::vector<Slice> slices(64, Slice(static_cast<std::size_t>(size.z)));
  for (int x = 0; x < size.x; x += 64) {
    for (int y0 = 0; y0 < size.y; y0 += 64) {
      for (int z = 0; z < size.z; ++z) {
        for (int y = y0; y < size.y && y < y0 + 64; ++y) {
          std::uint64_t left = faces.exposed(x, y, z, 0, side);
          for (; left != 0; left &= left - 1) {
            const auto at = static_cast<std::size_t>(std::countr_zero(left));
            slices[at][static_cast<std::size_t>(z)] |= 1ull << (y - y0);
          }
        }
      }
      for (int depth = x; depth < size.x && depth < x + 64; ++depth) {
        take_rectangles(slices[static_cast<std::size_t>(depth - x)], merge,
                        [&](int u, int v, int width, int height) {
                          quads.push_back({0, side > 0, depth, y0 + u, v, width, height});
                        });
      }
    }
  }
}

}  // namespace

Mesh mesh_blocks(const Samples& samples, const IBox& own, const MeshingOptions& options) {
  assert(samples.lattice.box() == with_apron(own));
  const IVec3 size = own.size();
  const Faces faces(samples.solid, size);
  Mesh mesh;
  mesh.origin = samples.lattice.step * Vec3(own.lo);
  if (is_uniform(samples.solid)) return mesh;
  thread_local std::vector<Quad> quads;  // its memory serves the next mesh
  quads.clear();
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      if (axis == 0) {
        faces_across_x(faces, size, side, options.merge, quads);
      } else {
        faces_across_y_or_z(faces, size, axis, side, options.merge, quads);
      }
    }
  }
  QuadWriter(mesh, samples.lattice.step).write(quads);
  return mesh;
}

}  // namespace talus
