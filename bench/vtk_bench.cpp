// The peer: VTK's flying edges (Schroeder, Maynard, Geveci, 2015) on the same samples, one thread.
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

// After VTK: its headers use a name that this one defines as a macro.
#include <algorithm>
#include <cstdlib>

#include <benchmark/benchmark.h>

#include "bench/region.h"

namespace talus {
namespace {

void vtk_flying_edges(benchmark::State& state) {
  setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 1);
  const Samples& samples = bench_samples();
  vtkNew<vtkImageData> image;
  image->SetDimensions(kBenchSide, kBenchSide, kBenchSide);
  image->AllocateScalars(VTK_FLOAT, 1);
  std::copy(samples.density.begin(), samples.density.end(),
            static_cast<float*>(image->GetScalarPointer()));
  vtkIdType triangles = 0;
  for (auto _ : state) {
    vtkNew<vtkFlyingEdges3D> filter;
    filter->SetInputData(image);
    filter->SetValue(0, 0.0);
    filter->SetComputeNormals(state.range(0) != 0);
    filter->SetComputeGradients(false);
    filter->SetComputeScalars(false);
    filter->Update();
    triangles = filter->GetOutput()->GetNumberOfPolys();
  }
  state.counters["triangles"] = static_cast<double>(triangles);
}
BENCHMARK(vtk_flying_edges)->ArgName("normals")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace talus
