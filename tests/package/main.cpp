#include <cstdio>

#include "meshing/mesher.h"
#include "terrain/preset.h"

int main() {
  const talus::IBox own{{304, 4, -64}, {336, 36, -32}};
  const talus::IBox box = talus::with_apron(own);
  talus::Samples samples;
  talus::make_preset({})->surface_samples(talus::Lattice{box.lo, box.size(), 1}, samples);
  const talus::Mesh mesh = talus::mesh_surface_nets(samples, own);
  std::printf("%zu triangles\n", mesh.triangle_count());
  return mesh.empty() ? 1 : 0;
}
