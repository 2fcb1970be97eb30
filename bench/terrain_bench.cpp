// Terrain to mesh: filling samples, meshing them, and both. Run with
//   --benchmark_enable_random_interleaving=true --benchmark_repetitions=5
// to compare rows of one run on a noisy machine.
#include <benchmark/benchmark.h>

#include "bake/chunk_run.h"
#include "bench/region.h"
#include "meshing/mesher.h"

namespace talus {
namespace {

/// From given densities: which are solid, vertices, normals, triangles.
void mesh_of_given_samples(benchmark::State& state, Mesher mesher) {
  const Samples& given = bench_samples();
  std::size_t triangles = 0;
  Samples samples = given;
  for (auto _ : state) {
    find_solid(given.lattice.size, samples.density, samples.solid);
    const Mesh mesh = mesh_function(mesher)(samples, kBenchOwn, {});
    triangles = mesh.triangle_count();
    benchmark::DoNotOptimize(mesh.positions.data());
  }
  state.counters["triangles"] = static_cast<double>(triangles);
}
BENCHMARK_CAPTURE(mesh_of_given_samples, surface_nets, Mesher::SurfaceNets)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mesh_of_given_samples, marching_cubes, Mesher::MarchingCubes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mesh_of_given_samples, blocks, Mesher::Blocks)->Unit(benchmark::kMillisecond);

void fill_dense(benchmark::State& state) {
  const Terrain terrain = bench_terrain();
  const Lattice lattice{kBenchOrigin, IVec3(kBenchSide), 1};
  std::vector<double> out(lattice.count());
  for (auto _ : state) {
    densities(terrain, lattice, out);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(fill_dense)->Unit(benchmark::kMillisecond);

/// Noise and mesh together, chunk by chunk, as baking does it.
void region_to_mesh(benchmark::State& state, Mesher mesher) {
  const Terrain terrain = bench_terrain();
  constexpr int kChunk = 32;
  std::size_t triangles = 0;
  Samples samples;
  for (auto _ : state) {
    triangles = 0;
    for (int z = 0; z < kBenchSide; z += kChunk) {
      for (int x = 0; x < kBenchSide; x += kChunk) {
        for (int y = 0; y < kBenchSide; y += kChunk) {
          const IVec3 lo = kBenchOrigin + IVec3(x, y, z);
          const IBox own{lo, lo + IVec3(kChunk)}, box = with_apron(own);
          surface_samples(terrain, Lattice{box.lo, box.size(), 1}, samples);
          triangles += mesh_function(mesher)(samples, own, {}).triangle_count();
        }
      }
    }
  }
  state.counters["triangles"] = static_cast<double>(triangles);
}
BENCHMARK_CAPTURE(region_to_mesh, surface_nets, Mesher::SurfaceNets)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(region_to_mesh, marching_cubes, Mesher::MarchingCubes)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(region_to_mesh, blocks, Mesher::Blocks)->Unit(benchmark::kMillisecond);

/// The same, four times as wide, through the pipeline of a bake on some threads; meshes are counted
/// and dropped.
void region_to_mesh_on_threads(benchmark::State& state) {
  BakeRequest request;
  request.terrain = bench_terrain();
  request.region = {kBenchOrigin - IVec3(384, 0, 384), kBenchOrigin + IVec3(640, 256, 640)};
  request.threads = static_cast<int>(state.range(0));
  const ChunkGrid grid(request.region, request.chunk);
  std::size_t triangles = 0;
  for (auto _ : state) {
    triangles = 0;
    run_chunks(request, grid, {}, {},
               [&](ChunkWork& work) { triangles += work.mesh.triangle_count(); });
  }
  state.counters["triangles"] = static_cast<double>(triangles);
}
BENCHMARK(region_to_mesh_on_threads)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// Faces of a chunk's cubes as merged rectangles, from given bits: what greedy block meshers do.
void blocks_of_a_chunk(benchmark::State& state) {
  const IBox own{{288, -16, -64}, IVec3(288, -16, -64) + IVec3(62)}, box = with_apron(own);
  Samples samples;
  surface_samples(bench_terrain(), Lattice{box.lo, box.size(), 1}, samples);
  std::size_t triangles = 0;
  for (auto _ : state) {
    const Mesh mesh = mesh_blocks(samples, own);
    triangles = mesh.triangle_count();
    benchmark::DoNotOptimize(mesh.positions.data());
  }
  const std::size_t quads = triangles / 2;
  state.counters["quads"] = static_cast<double>(quads);
}
BENCHMARK(blocks_of_a_chunk)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace talus
