#include "meshing/mesher.h"

#include "core/error.h"
#include "core/suggest.h"

namespace talus {

namespace {

struct MesherRow {
  Mesher mesher;
  const char* name;
  MeshFunction function;
};
constexpr MesherRow kMeshers[] = {
    {Mesher::SurfaceNets, "surface-nets", mesh_surface_nets},
    {Mesher::MarchingCubes, "marching-cubes", mesh_marching_cubes},
    {Mesher::Blocks, "blocks", mesh_blocks},
};

}  // namespace

MeshFunction mesh_function(Mesher mesher) {
  return kMeshers[static_cast<std::size_t>(mesher)].function;
}

std::string mesher_name(Mesher mesher) {
  return kMeshers[static_cast<std::size_t>(mesher)].name;
}

std::vector<std::string> mesher_names() {
  std::vector<std::string> names;
  for (const MesherRow& row : kMeshers) names.emplace_back(row.name);
  return names;
}

Mesher mesher_from_name(const std::string& name) {
  for (const MesherRow& row : kMeshers) {
    if (name == row.name) return row.mesher;
  }
  throw Error(unknown_word("mesher", name, mesher_names()));
}

}  // namespace talus
