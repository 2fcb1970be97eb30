// Mesh files read back: .glb and .gltf (plain, KHR_mesh_quantization, EXT_meshopt_compression) and
// .obj.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace talus {

/// The triangles of the file, by its ending. Throws Error, with the place in the file, for anything
/// that is missing, out of range or of a kind that is not known; no input takes memory out of
/// proportion to its size.
///
/// glTF: one mesh a node of the scene, its primitives joined; node transforms are applied, and
/// origin is the node's place in the world. Normals and colours are there when all primitives of
/// the node have them. Points and lines are left out.
///
/// OBJ: one mesh an object or group; faces of more than three corners (256 at most) are cut into
/// triangles; origin is what a comment `# origin x y z` before the first vertex says, or 0.
/// Vertices keep their order in the file. 1 GiB at most.
std::vector<Mesh> read_mesh_file(const std::string& path);

std::vector<Mesh> read_gltf(const std::string& path);
std::vector<Mesh> read_obj(const std::string& path);

}  // namespace talus
