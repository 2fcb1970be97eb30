#include "io/mesh_writer.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "io/gltf_writer.h"
#include "io/obj_writer.h"

namespace talus {

std::unique_ptr<MeshWriter> create_mesh_file(const std::string& path,
                                             const MeshFileOptions& options) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".glb" || ending == ".gltf") return create_gltf_writer(path, options);
  if (ending == ".obj") {
    if (options.encoding == MeshEncoding::Plain) return create_obj_writer(path, options);
    throw Error(fmt::format(
        "{}: .obj is plain text; quantized and compressed meshes need .glb or .gltf", path));
  }
  throw Error(fmt::format("{}: meshes are written as .glb, .gltf or .obj, not '{}'", path, ending));
}

}  // namespace talus
