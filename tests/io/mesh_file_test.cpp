// Laws of every mesh format and encoding: what is written is read back, whole, or not at all.
#include <cmath>
#include <filesystem>
#include <set>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/gltf_container.h"
#include "io/mesh_reader.h"
#include "io/mesh_writer.h"
#include "mesh/measure.h"
#include "support/sample_meshes.h"
#include "support/surface_check.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

struct Format {
  const char* name;
  const char* file;
  MeshEncoding encoding;
};

const Format kFormats[] = {{"Glb", "a.glb", MeshEncoding::Plain},
                           {"GlbQuantized", "a.glb", MeshEncoding::Quantized},
                           {"GlbCompressed", "a.glb", MeshEncoding::Compressed},
                           {"Gltf", "a b.gltf", MeshEncoding::Plain},
                           {"GltfQuantized", "a.gltf", MeshEncoding::Quantized},
                           {"GltfCompressed", "a.gltf", MeshEncoding::Compressed},
                           {"Obj", "a b.obj", MeshEncoding::Plain}};

void write_file(const std::string& path, MeshEncoding encoding, const std::vector<Mesh>& meshes) {
  MeshFileOptions options;
  options.encoding = encoding;
  const auto file = create_mesh_file(path, options);
  for (const Mesh& mesh : meshes) {
    file->begin_node("tile", mesh.origin);
    file->add(mesh);
  }
  file->finish();
}

// A terrain of tiles, one of them with positions below its origin.
std::vector<Mesh> tiles(double far_out, bool with_colors) {
  std::vector<Mesh> meshes;
  for (std::uint32_t i = 0; i < 3; ++i) {
    meshes.push_back(bumpy_ground(9, i, with_colors));
    meshes.back().origin = {far_out + 9.0 * i, -0.5, 0.25};
  }
  for (Vec3f& p : meshes[1].positions) p.x -= 4;
  return meshes;
}

std::vector<Triangle> places(std::vector<Mesh> meshes) {
  for (Mesh& mesh : meshes) mesh.normals.assign(mesh.positions.size(), Vec3f(0, 1, 0));
  return sorted_triangles(meshes);
}

class EveryFormat : public testing::TestWithParam<Format> {
 protected:
  std::string path() const { return folder.file(GetParam().file); }
  void write(const std::vector<Mesh>& meshes) const {
    write_file(path(), GetParam().encoding, meshes);
  }
  TempFolder folder;
};

TEST_P(EveryFormat, ReadingWhatWasWrittenGivesTheSame) {
  for (const double far_out : {0.0, 1e6, -12345.5}) {
    const auto meshes = tiles(far_out, false);
    write(meshes);
    const auto found = read_mesh_file(path());
    EXPECT_EQ(found.size(), 3u);
    EXPECT_EQ(places(found), places(meshes)) << far_out;
  }
}

TEST_P(EveryFormat, NormalsAndColoursComeBack) {
  const auto meshes = tiles(0, true);
  write(meshes);
  const auto found = read_mesh_file(path());
  ASSERT_EQ(found.size(), meshes.size());
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    ASSERT_EQ(found[m].normals.size(), meshes[m].normals.size());
    ASSERT_EQ(found[m].colors.size(), meshes[m].colors.size());
    // Vertices may come in another order: compare by place.
    for (std::size_t i = 0; i < found[m].positions.size(); ++i) {
      std::size_t at = 0;
      const auto world = [](const Mesh& mesh, std::size_t v) {
        return mesh.origin + Vec3(mesh.positions[v]);
      };
      while (world(meshes[m], at) != world(found[m], i)) ++at;
      EXPECT_LT(glm::distance(found[m].normals[i], meshes[m].normals[at]), 0.02);
      EXPECT_LT(glm::distance(found[m].colors[i], meshes[m].colors[at]), 0.004);
    }
  }
}

TEST_P(EveryFormat, PartsThatShareVerticesMakeOneNode) {
  const Mesh whole = bumpy_ground(6, 4);
  Mesh first = whole;
  Mesh second;
  second.indices.assign(whole.indices.begin() + 60, whole.indices.end());
  first.indices.resize(60);
  MeshFileOptions options;
  options.encoding = GetParam().encoding;
  const auto file = create_mesh_file(path(), options);
  file->begin_node("empty", {});
  file->begin_node("two parts", {});
  file->add(first);
  file->add(second);
  file->begin_node("without triangles", {5, 5, 5});
  file->add(Mesh{{}, {{1, 2, 3}}, {{0, 1, 0}}, {}, {}});
  file->finish();
  const auto found = read_mesh_file(path());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].positions.size(), whole.positions.size());
  EXPECT_EQ(places(found), places({whole}));
}

