#include <atomic>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "bake/bake_fixture.h"
#include "core/error.h"
#include "io/mesh_reader.h"
#include "support/surface_check.h"

namespace talus {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class TiledBake : public BakeTest {
 protected:
  json index() const { return json::parse(bytes(path("tiles/index.json"))); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path("tiles")), {}));
  }
};

TEST_F(TiledBake, IndexMatchesTheFiles) {
  const BakeResult result = bake_tiles(hills(), path("tiles"), "glb", {});
  const json list = index();
  EXPECT_EQ(list["complete"], true);
  EXPECT_EQ(list["terrain"]["seed"], std::to_string(TerrainSpec{}.seed));
  EXPECT_EQ(list["triangles"], result.triangles);
  EXPECT_EQ(list["tiles"].size(), result.surface_chunks);
  EXPECT_EQ(files(), result.surface_chunks + 1);
  EXPECT_GT(result.surface_chunks, 10u);
  std::uint64_t triangles = 0;
  for (const json& tile : list["tiles"]) {
    const auto meshes = read_mesh_file(path("tiles/") + tile["file"].get<std::string>());
    ASSERT_EQ(meshes.size(), 1u);
    const Mesh& mesh = meshes[0];
    Vec3 lo(1e300), hi(-1e300);
    for (const Vec3f& p : mesh.positions) {
      for (int axis = 0; axis < 3; ++axis) {
        lo[axis] = std::min(lo[axis], mesh.origin[axis] + p[axis]);
        hi[axis] = std::max(hi[axis], mesh.origin[axis] + p[axis]);
      }
    }
    EXPECT_EQ(tile["min_m"], json({lo.x, lo.y, lo.z}));
    EXPECT_EQ(tile["max_m"], json({hi.x, hi.y, hi.z}));
    EXPECT_EQ(tile["vertices"], mesh.positions.size());
    EXPECT_EQ(tile["triangles"], mesh.triangle_count());
    triangles += mesh.triangle_count();
  }
  EXPECT_EQ(triangles, result.triangles);
}

TEST_F(TiledBake, TilesAreTheMergedSurface) {
  bake_tiles(hills(), path("tiles"), "glb", {});
  bake_merged(hills(), path("a.glb"), {});
  std::vector<Mesh> tiles;
  const json list = index();
  for (const json& tile : list["tiles"]) {
    for (Mesh& mesh : read_mesh_file(path("tiles/") + tile["file"].get<std::string>())) {
      tiles.push_back(std::move(mesh));
    }
  }
  EXPECT_EQ(sorted_triangles(tiles), sorted_triangles(read_mesh_file(path("a.glb"))));
}

TEST_F(TiledBake, SameIndexForAnyThreadCount) {
  BakeRequest request = hills();
  bake_tiles(request, path("tiles"), "obj", {});
  const std::string one = bytes(path("tiles/index.json"));
  request.threads = 4;
  bake_tiles(request, path("tiles"), "obj", {});
  EXPECT_EQ(bytes(path("tiles/index.json")), one);
}

TEST_F(TiledBake, InterruptionLeavesAnIndexOfWhatIsFinished) {
  BakeRequest request = hills();
  request.threads = 2;
  std::atomic<int> asked{0};
  Progress progress;
  progress.stop_asked = [&asked] { return ++asked > 3; };
  EXPECT_THROW(bake_tiles(request, path("tiles"), "glb", progress), Interrupted);
  const json list = index();
  EXPECT_EQ(list["complete"], false);
  EXPECT_GT(list["tiles"].size(), 0u);
  EXPECT_EQ(files(), list["tiles"].size() + 1);
}

TEST_F(TiledBake, WhereNothingCanBeWrittenIsAnError) {
  write("tiles", "a file");
  EXPECT_THAT(error_of([&] { bake_tiles(hills(), path("tiles"), "glb", {}); }), HasSubstr("tiles"));
  EXPECT_THAT(error_of([&] { bake_tiles(hills(), path("tiles/deeper"), "glb", {}); }),
              HasSubstr("cannot make the folder"));
  EXPECT_THAT(error_of([&] { bake_tiles(hills(), path("b"), "glbb", {}); }), HasSubstr("'glb'"));
}

}  // namespace

}  // namespace talus
