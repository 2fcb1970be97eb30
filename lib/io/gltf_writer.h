// glTF 2.0 as the target of a MeshWriter: .glb, or .gltf with its .bin beside it.
//
// One glTF node a node: translation = its origin, one mesh of one primitive. See mesh_writer.h.
#pragma once

#include <memory>
#include <string>

#include "io/mesh_writer.h"

namespace talus {

/// `path` ends in .glb or .gltf.
std::unique_ptr<MeshWriter> create_gltf_writer(const std::string& path,
                                               const MeshFileOptions& options);

}  // namespace talus