TEST_P(EveryFormat, NoTriangleAtAllIsAFileWithoutMeshes) {
  write({});
  EXPECT_TRUE(read_mesh_file(path()).empty());
}

TEST_P(EveryFormat, TheSameMeshesGiveTheSameBytes) {
  write(tiles(3, true));
  const std::string first = read_text(path());
  write(tiles(3, true));
  EXPECT_EQ(read_text(path()), first);
}

TEST_P(EveryFormat, WithoutFinishTheOldFileStays) {
  write(tiles(0, false));
  const std::string old = read_text(path());
  const int files = folder.count();
  {
    MeshFileOptions options;
    options.encoding = GetParam().encoding;
    const auto file = create_mesh_file(path(), options);
    file->begin_node("node", {});
    file->add(bumpy_ground(9, 1));
  }
  EXPECT_EQ(read_text(path()), old);
  EXPECT_EQ(folder.count(), files);
}

TEST_P(EveryFormat, AFullDiskIsAnOutputError) {
  std::filesystem::create_symlink("/dev/full", path());
  try {
    write(tiles(0, false));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.trouble(), Trouble::Output);
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
}

TEST_P(EveryFormat, NumbersThatAreNotFiniteNeverReachAFile) {
  Mesh mesh = cube(1);
  mesh.positions[3].y = NAN;
  EXPECT_NE(error_of([&] { write({mesh}); }).find("not finite"), std::string::npos);
  EXPECT_EQ(folder.count(), 0);
}

TEST_P(EveryFormat, EveryTruncatedPrefixIsAnErrorOrASuccess) {
  write({bumpy_ground(2, 1, true)});
  const std::string bytes = read_text(path());
  int errors = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    write_text(path(), bytes.substr(0, length));
    errors += !error_of([&] { read_mesh_file(path()); }).empty();
  }
  if (path().find(".obj") == std::string::npos) {
    EXPECT_GE(errors + 1, static_cast<int>(bytes.size()));
  }
}

TEST_P(EveryFormat, EveryDamagedByteIsAnErrorOrASuccess) {
  write({bumpy_ground(2, 1)});
  const std::string bytes = read_text(path());
  int errors = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int damage : {0x01, 0x08, 0x80}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ damage);
      write_text(path(), damaged);
      errors += !error_of([&] { read_mesh_file(path()); }).empty();
    }
  }
  EXPECT_GT(errors, 0);
}

INSTANTIATE_TEST_SUITE_P(MeshFile, EveryFormat, testing::ValuesIn(kFormats),
                         [](const auto& info) { return std::string(info.param.name); });

