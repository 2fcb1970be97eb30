#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>

#include "core/error.h"
#include "io/gltf_data.h"
#include "io/gltf_model.h"
#include "io/mesh_reader.h"
#include "io/read_file.h"

namespace talus {
namespace {

using Mat3 = glm::dmat3;
using Mat4 = glm::dmat4;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
constexpr std::size_t kMostJsonBytes = std::size_t{1} << 28;

struct Parts {
  std::string_view json;
  std::string_view binary;
};

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return word;
}

// A .glb is a header of 12 bytes and chunks: length, kind, bytes.
Parts split_glb(const std::string& path, std::string_view bytes) {
  const auto fail = [&](const char* why) { throw Error(fmt::format("{}: {}", path, why)); };
  if (bytes.size() < 20) fail("too short for a .glb");
  if (word_at(bytes, 4) != 2) fail("only version 2 of .glb is read");
  const std::uint64_t total = word_at(bytes, 8);
  if (total > bytes.size()) fail("the file is cut short: its header says that it is longer");
  Parts parts;
  for (std::uint64_t at = 12, number = 0; at + 8 <= total && number < 2; ++number) {
    const std::uint64_t length = word_at(bytes, at);
    const std::string_view kind = bytes.substr(at + 4, 4);
    if (length > total - at - 8) fail("a chunk reaches past the end of the file");
    const std::string_view chunk = bytes.substr(at + 8, length);
    if (number == 0 && kind != "JSON") fail("the first chunk of a .glb must be JSON");
    if (number == 0) parts.json = chunk;
    if (number == 1 && kind == std::string_view("BIN\0", 4)) parts.binary = chunk;
    at += 8 + (length + 3) / 4 * 4;
  }
  return parts;
}

Parts split(const std::string& path, std::string_view bytes) {
  Parts parts = bytes.starts_with("glTF") ? split_glb(path, bytes) : Parts{bytes, {}};
  if (parts.json.size() > kMostJsonBytes) {
    throw Error(fmt::format("{}: its JSON is longer than the limit of 256 MiB", path));
  }
  return parts;
}

Mat4 matrix_of(const GltfNode& node) {
  Mat4 matrix;
  for (std::size_t i = 0; i < 16; ++i) {
    matrix[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = node.matrix[i];
  }
  return matrix;
}

// Columns are the cross products of the matrix's columns: what normals are turned by. It does
// without an inverse, and mirrors with the matrix.
Mat3 cofactors(const Mat3& m) {
  return {glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1])};
}

Vec3f unit_or_up(const Vec3& v) {
  const double length = std::sqrt(glm::dot(v, v));
  return length > 0 && std::isfinite(length) ? Vec3f(v / length) : Vec3f(0, 1, 0);
}

class Flattener {
 public:
  Flattener(const std::string& path, const GltfModel& model, std::string_view binary)
      : path_(path), model_(model), data_(path, model, binary), visited_(model.nodes.size()) {}

  std::vector<Mesh> all() {
    struct Visit {
      std::uint64_t node;
      Mat4 parent;
    };
    std::vector<Visit> waiting;  // the next one last
    const auto await = [&](const std::vector<std::uint64_t>& nodes, const Mat4& matrix) {
      for (std::size_t i = nodes.size(); i-- > 0;) waiting.push_back({nodes[i], matrix});
    };
    await(model_.roots, Mat4(1));
    std::vector<Mesh> meshes;
    while (!waiting.empty()) {
      const auto [number, parent] = waiting.back();
      waiting.pop_back();
      const GltfNode& node = model_.nodes[number];
      if (visited_[number]) fail(number, "is reached twice; nodes must form a tree");
      visited_[number] = true;
      const Mat4 to_world = parent * matrix_of(node);
      await(node.children, to_world);
      if (!node.mesh) continue;
      Mesh mesh = flatten(number, to_world);
      if (!mesh.empty()) meshes.push_back(std::move(mesh));
    }
    return meshes;
  }

