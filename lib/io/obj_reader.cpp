#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <streambuf>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include "core/error.h"
#include "io/mesh_reader.h"
#include "io/read_file.h"

namespace talus {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMostCorners = 256;  // cutting a polygon up takes the square of its corners

class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string& text) {
    setg(text.data(), text.data(), text.data() + text.size());
  }
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::size_t count_words(std::string_view line) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    words += !is_space(line[i]) && (i == 0 || is_space(line[i - 1]));
  }
  return words;
}

// "# origin 1000000 0 0" -> the three numbers; 0 for anything else.
bool read_origin(std::string_view line, Vec3& origin) {
  constexpr std::string_view kWord = "# origin ";
  if (line.substr(0, kWord.size()) != kWord) return false;
  Vec3 found;
  const char* at = line.data() + kWord.size();
  const char* end = line.data() + line.size();
  for (int axis = 0; axis < 3; ++axis) {
    while (at < end && is_space(*at)) ++at;
    const auto [next, error] = std::from_chars(at, end, found[axis]);
    if (error != std::errc{} || !std::isfinite(found[axis])) return false;
    at = next;
  }
  origin = found;
  return true;
}

// What the parser would not tell or not survive: the origin, and polygons of very many corners.
Vec3 look_over(const std::string& path, std::string_view text) {
  Vec3 origin(0);
  bool has_vertices = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    has_vertices = has_vertices || line[first] == 'v';
    if (!has_vertices && line[first] == '#') read_origin(line.substr(first), origin);
    // A line that could hold too many corners is long.
    if (line[first] == 'f' && line.size() > 2 * kMostCorners &&
        count_words(line) > kMostCorners + 1) {
      throw Error(
          fmt::format("{}:{}: a face of {} corners; the limit is {}, export it as triangles", path,
                      number, count_words(line) - 1, kMostCorners));
    }
  }
  return origin;
}

struct Parsed {
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
};

Parsed parse(const std::string& path, std::string& text) {
  Parsed parsed;
  std::vector<tinyobj::material_t> materials;
  std::string warnings;
  std::string errors;
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  const bool fine = tinyobj::LoadObj(&parsed.attributes, &parsed.shapes, &materials, &warnings,
                                     &errors, &stream, nullptr, true, false);
  if (!fine) {
    while (!errors.empty() && (errors.back() == '\n' || errors.back() == ' ')) errors.pop_back();
    throw Error(fmt::format("{}: not a well-formed OBJ: {}", path, errors));
  }
  return parsed;
}

bool inside(int index, const std::vector<tinyobj::real_t>& triples) {
  return index >= 0 && static_cast<std::size_t>(index) < triples.size() / 3;
}

Vec3f triple(const std::vector<tinyobj::real_t>& triples, int index) {
  const auto* at = &triples[3 * static_cast<std::size_t>(index)];
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
}

bool finite(const Vec3f& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// A vertex of a mesh is a pair of a position and a normal of the file.
struct Corner {
  int position, normal;
  bool operator==(const Corner&) const = default;
  bool operator<(const Corner& other) const {
    return std::pair(position, normal) < std::pair(other.position, other.normal);
  }
};

std::vector<Corner> corners_of(const std::string& path, const tinyobj::shape_t& shape,
                               const tinyobj::attrib_t& attributes) {
  const auto& indices = shape.mesh.indices;
  const bool with_normals = std::all_of(indices.begin(), indices.end(), [&](const auto& index) {
    return inside(index.normal_index, attributes.normals);
  });
  std::vector<Corner> corners;
  corners.reserve(indices.size());
  for (const auto& index : indices) {
    if (!inside(index.vertex_index, attributes.vertices)) {
      throw Error(fmt::format("{}: object '{}': a face uses vertex {}, the file has {}", path,
                              shape.name, std::int64_t{index.vertex_index} + 1,
                              attributes.vertices.size() / 3));
    }
    corners.push_back({index.vertex_index, with_normals ? index.normal_index : -1});
  }
  return corners;
}

Mesh to_mesh(const std::string& path, const tinyobj::shape_t& shape,
             const tinyobj::attrib_t& attributes) {
  const std::vector<Corner> corners = corners_of(path, shape, attributes);
  std::vector<Corner> vertices = corners;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());

  Mesh mesh;
  const bool with_colors = attributes.colors.size() == attributes.vertices.size();
  for (const Corner& vertex : vertices) {
    mesh.positions.push_back(triple(attributes.vertices, vertex.position));
    if (vertex.normal >= 0) mesh.normals.push_back(triple(attributes.normals, vertex.normal));
    if (with_colors) mesh.colors.push_back(triple(attributes.colors, vertex.position));
    const bool good = finite(mesh.positions.back()) &&
                      (mesh.normals.empty() || finite(mesh.normals.back())) &&
                      (mesh.colors.empty() || finite(mesh.colors.back()));
    if (!good) {
      throw Error(fmt::format("{}: vertex {} has a number that is not finite", path,
                              std::int64_t{vertex.position} + 1));
    }
  }
  mesh.indices.reserve(corners.size());
  for (const Corner& corner : corners) {
    const auto found = std::lower_bound(vertices.begin(), vertices.end(), corner);
    mesh.indices.push_back(static_cast<std::uint32_t>(found - vertices.begin()));
  }
  return mesh;
}

}  // namespace

std::vector<Mesh> read_obj(const std::string& path) {
  std::string text = read_file(path, kMostBytes);
  const Vec3 origin = look_over(path, text);
  const Parsed parsed = parse(path, text);
  std::vector<Mesh> meshes;
  for (const tinyobj::shape_t& shape : parsed.shapes) {
    if (shape.mesh.indices.empty()) continue;
    meshes.push_back(to_mesh(path, shape, parsed.attributes));
    meshes.back().origin = origin;
  }
  return meshes;
}

}  // namespace talus
