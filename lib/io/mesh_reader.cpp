#include "io/mesh_reader.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"

namespace talus {

std::vector<Mesh> read_mesh_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".glb" || ending == ".gltf") return read_gltf(path);
  if (ending == ".obj") return read_obj(path);
  throw Error(fmt::format("{}: meshes are read from .glb, .gltf or .obj, not '{}'", path, ending));
}

}  // namespace talus
