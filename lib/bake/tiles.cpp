// A file a chunk, and index.json.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "bake/bake.h"
#include "bake/chunk_run.h"
#include "core/error.h"
#include "core/suggest.h"
#include "io/atomic_file.h"

namespace talus {

namespace {

constexpr int kIndexVersion = 1;

void check_format(const BakeRequest& request, const std::string& format) {
  const std::vector<std::string> formats = {"glb", "gltf", "obj"};
  if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
    throw Error(unknown_word("tile format", format, formats));
  }
  if (format == "obj" && request.encoding != MeshEncoding::Plain) {
    throw Error("tiles of .obj are plain text; quantized and compressed tiles need glb or gltf");
  }
}

void make_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure || !std::filesystem::is_directory(folder, failure)) {
    throw Error(fmt::format("cannot make the folder {}: {}", folder,
                            failure ? failure.message() : "a file of that name is there"),
                Trouble::Output);
  }
}

std::string triple(const auto& v) {
  return fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
}

Box world_bounds(const Mesh& mesh) {
  Vec3f lo = mesh.positions.front(), hi = lo;
  for (const Vec3f& p : mesh.positions) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], p[axis]);
      hi[axis] = std::max(hi[axis], p[axis]);
    }
  }
  return {mesh.origin + Vec3(lo), mesh.origin + Vec3(hi)};
}

// index.json as it grows: the tiles in their order, the sums last.
class TileIndex {
 public:
  TileIndex(const std::string& folder, const BakeRequest& request, const std::string& format)
      : file_(folder + "/index.json", FileKind::Json), format_(format) {
    file_.write(
        fmt::format("{{\n  \"format\": \"talus-tiles\",\n  \"version\": {},\n"
                    "  \"generator\": \"{}\",\n",
                    kIndexVersion, generator_name()));
    if (request.spec) file_.write(terrain_text(request));
    file_.write(
        fmt::format("  \"step_m\": {},\n  \"mesher\": \"{}\",\n  \"chunk_cells\": {},\n"
                    "  \"closed\": {},\n  \"region_m\": {{\"min\": {}, \"max\": {}}},\n"
                    "  \"tiles\": [",
                    request.step, mesher_name(request.mesher), request.chunk, request.closed,
                    triple(request.step * Vec3(request.region.lo)),
                    triple(request.step * Vec3(request.region.hi))));
  }

  void add(const ChunkWork& work) {
    const Box bounds = world_bounds(work.mesh);
    file_.write(fmt::format(
        "{}\n    {{\"file\": \"{}.{}\", \"chunk\": {}, \"origin_m\": {}, \"min_m\": {}, "
        "\"max_m\": {}, \"vertices\": {}, \"triangles\": {}}}",
        first_ ? "" : ",", chunk_name("tile", work.coordinate), format_, triple(work.coordinate),
        triple(work.mesh.origin), triple(bounds.lo), triple(bounds.hi), work.mesh.positions.size(),
        work.mesh.triangle_count()));
    first_ = false;
  }

  void finish(const BakeResult& result, bool complete) {
    file_.write(
        fmt::format("{}],\n  \"vertices\": {},\n  \"triangles\": {},\n"
                    "  \"complete\": {}\n}}\n",
                    first_ ? "" : "\n  ", result.vertices, result.triangles, complete));
    file_.commit();
  }

 private:
  static std::string terrain_text(const BakeRequest& request) {
    std::string parameters;
    for (const auto& [name, value] : request.spec->parameters) {
      parameters += fmt::format("{}\"{}\": {}", parameters.empty() ? "" : ", ", name, value);
    }
    return fmt::format(
        "  \"terrain\": {{\"preset\": \"{}\", \"seed\": \"{}\", "
        "\"parameters\": {{{}}}, \"edits\": {}}},\n",
        request.spec->preset, request.spec->seed, parameters, request.terrain.edits.size());
  }

  AtomicFile file_;
  std::string format_;
  bool first_ = true;
};

}  // namespace

BakeResult bake_tiles(const BakeRequest& request, const std::string& folder,
                      const std::string& format, const Progress& progress) {
  const ChunkGrid grid(request.region, request.chunk);
  check_format(request, format);
  check_quantized_chunk(request);
  make_folder(folder);
  TileIndex index(folder, request, format);

  BakeResult result;
  result.chunks = grid.count();
  const MeshFileOptions options{request.encoding, request.step / kGridPerStep, generator_name()};
  const auto write_tile = [&](ChunkWork& work) {
    if (work.mesh.empty() || !work.complaint.empty()) return;
    const std::string name = chunk_name("tile", work.coordinate);
    const auto file = create_mesh_file(folder + "/" + name + "." + format, options);
    file->begin_node(name, work.mesh.origin);
    file->add(work.mesh);
    file->finish();
  };
  const bool all = run_chunks(request, grid, progress, write_tile, [&](ChunkWork& work) {
    if (work.mesh.empty()) return;
    index.add(work);
    result.vertices += work.mesh.positions.size();
    result.triangles += work.mesh.triangle_count();
    ++result.surface_chunks;
  });
  index.finish(result, all);
  if (!all) throw Interrupted{};
  return result;
}

}  // namespace talus
