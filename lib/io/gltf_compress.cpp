#include "io/gltf_compress.h"

#include <cassert>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>
#include <meshoptimizer.h>

namespace talus {
namespace {

// A batch is packed once it holds this much: large enough that a view's JSON is nothing beside it,
// small enough to be no burden on memory.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;

template <class Value>
void permute(std::vector<Value>& values, const std::vector<unsigned>& new_place) {
  std::vector<Value> moved(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) moved[new_place[i]] = values[i];
  values = std::move(moved);
}

// Where each vertex goes: by first use, those without use after them in their old order.
std::vector<unsigned> places_by_use(const Mesh& mesh) {
  std::vector<unsigned> places(mesh.positions.size());
  std::size_t used = meshopt_optimizeVertexFetchRemap(places.data(), mesh.indices.data(),
                                                      mesh.indices.size(), mesh.positions.size());
  for (unsigned& place : places) {
    if (place == ~0u) place = static_cast<unsigned>(used++);
  }
  return places;
}

std::vector<unsigned char> encode_indices(const std::vector<std::byte>& data,
                                          std::uint32_t stride) {
  const std::size_t count = data.size() / stride;
  std::vector<unsigned> wide(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* at = reinterpret_cast<const unsigned char*>(data.data()) + i * stride;
    for (std::uint32_t b = 0; b < stride; ++b) wide[i] |= static_cast<unsigned>(at[b]) << (8 * b);
  }
  std::vector<unsigned char> packed(meshopt_encodeIndexBufferBound(count, 0xFFFFFFFF));
  packed.resize(meshopt_encodeIndexBuffer(packed.data(), packed.size(), wide.data(), count));
  return packed;
}

std::vector<unsigned char> encode_vertices(const std::vector<std::byte>& data,
                                           std::uint32_t stride) {
  const std::size_t count = data.size() / stride;
  std::vector<unsigned char> packed(meshopt_encodeVertexBufferBound(count, stride));
  packed.resize(
      meshopt_encodeVertexBuffer(packed.data(), packed.size(), data.data(), count, stride));
  return packed;
}

class CompressedBuffers : public GltfBuffers {
 public:
  CompressedBuffers(const std::string& folder, const GltfStrides& strides)
      : strides_(strides), packed_(folder), views_(folder) {
    // The formats that every decoder of the extension knows.
    meshopt_encodeVertexVersion(0);
    meshopt_encodeIndexVersion(1);
  }

  GltfPlace append(GltfStream stream, const void* data, std::size_t bytes) override {
    Batch& batch = batches_[static_cast<std::size_t>(stream)];
    if (batch.data.empty()) {
      batch.view = view_count_++;
      batch_order_.push_back(stream);
    }
    const GltfPlace place{batch.view, batch.data.size()};
    const auto* from = static_cast<const std::byte*>(data);
    batch.data.insert(batch.data.end(), from, from + bytes);
    waiting_ += bytes;
    return place;
  }

  void end_node() override {
    if (waiting_ >= kBatchBytes) pack();
  }
  void finish() override { pack(); }
  std::uint64_t bytes() const override { return packed_.size(); }
  void write_views(const ByteSink& json) const override { views_.copy_to(json); }
  std::uint64_t fallback_bytes() const override { return fallback_bytes_; }
  void copy_to(const ByteSink& out) const override { packed_.copy_to(out); }

 private:
  struct Batch {
    std::uint64_t view = 0;
    std::vector<std::byte> data;
  };

  // In the order of the views' numbers.
  void pack() {
    for (const GltfStream stream : batch_order_) {
      pack(stream, batches_[static_cast<std::size_t>(stream)].data);
    }
    for (Batch& batch : batches_) batch.data.clear();
    batch_order_.clear();
    waiting_ = 0;
  }

  void pack(GltfStream stream, const std::vector<std::byte>& data) {
    const std::uint32_t stride = strides_[static_cast<std::size_t>(stream)];
    const bool vertices = is_vertex_stream(stream);
    const auto bytes = vertices ? encode_vertices(data, stride) : encode_indices(data, stride);
    const std::string view_stride = vertices ? fmt::format(R"(,"byteStride":{})", stride) : "";
    views_.write(fmt::format(
        R"({}{{"buffer":1,"byteOffset":{},"byteLength":{}{},"target":{},"extensions":)"
        R"({{"EXT_meshopt_compression":{{"buffer":0,"byteOffset":{},"byteLength":{},)"
        R"("byteStride":{},"mode":"{}"{},"count":{}}}}}}})",
        views_.size() ? "," : "", fallback_bytes_, data.size(), view_stride,
        vertices ? 34962 : 34963, packed_.size(), bytes.size(), stride,
        vertices ? "ATTRIBUTES" : "TRIANGLES",
        stream == GltfStream::Normals ? R"(,"filter":"OCTAHEDRAL")" : "", data.size() / stride));
    packed_.write(bytes.data(), bytes.size());
    packed_.write(std::string_view("\0\0\0", (4 - bytes.size() % 4) % 4));
    fallback_bytes_ += (data.size() + 3) / 4 * 4;
  }

  GltfStrides strides_;
  std::array<Batch, kGltfStreams> batches_;
  std::vector<GltfStream> batch_order_;
  std::size_t waiting_ = 0;  // bytes in the batches
  Spool packed_, views_;
  std::uint64_t view_count_ = 0;
  std::uint64_t fallback_bytes_ = 0;
};

}  // namespace

void reorder_for_compression(Mesh& mesh) {
  meshopt_optimizeVertexCacheStrip(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(),
                                   mesh.positions.size());
  const std::vector<unsigned> places = places_by_use(mesh);
  for (std::uint32_t& index : mesh.indices) index = places[index];
  permute(mesh.positions, places);
  if (!mesh.normals.empty()) permute(mesh.normals, places);
  if (!mesh.colors.empty()) permute(mesh.colors, places);
}

std::vector<Normal8> octahedral_normals(std::span<const Vec3f> normals) {
  std::vector<float> wide;
  wide.reserve(normals.size() * 4);
  for (const Vec3f& n : normals) wide.insert(wide.end(), {n.x, n.y, n.z, 0});
  std::vector<Normal8> result(normals.size());
  meshopt_encodeFilterOct(result.data(), result.size(), sizeof(Normal8), 8, wide.data());
  return result;
}

std::unique_ptr<GltfBuffers> create_compressed_buffers(const std::string& folder,
                                                       const GltfStrides& strides) {
  return std::make_unique<CompressedBuffers>(folder, strides);
}

}  // namespace talus