// The JSON of a .gltf file.
nlohmann::json json_of(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

TEST(GltfFile, PlainFloatsComeBackToTheBit) {
  const TempFolder folder;
  Mesh mesh = bumpy_ground(5, 7);
  for (Vec3f& p : mesh.positions) p *= 0.1f;
  write_file(folder.file("a.glb"), MeshEncoding::Plain, {mesh});
  const auto found = read_mesh_file(folder.file("a.glb"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].positions, mesh.positions);
  EXPECT_EQ(found[0].normals, mesh.normals);
  EXPECT_EQ(found[0].indices, mesh.indices);
}

TEST(GltfFile, MinAndMaxReadBackToTheSameFloats) {
  const TempFolder folder;
  Mesh mesh = cube(0.1f);
  write_file(folder.file("a.gltf"), MeshEncoding::Plain, {mesh});
  const auto max = json_of(folder.file("a.gltf"))["accessors"][0]["max"];
  EXPECT_EQ(max[0].get<double>(), static_cast<double>(0.1f));
}

TEST(GltfFile, IndicesAreWideFrom65536VerticesOn) {
  const TempFolder folder;
  const std::string path = folder.file("a.gltf");
  for (const std::size_t vertices : {65535, 65536}) {
    Mesh mesh = cube(1);
    mesh.positions.resize(vertices, Vec3f(0.5f));
    mesh.indices.insert(mesh.indices.end(), {0, 1, static_cast<std::uint32_t>(vertices - 1)});
    write_file(path, MeshEncoding::Plain, {mesh});
    const auto json = json_of(path);
    const auto indices = json["meshes"][0]["primitives"][0]["indices"].get<std::size_t>();
    EXPECT_EQ(json["accessors"][indices]["componentType"], vertices == 65535 ? 5123 : 5125);
    EXPECT_EQ(read_mesh_file(path).at(0).indices, mesh.indices);
  }
}

TEST(GltfFile, ALargeNodeInManyPartsIsTheWhole) {
  const TempFolder folder;
  const Mesh part = bumpy_ground(100, 1, true);
  MeshFileOptions options;
  const auto file = create_mesh_file(folder.file("a.glb"), options);
  Mesh whole;
  for (int node = 0; node < 2; ++node) {
    file->begin_node("large", {});
    for (int i = 0; i < 9; ++i) {
      Mesh moved = part;
      const auto base = static_cast<std::uint32_t>(i) * 10201u;
      for (std::uint32_t& index : moved.indices) index += base;
      file->add(moved);
      if (node > 0) continue;
      whole.positions.insert(whole.positions.end(), part.positions.begin(), part.positions.end());
      whole.indices.insert(whole.indices.end(), moved.indices.begin(), moved.indices.end());
    }
  }
  file->finish();
  const auto found = read_mesh_file(folder.file("a.glb"));
  ASSERT_EQ(found.size(), 2u);
  for (const Mesh& mesh : found) {
    EXPECT_EQ(mesh.positions, whole.positions);
    EXPECT_EQ(mesh.indices, whole.indices);
    EXPECT_EQ(mesh.colors.size(), whole.positions.size());
  }
}

TEST(GltfFile, NodeNamesArePlainAndUnique) {
  const TempFolder folder;
  const auto file = create_mesh_file(folder.file("a.gltf"), {});
  for (const char* name : {"a.b", "a b", "a_b_2", "a.b", "", "\"\n"}) {
    file->begin_node(name, {});
    file->add(cube(1));
  }
  file->finish();
  std::set<std::string> names;
  const auto json = json_of(folder.file("a.gltf"));
  for (const auto& node : json["nodes"]) {
    const auto name = node["name"].get<std::string>();
    EXPECT_EQ(name.find_first_of(". \"\n"), std::string::npos);
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(names.size(), 6u);
}

TEST(GltfFile, QuantizingOpensNoSeamAndDropsNoTriangle) {
  const TempFolder folder;
  Mesh left = bumpy_ground(20, 1);
  Mesh right = left;
  left.indices.resize(600);
  right.indices.erase(right.indices.begin(), right.indices.begin() + 600);
  right.origin = {-3.5, 7, 0.125};
  for (Vec3f& p : right.positions) p -= Vec3f(right.origin);
  for (const auto encoding : {MeshEncoding::Quantized, MeshEncoding::Compressed}) {
    write_file(folder.file("a.glb"), encoding, {left, right});
    const MeshMeasure m = measure(read_mesh_file(folder.file("a.glb")));
    EXPECT_EQ(m.triangles, 800u);
    EXPECT_EQ(m.components, 1u);
    EXPECT_EQ(m.open_edges, 80u);
    EXPECT_TRUE(m.clean());
  }
}

TEST(GltfFile, QuantizingRefusesWhatItWouldChange) {
  const TempFolder folder;
  const auto write = [&](const Mesh& mesh) {
    return error_of([&] { write_file(folder.file("a.glb"), MeshEncoding::Quantized, {mesh}); });
  };
  EXPECT_NE(write(cube(0.1f)).find("not a multiple"), std::string::npos);
  EXPECT_EQ(write(cube(63.9990234375f)), "");
  EXPECT_NE(write(cube(64)).find("smaller nodes"), std::string::npos);
}

TEST(GltfFile, FourGibibytesAreCountedIn64Bits) {
  EXPECT_EQ(error_of([] { check_glb_size("a.glb", 1000, 0xFFFF0000u); }), "");
  const std::string message = error_of([] { check_glb_size("a.glb", 0x10000, 0xFFFF0000u); });
  EXPECT_NE(message.find("--tiles"), std::string::npos);
  EXPECT_NE(error_of([] { check_glb_size("a.glb", 0, std::uint64_t{1} << 40); }), "");
}

// A .gltf of one triangle, whose buffer is in it, for changing.
nlohmann::json triangle_document() {
  return nlohmann::json::parse(R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri":
      "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})");
}

class HostileGltf : public testing::Test {
 protected:
  std::string error(const nlohmann::json& document) {
    write_text(folder.file("a.gltf"), document.dump());
    return error_of([&] { found = read_mesh_file(folder.file("a.gltf")); });
  }
  TempFolder folder;
  std::vector<Mesh> found;
};

TEST_F(HostileGltf, Base64DataIsRead) {
  EXPECT_EQ(error(triangle_document()), "");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].positions, (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
}

TEST_F(HostileGltf, TransformsOfAllAncestorsApply) {
  auto document = triangle_document();
  document["nodes"] = nlohmann::json::parse(R"([
    {"children": [1], "translation": [10, 0, 0], "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]},
    {"mesh": 0, "translation": [1, 2, 3], "scale": [2, 2, -2]}])");
  EXPECT_EQ(error(document), "");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(glm::distance(found[0].origin, Vec3(13, 2, -1)), 1e-9);
  EXPECT_LT(glm::distance(found[0].positions[1], Vec3f(0, 0, -2)), 1e-6);
  EXPECT_EQ(found[0].indices, (std::vector<std::uint32_t>{0, 2, 1})) << "mirrored";
}

TEST_F(HostileGltf, EveryFalseNumberIsAnErrorWithItsPath) {
  const struct {
    const char* pointer;
    nlohmann::json value;
    const char* message;
  } cases[] = {
      {"/accessors/0/count", 4, "/accessors/0: has 4 elements"},
      {"/accessors/0/count", 9007199254740991, "/nodes/0: has over"},
      {"/accessors/0/count", -1, "/accessors/0/count"},
      {"/accessors/0/byteOffset", 1e15, "/accessors/0: starts past"},
      {"/accessors/0/bufferView", 7, "/accessors/0/bufferView: is 7"},
      {"/accessors/0/sparse", {{"count", 1}}, "sparse accessors are not read"},
      {"/accessors/0/type", "VEC9", "/accessors/0/type"},
      {"/accessors/0/componentType", 5124, "/accessors/0"},
      {"/bufferViews/0/byteLength", 37, "/bufferViews/0: reaches past"},
      {"/bufferViews/0/byteOffset", 18446744073709551615u, "/bufferViews/0: reaches past"},
      {"/bufferViews/0/byteStride", 1, "larger than their stride"},
      {"/buffers/0/byteLength", 1000, "cut short"},
      {"/buffers/0/uri", "missing.bin", "missing.bin"},
      {"/buffers/0/uri", "file:///etc/passwd", "beside this one"},
      {"/buffers/0/uri", "/dev/zero", "beside this one"},
      {"/nodes/0/children", {0}, "/nodes/0: is reached twice"},
      {"/nodes/0/mesh", 1, "/nodes/0/mesh"},
      {"/nodes/0/scale", {1, 1}, "must have 3 numbers"},
      {"/meshes/0/primitives/0/mode", 5, "strips"},
      {"/meshes/0/primitives/0/indices", 0, "must be SCALAR"},
      {"/scene", 3, "/scene"},
      {"/asset/version", "1.0", "only glTF 2"},
      {"/extensionsRequired", {"KHR_draco_mesh_compression"}, "KHR_draco_mesh_compression"},
  };
  for (const auto& c : cases) {
    auto document = triangle_document();
    document[nlohmann::json::json_pointer(c.pointer)] = c.value;
    EXPECT_NE(error(document).find(c.message), std::string::npos)
        << c.pointer << ": " << error(document);
  }
}

TEST_F(HostileGltf, RepeatingOneMeshIsNoWayToGigabytes) {
  auto document = triangle_document();
  const std::string zeros(4 * 1000000, 'A');
  document["buffers"][0] = {{"byteLength", 3000000},
                            {"uri", "data:application/octet-stream;base64," + zeros}};
  document["bufferViews"][0]["byteLength"] = 3000000;
  document["accessors"][0]["count"] = 249999;
  for (int i = 1; i < 2000; ++i) {
    document["nodes"].push_back({{"mesh", 0}});
    document["scenes"][0]["nodes"].push_back(i);
  }
  EXPECT_NE(error(document).find("unfolds"), std::string::npos);
}

TEST_F(HostileGltf, DeepNestingIsAnErrorOnly) {
  write_text(folder.file("a.gltf"), "{\"asset\":" + std::string(100000, '['));
  EXPECT_NE(error_of([&] { read_mesh_file(folder.file("a.gltf")); }), "");
}

TEST(ObjFile, FarOutPositionsAreRelativeToAnOriginInAComment) {
  const TempFolder folder;
  Mesh mesh = cube(0.0009765625f);
  mesh.origin = {1e6 + 0.5, 0, -3};
  write_file(folder.file("a b.obj"), MeshEncoding::Plain, {mesh});
  const std::string text = read_text(folder.file("a b.obj"));
  EXPECT_NE(text.find("# origin 1000000.5 0 -3\n"), std::string::npos);
  EXPECT_NE(text.find("mtllib a_b.mtl\n"), std::string::npos);
  EXPECT_NE(text.find("\nv 0.0009765625 0 0\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.file("a_b.mtl")));
  EXPECT_EQ(places(read_mesh_file(folder.file("a b.obj"))), places({mesh}));
}

TEST(ObjFile, EveryFloatPrintsExactly) {
  const TempFolder folder;
  Mesh mesh;
  for (int i = -126; i < 100; i += 3) {
    const float size = std::ldexp(1.2345678f, i);
    mesh.positions.emplace_back(size, -size, 1 / size);
    mesh.indices.insert(mesh.indices.end(), 3,
                        static_cast<std::uint32_t>(mesh.positions.size() - 1));
  }
  write_file(folder.file("a.obj"), MeshEncoding::Plain, {mesh});
  const std::string text = read_text(folder.file("a.obj"));
  std::size_t at = 0;
  for (const Vec3f& p : mesh.positions) {
    at = text.find("\nv ", at) + 3;
    char* end = const_cast<char*>(text.data() + at);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(std::strtod(end, &end), p[axis]);
  }
}

TEST(ObjFile, PolygonsOfOtherProgramsBecomeTriangles) {
  const TempFolder folder;
  const std::string path = folder.file("a.obj");
  write_text(path,
             "o L shape\r\nv 0 0 0\r\nv 2 0 0\r\nv 2 1 0\r\nv 1 1 0\r\nv 1 2 0\r\nv 0 2 0\r\n"
             "f -6 -5 -4 -3 -2 -1\r\n");
  const MeshMeasure m = measure(read_mesh_file(path));
  EXPECT_EQ(m.triangles, 4u);
  EXPECT_DOUBLE_EQ(m.area_m2, 3);
}

TEST(ObjFile, FalseIndicesAndHugePolygonsAreErrors) {
  const TempFolder folder;
  const std::string path = folder.file("a.obj");
  const auto error = [&](const std::string& text) {
    write_text(path, text);
    return error_of([&] { read_mesh_file(path); });
  };
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(error(three + "f 1 2 3\n"), "");
  EXPECT_NE(error(three + "f 1 2 4\n"), "");
  EXPECT_NE(error(three + "f 1 2 -9\n"), "");
  EXPECT_NE(error(three + "f 1 2 99999999999999\n"), "");
  std::string polygon = "f";
  for (int i = 0; i < 300; ++i) polygon += " 1";
  EXPECT_NE(error(three + polygon).find("a.obj:4: a face of 300 corners"), std::string::npos);
}

TEST(MeshFile, UnknownEndingsAndEncodingsAreNamed) {
  EXPECT_NE(error_of([] { create_mesh_file("a.stl", {}); }).find(".glb, .gltf or .obj"),
            std::string::npos);
  EXPECT_NE(error_of([] { read_mesh_file("a.stl"); }).find(".glb, .gltf or .obj"),
            std::string::npos);
  EXPECT_NE(error_of([] { read_mesh_file("/nowhere/a.glb"); }).find("/nowhere/a.glb"),
            std::string::npos);
  MeshFileOptions options;
  options.encoding = MeshEncoding::Quantized;
  EXPECT_NE(error_of([&] { create_mesh_file("a.obj", options); }).find("plain text"),
            std::string::npos);
}

}  // namespace
}  // namespace talus
