// glTF 2.0 as the target of a MeshWriter: .glb, or .gltf with its .bin beside it.
//
// One glTF node a node: translation = its origin, one mesh of one primitive. See mesh_writer.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/mesh_writer.h"

namespace talus {

/// `path` ends in .glb or .gltf.
std::unique_ptr<MeshWriter> create_gltf_writer(const std::string& path,
                                               const MeshFileOptions& options);

/// Throws Error (Trouble::Output) when JSON and binary data of these lengths pass the 4 GiB that
/// the header of a .glb can count. All arithmetic in 64 bits.
void check_glb_size(const std::string& path, std::uint64_t json_bytes, std::uint64_t binary_bytes);

}  // namespace talus