 private:
  [[noreturn]] void fail(std::uint64_t node, const std::string& why) const {
    throw Error(fmt::format("{}: /nodes/{}: {}", path_, node, why));
  }

  Mesh flatten(std::uint64_t number, const Mat4& to_world) {
    Mesh mesh;
    mesh.origin = Vec3(to_world[3]);
    const Mat3 linear(to_world);
    const double size = glm::dot(linear[0], glm::cross(linear[1], linear[2]));
    if (!std::isfinite(size) || !std::isfinite(glm::dot(mesh.origin, mesh.origin))) {
      fail(number, "its place in the world is not finite");
    }
    if (size == 0) return mesh;  // flat: hidden, as animations do with a scale of 0
    const auto& primitives = model_.meshes[*model_.nodes[number].mesh];
    bool all_normals = true;
    bool all_colors = true;
    for (const GltfTriangles& primitive : primitives) {
      all_normals = all_normals && primitive.normals;
      all_colors = all_colors && primitive.colors;
    }
    for (const GltfTriangles& primitive : primitives) {
      append(number, primitive, linear, all_normals, all_colors, mesh);
    }
    if (size < 0) {
      for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
      }
    }
    return mesh;
  }

  void append(std::uint64_t number, const GltfTriangles& primitive, const Mat3& linear,
              bool with_normals, bool with_colors, Mesh& mesh) {
    const std::uint64_t count = data_.count(primitive.positions);
    const std::uint64_t before = mesh.positions.size();
    if (count + before > 0xFFFFFFFF) fail(number, "has over 4 294 967 295 vertices");
    const auto same_count = [&](std::uint64_t accessor) {
      if (data_.count(accessor) != count) fail(number, "its attributes differ in count");
      return accessor;
    };
    for (const Vec3& p : data_.vectors(primitive.positions)) {
      const Vec3f position(linear * p);
      if (!std::isfinite(glm::dot(Vec3(position), Vec3(1))))
        fail(number, "is too large for floats");
      mesh.positions.push_back(position);
    }
    if (with_normals) {
      const double side = glm::dot(linear[0], glm::cross(linear[1], linear[2])) < 0 ? -1 : 1;
      const Mat3 turn = side * cofactors(linear);
      const bool unturned = linear == Mat3(1);  // then every bit stays
      for (const Vec3& n : data_.vectors(same_count(*primitive.normals))) {
        mesh.normals.push_back(unturned ? Vec3f(n) : unit_or_up(turn * n));
      }
    }
    if (with_colors) {
      for (const Vec3& c : data_.vectors(same_count(*primitive.colors)))
        mesh.colors.emplace_back(c);
    }
    append_indices(number, primitive, count, static_cast<std::uint32_t>(before), mesh);
  }

  void append_indices(std::uint64_t number, const GltfTriangles& primitive, std::uint64_t count,
                      std::uint32_t before, Mesh& mesh) {
    std::vector<std::uint32_t> indices;
    if (primitive.indices) {
      indices = data_.indices(*primitive.indices);
    } else {
      indices.resize(count);
      for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
    }
    if (indices.size() % 3 != 0) fail(number, "its indices are no whole triangles");
    for (const std::uint32_t index : indices) {
      if (index >= count) {
        fail(number, fmt::format("index {} is used, but there are {} vertices", index, count));
      }
      mesh.indices.push_back(before + index);
    }
  }

  const std::string& path_;
  const GltfModel& model_;
  GltfData data_;
  std::vector<bool> visited_;
};

}  // namespace

std::vector<Mesh> read_gltf(const std::string& path) {
  const std::string bytes = read_file(path, kMostBytes);
  const Parts parts = split(path, bytes);
  const GltfModel model = parse_gltf(path, parts.json);
  return Flattener(path, model, parts.binary).all();
}

}  // namespace talus
