// One normal a face instead of one a vertex.
#pragma once

#include "mesh/mesh.h"

namespace talus {

/// The same triangles in the same order, each with three vertices of its own that carry its normal.
/// Colours are copied. A triangle without area, which no mesher makes, gets the normal straight up.
Mesh flat_normals(const Mesh& mesh);

}  // namespace talus
