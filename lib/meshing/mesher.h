// Samples -> Mesh: three methods, one signature.
//
// A mesh owns the lattice points of a half-open box `own`: the edges that start there (towards +x,
// +y, +z), or, for blocks, the unit cubes around them. Boxes that tile a region give meshes that
// tile its surface: every triangle belongs to exactly one of them, vertices that two share have the
// same bits, and so have their normals. Samples reach kApron points past `own` on every side, so no
// mesh needs its neighbours.
//
// Vertices stand on a grid of step / 1024 metres, so that sums with the origin are exact. Triangles
// wind counter-clockwise seen from the air; none is degenerate. An edge has exactly two triangles,
// one each way, except where the surface leaves the region. Normals point along the falling
// density.
#pragma once

#include <string>
#include <vector>

#include "core/box.h"
#include "mesh/mesh.h"
#include "voxel/samples.h"

namespace talus {

enum class Mesher { SurfaceNets, MarchingCubes, Blocks };

/// Samples needed past the owned box on every side.
inline constexpr int kApron = 2;
/// Vertices stand on multiples of step / kGridPerStep.
inline constexpr int kGridPerStep = 1024;

struct MeshingOptions {
  /// Blocks: merge coplanar faces into rectangles (fewer triangles, but T-junctions). Without it
  /// every face is its own quad and vertices meet.
  bool merge = true;
};

/// The box of samples that a mesh of `own` reads.
inline IBox with_apron(const IBox& own) {
  return {own.lo - IVec3(kApron), own.hi + IVec3(kApron)};
}

/// The mesh of the owned box; its origin is the position of own.lo. `samples` must cover
/// with_apron(own).
using MeshFunction = Mesh (*)(const Samples& samples, const IBox& own,
                              const MeshingOptions& options);

/// One vertex in a cell that the surface crosses, at the mean of its edges' crossings, one quad for
/// every crossed edge (Gibson, "Constrained elastic surface nets", 1998). A cell through which
/// several sheets pass gets a vertex for each, after dual marching cubes (Nielson, 2004), so that
/// no edge ever has four triangles.
Mesh mesh_surface_nets(const Samples& samples, const IBox& own, const MeshingOptions& options = {});

/// One vertex on every crossed edge, triangles from the cell's corner signs (Lorensen and Cline,
/// 1987). Ambiguous faces always part the solids, decided by the face's own signs alone, so
/// neighbours agree (after Nielson and Hamann, "The asymptotic decider", 1991, without its interior
/// test).
Mesh mesh_marching_cubes(const Samples& samples, const IBox& own,
                         const MeshingOptions& options = {});

/// The cubes around solid samples, hidden faces left out, coplanar faces merged greedily (Lysenko,
/// "Meshing in a Minecraft game", 2012). Where two cubes meet in an edge only, that edge has four
/// triangles: that is the shape.
Mesh mesh_blocks(const Samples& samples, const IBox& own, const MeshingOptions& options = {});

/// The function of a method; its name at the command line, and back. mesher_from_name throws Error
/// with the nearest name.
MeshFunction mesh_function(Mesher mesher);
std::string mesher_name(Mesher mesher);
std::vector<std::string> mesher_names();
Mesher mesher_from_name(const std::string& name);

}  // namespace talus
