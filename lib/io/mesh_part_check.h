// What every mesh writer asks of a part before it writes it.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace talus {

/// Throws Error (Trouble::Simulation), naming file and node, when a number is not finite. Asserts
/// that normals and colours are as many as positions, or none, and that indices are below
/// `vertices`, the node's number of vertices with this part.
void check_mesh_part(const Mesh& part, std::uint64_t vertices, const std::string& path,
                     const std::string& node);

}  // namespace talus
