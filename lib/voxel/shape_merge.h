// Fewer facets for the same solid: used by make_shape.
#pragma once

#include "voxel/shape.h"

namespace talus {

/// Joins facets of one plane and one surface, and drops corners at which every facet goes straight
/// on, so that no triangle of a facet's fan is degenerate. The mesh stays closed.
void merge_coplanar(Shape& shape);

/// Drops the vertices that no facet uses.
void drop_unused_vertices(Shape& shape);

}  // namespace talus
