// EXT_meshopt_compression: vertices and triangles in an order that packs well, and buffer views
// that are packed by meshoptimizer (Arseny Kapoulkine). Lossless, but for normals in 8-bit
// octahedral form.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/gltf_attributes.h"
#include "io/gltf_buffers.h"
#include "mesh/mesh.h"

namespace talus {

/// Sorts triangles along strips and vertices by first use. Nothing is merged, dropped or turned
/// over.
void reorder_for_compression(Mesh& mesh);

/// Unit vectors as the extension's OCTAHEDRAL filter takes them (Meyer et al., 2010), 8 bits.
std::vector<Normal8> octahedral_normals(std::span<const Vec3f> normals);

/// Streams packed by batches of nodes: each batch is one buffer view a stream, whose nodes'
/// accessors differ in offset. Normals must come from octahedral_normals.
std::unique_ptr<GltfBuffers> create_compressed_buffers(const std::string& folder,
                                                       const GltfStrides& strides);

}  // namespace talus
