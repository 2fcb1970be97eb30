// Wavefront OBJ as the target of a MeshWriter, with its material file beside it. See mesh_writer.h.
//
// Every part is a block of `v`, a block of `vn` and a block of `f`; every node an object `o`. All
// positions of the file are world coordinates, unless the first node's origin is 16 384 m or more
// away along an axis: then all are relative to that origin, which stands in a comment:
//   # origin 1000000 0 0
// Vertex colours stand behind the positions: v x y z r g b, linear.
#pragma once

#include <memory>
#include <string>

#include "io/mesh_writer.h"

namespace talus {

std::unique_ptr<MeshWriter> create_obj_writer(const std::string& path,
                                              const MeshFileOptions& options);

}  // namespace talus
