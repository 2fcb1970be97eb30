// Mesh to file: OBJ text into memory, beside the same text by std::to_chars, and .glb to a file.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/region.h"
#include "io/mesh_writer.h"
#include "io/obj_text.h"

namespace talus {
namespace {

/// Pieces in which text is made, so that it stays in the cache.
constexpr std::size_t kPiece = 16384;

template <class T>
std::span<const T> piece_of(const std::vector<T>& all, std::size_t first, std::size_t size) {
  return std::span(all).subspan(first, std::min(size, all.size() - first));
}

void count_triangles(benchmark::State& state, const Mesh& mesh, std::size_t bytes) {
  const auto triangles = static_cast<double>(mesh.triangle_count());
  state.counters["triangles"] = triangles;
  state.counters["bytes"] = static_cast<double>(bytes);
  // Of a million triangles: what reports print as a rate, turned over.
  state.counters["s_a_million"] = benchmark::Counter(
      triangles / 1e6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// vertices(out, positions), normals(out, normals), faces(out, indices), piece by piece.
template <class Vertices, class Normals, class Faces>
std::size_t write_text(const Mesh& mesh, std::string& text, const Vertices& vertices,
                       const Normals& normals, const Faces& faces) {
  std::size_t bytes = 0;
  const auto drop = [&] {
    benchmark::DoNotOptimize(text.data());
    bytes += text.size();
    text.clear();
  };
  for (std::size_t v = 0; v < mesh.positions.size(); v += kPiece) {
    vertices(text, piece_of(mesh.positions, v, kPiece));
    drop();
    normals(text, piece_of(mesh.normals, v, kPiece));
    drop();
  }
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3 * kPiece) {
    faces(text, piece_of(mesh.indices, i, 3 * kPiece));
    drop();
  }
  return bytes;
}

void obj_text(benchmark::State& state) {
  const Mesh& mesh = bench_mesh();
  std::string text;
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = write_text(
        mesh, text,
        [](std::string& out, std::span<const Vec3f> p) {
          append_obj_vertices(out, p, {}, Vec3(0));
        },
        [](std::string& out, std::span<const Vec3f> n) { append_obj_normals(out, n); },
        [](std::string& out, std::span<const std::uint32_t> i) {
          append_obj_faces(out, i, 1, true);
        });
  }
  count_triangles(state, mesh, bytes);
}
BENCHMARK(obj_text)->Unit(benchmark::kMillisecond);

template <class... Format>
void append_number(std::string& out, Format... number) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, number...).ptr);
}

void obj_text_to_chars(benchmark::State& state) {
  const Mesh& mesh = bench_mesh();
  std::string text;
  std::size_t bytes = 0;
  const auto vector = [](std::string& out, const char* name, const Vec3f& v, auto... format) {
    out += name;
    for (int axis = 0; axis < 3; ++axis) {
      out += ' ';
      append_number(out, v[axis], format...);
    }
    out += '\n';
  };
  for (auto _ : state) {
    bytes = write_text(
        mesh, text,
        [&](std::string& out, std::span<const Vec3f> all) {
          for (const Vec3f& p : all) vector(out, "v", p);
        },
        [&](std::string& out, std::span<const Vec3f> all) {
          for (const Vec3f& n : all) vector(out, "vn", n, std::chars_format::fixed, 4);
        },
        [&](std::string& out, std::span<const std::uint32_t> all) {
          for (std::size_t i = 0; i < all.size(); ++i) {
            out += i % 3 == 0 ? "f " : " ";
            append_number(out, all[i] + 1);
            out += "//";
            append_number(out, all[i] + 1);
            if (i % 3 == 2) out += '\n';
          }
        });
  }
  count_triangles(state, mesh, bytes);
}
BENCHMARK(obj_text_to_chars)->Unit(benchmark::kMillisecond);

void glb_file(benchmark::State& state, MeshEncoding encoding) {
  // A node of 16-bit positions reaches over 64 m.
  const Mesh& mesh = encoding == MeshEncoding::Plain ? bench_mesh() : bench_chunk_mesh();
  const auto path = std::filesystem::temp_directory_path() / "talus_bench.glb";
  for (auto _ : state) {
    const auto file = create_mesh_file(path.string(), {.encoding = encoding});
    file->begin_node("terrain", mesh.origin);
    file->add(mesh);
    file->finish();
  }
  count_triangles(state, mesh, std::filesystem::file_size(path));
  std::filesystem::remove(path);
}
BENCHMARK_CAPTURE(glb_file, plain, MeshEncoding::Plain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(glb_file, chunk_compressed, MeshEncoding::Compressed)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace talus
