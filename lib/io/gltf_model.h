// What a glTF file says in its JSON, as far as triangles need it: plain data, every value of the
// right type and every number that names another entry in range. What it says about bytes is not
// checked yet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

struct GltfBufferEntry {
  std::optional<std::string> uri;  // none: the binary chunk, or a fallback that is not there
  std::uint64_t bytes = 0;
};

enum class GltfPackMode { Attributes, Triangles, Indices };
enum class GltfFilter { None, Octahedral, Quaternion, Exponential };

/// EXT_meshopt_compression of a view.
struct GltfPacking {
  std::uint64_t buffer = 0, offset = 0, bytes = 0;
  std::uint64_t stride = 0, count = 0;
  GltfPackMode mode = GltfPackMode::Attributes;
  GltfFilter filter = GltfFilter::None;
};

struct GltfView {
  std::uint64_t buffer = 0, offset = 0, bytes = 0;
  std::uint64_t stride = 0;  // 0: elements stand close
  std::optional<GltfPacking> packing;
};

struct GltfAccessor {
  std::uint64_t view = 0, offset = 0;
  std::uint64_t component_type = 0;  // 5120 .. 5126, without 5124
  std::uint64_t components = 0;      // 1 to 4
  std::uint64_t count = 0;
  bool normalized = false;
};

struct GltfTriangles {
  std::uint64_t positions = 0;
  std::optional<std::uint64_t> normals, colors, indices;
};

struct GltfNode {
  std::optional<std::uint64_t> mesh;
  std::vector<std::uint64_t> children;
  std::array<double, 16> matrix{};  // to the parent, column by column
};

struct GltfModel {
  std::vector<GltfBufferEntry> buffers;
  std::vector<GltfView> views;
  std::vector<GltfAccessor> accessors;
  std::vector<std::vector<GltfTriangles>> meshes;  // the triangle primitives of each
  std::vector<GltfNode> nodes;
  std::vector<std::uint64_t> roots;  // of the scene
};

/// Throws Error with the file's name and the JSON path. Sparse accessors, accessors without bytes,
/// strips and fans, and required extensions other than the two of mesh_reader.h and those that do
/// not touch geometry are refused.
GltfModel parse_gltf(const std::string& path, std::string_view json);

}  // namespace talus
