// The terrain as a continuous density, for whoever asks at points: queries, bodies, the walker.
//
// Between the samples on the whole metres the density is blended trilinearly. Samples are worked
// out when first asked for, in blocks of 8 m, and kept: blocks that an edit changed up to 128 MiB
// of them, so that the preset is seldom asked for them again; the others in a smaller cache.
//
// A Field belongs to one thread. Answers depend on the terrain and its edits only, never on what
// was asked before.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "core/box.h"
#include "terrain/terrain.h"

namespace talus {

/// The blended density at a point and its gradient (per metre), which points into the ground.
struct Probe {
  double density;
  Vec3 gradient;
};

/// The surface as seen from a point: distance (metres, negative inside the ground) and the unit
/// normal that leads out. First order: exact for planes, good near the surface.
struct NearestSurface {
  double distance;
  Vec3 normal;
};

/// The blend in a cell of one metre from the densities at its corners (x fastest, then y, then z),
/// at fractions of its edges.
Probe blend(const std::array<double, 8>& corners, Vec3 fraction);
/// Its density alone.
double blended_density(const std::array<double, 8>& corners, Vec3 fraction);
/// -density / |gradient| and the outward normal; straight up where the gradient is zero.
NearestSurface nearest_surface(const Probe& probe);

class Field {
 public:
  /// Keeps up to `cached_blocks` blocks of 4 KiB besides the edited ones.
  explicit Field(Terrain terrain, std::size_t cached_blocks = 4096);
  ~Field();
  Field(Field&&) noexcept;
  Field& operator=(Field&&) noexcept;

  const Terrain& terrain() const;

  /// Densities at the eight samples around a point cost eight look-ups, amortised.
  Probe probe(Vec3 point);
  /// The nearest_surface() of the probe.
  NearestSurface nearest(Vec3 point);
  /// The density of the sample at whole metres (i, j, k).
  double sample(IVec3 at);
  /// The densities of all samples in the box, x fastest, then y, then z; `out` holds as many.
  void read(const IBox& box, std::span<double> out);
  /// Digs or fills, from now on. Cost: the blocks within the brush's reach, however many those are
  /// no more than 128 MiB of them.
  void edit(const Brush& brush);

 private:
  struct Cache;
  std::unique_ptr<Cache> cache_;
};

}  // namespace talus
