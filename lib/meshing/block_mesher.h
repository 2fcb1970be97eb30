// Blocks -> meshes, one for each material.
//
// Of uncut blocks, the cell faces that nothing covers are drawn, and those in one plane, of one
// material, are merged into rectangles (greedily, row by row). Cut blocks are drawn as their shape,
// without the sides that neighbours cover wholly. What lies against a cut block's gap stays in
// sight.
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "voxel/blocks.h"

namespace talus {

struct StructureMeshOptions {
  Vec3 origin{0};     // of the meshes, metres
  bool merge = true;  // without it every cell face is its own quad, and vertices meet
  int segments = 8;   // facets along a quarter of a round cut
};

struct MaterialMesh {
  MaterialId material = 0;
  Mesh mesh;  // with normals: flat on planes, smooth on round cuts; no colours
};

/// By rising material; materials that no standing block has are left out. Corners of a face are its
/// own, so that edges are sharp. Cost: the blocks' outer cells, and a sort of the open faces.
std::vector<MaterialMesh> mesh_structure(const Blocks& blocks,
                                         const StructureMeshOptions& options = {});

}  // namespace talus
