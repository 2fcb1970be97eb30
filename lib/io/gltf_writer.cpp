#include "io/gltf_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/atomic_file.h"
#include "io/gltf_attributes.h"
#include "io/gltf_buffers.h"
#include "io/gltf_compress.h"
#include "io/gltf_container.h"
#include "io/gltf_document.h"
#include "io/mesh_part_check.h"

namespace talus {
namespace {

// A plain node of more than kMaxVertices16, or of very many triangles, leaves memory as it comes.
constexpr std::size_t kMaxPendingIndices = std::size_t{1} << 22;
constexpr std::uint64_t kMaxVertices = 0xFFFFFFFF;

constexpr GltfFormat kFloat3{5126, "VEC3", false};
constexpr GltfFormat kShort3{5123, "VEC3", false};
constexpr GltfFormat kNormal8{5120, "VEC3", true};
constexpr GltfFormat kColor8{5121, "VEC4", true};
constexpr GltfFormat kIndex16{5123, "SCALAR", false};
constexpr GltfFormat kIndex32{5125, "SCALAR", false};

// One node while it arrives.
struct Node {
  std::string name;
  std::uint64_t vertices = 0;
  std::uint64_t indices = 0;
  Vec3f lo{0}, hi{0};
  Mesh pending;          // what has not gone to the streams yet; its origin is the node's
  bool spilled = false;  // something has: 32-bit indices
  std::array<std::optional<GltfPlace>, kGltfStreams> places;
};

template <class Vector>
std::string bounds_text(const Vector& lo, const Vector& hi) {
  return fmt::format(R"("min":[{},{},{}],"max":[{},{},{}])", lo.x, lo.y, lo.z, hi.x, hi.y, hi.z);
}

bool ends_with_glb(const std::string& path) {
  return path.ends_with(".glb");
}

// A device has no folder to keep data in.
std::string spool_folder(const std::string& path) {
  return path.starts_with("/dev/") ? "/tmp" : folder_of(path);
}

std::unique_ptr<GltfBuffers> create_buffers(const std::string& folder, MeshEncoding encoding) {
  if (encoding == MeshEncoding::Plain) return create_plain_buffers(folder, kPlainStrides);
  constexpr GltfStrides kQuantized{8, 4, 4, 4, 2, 4};
  return encoding == MeshEncoding::Quantized ? create_plain_buffers(folder, kQuantized)
                                             : create_compressed_buffers(folder, kQuantized);
}

class GltfWriter : public MeshWriter {
 public:
  GltfWriter(const std::string& path, const MeshFileOptions& options);

  void begin_node(const std::string& name, Vec3 origin) override;
  void add(const Mesh& part) override;
  void finish() override;

 private:
  bool is_plain() const { return options_.encoding == MeshEncoding::Plain; }
  void grow_bounds(const Mesh& part);
  void check_size() const;
  void append(GltfStream stream, const void* data, std::size_t bytes);
  void keep(const Mesh& part);
  void spill(const Mesh& part);
  void append_plain_attributes(const Mesh& mesh);
  void append_indices(const Mesh& mesh, bool in_16_bits);
  void end_node();
  void end_plain_node();
  void end_quantized_node();
  GltfPrimitive put_accessors(const GltfFormat& position, const GltfFormat& normal,
                              const std::string& bounds);
  void write_glb();
  void write_gltf();

  std::string path_;
  MeshFileOptions options_;
  AtomicFile file_;
  std::string bin_path_;             // .gltf only
  std::unique_ptr<AtomicFile> bin_;  // .gltf only
  std::unique_ptr<GltfBuffers> buffers_;
  GltfDocument document_;
  Node node_;
  bool has_normals_ = false, has_colors_ = false;  // as the first part of the node has them
};

GltfWriter::GltfWriter(const std::string& path, const MeshFileOptions& options)
    : path_(path),
      options_(options),
      file_(path, ends_with_glb(path) ? FileKind::Glb : FileKind::Json),
      buffers_(create_buffers(spool_folder(path), options.encoding)),
      document_(spool_folder(path), options) {
  if (ends_with_glb(path)) return;
  bin_path_ = path.substr(0, path.rfind('.')) + ".bin";
  bin_ = std::make_unique<AtomicFile>(bin_path_, FileKind::Any);
}

void GltfWriter::begin_node(const std::string& name, Vec3 origin) {
  end_node();
  node_.name = name;
  node_.pending.origin = origin;
}

void GltfWriter::add(const Mesh& part) {
  check_mesh_part(part, node_.vertices + part.positions.size(), path_, node_.name);
  if (node_.vertices == 0) {
    has_normals_ = !part.normals.empty();
    has_colors_ = !part.colors.empty();
  }
  assert(part.positions.empty() || has_normals_ == !part.normals.empty());
  assert(part.positions.empty() || has_colors_ == !part.colors.empty());
  grow_bounds(part);
  node_.vertices += part.positions.size();
  node_.indices += part.indices.size();
  if (node_.vertices > kMaxVertices) {
    throw Error(fmt::format("cannot write {}: node {} has over 4 294 967 295 vertices; cut it with "
                            "--tiles",
                            path_, node_.name),
                Trouble::Output);
  }
  const bool large =
      node_.vertices > kMaxVertices16 || node_.pending.indices.size() > kMaxPendingIndices;
  if (is_plain() && node_.indices > 0 && (large || node_.spilled)) {
    spill(node_.pending);
    node_.pending = Mesh{node_.pending.origin, {}, {}, {}, {}};
    spill(part);
  } else {
    keep(part);
  }
  check_size();
}

void GltfWriter::keep(const Mesh& part) {
  const auto append_to = [](auto& all, const auto& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append_to(node_.pending.positions, part.positions);
  append_to(node_.pending.normals, part.normals);
  append_to(node_.pending.colors, part.colors);
  append_to(node_.pending.indices, part.indices);
}

void GltfWriter::grow_bounds(const Mesh& part) {
  Vec3f lo = node_.lo;
  Vec3f hi = node_.hi;
  if (node_.vertices == 0 && !part.positions.empty()) lo = hi = part.positions.front();
  for (const Vec3f& p : part.positions) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], p[axis]);
      hi[axis] = std::max(hi[axis], p[axis]);
    }
  }
  node_.lo = lo;
  node_.hi = hi;
}

void GltfWriter::check_size() const {
  if (bin_) return;
  const Mesh& waiting = node_.pending;
  const std::uint64_t pending =
      is_plain() ? waiting.positions.size() * 28 + waiting.indices.size() * 4 : 0;
  check_glb_size(path_, document_.bytes(), buffers_->bytes() + pending);
}

// Remembers where the node's first bytes of each stream went.
void GltfWriter::append(GltfStream stream, const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  const GltfPlace place = buffers_->append(stream, data, bytes);
  auto& first = node_.places[static_cast<std::size_t>(stream)];
  if (!first) first = place;
}

void GltfWriter::spill(const Mesh& part) {
  append_plain_attributes(part);
  append_indices(part, false);
  node_.spilled = true;
}

void GltfWriter::append_plain_attributes(const Mesh& mesh) {
  append(GltfStream::Positions, mesh.positions.data(), mesh.positions.size() * sizeof(Vec3f));
  append(GltfStream::Normals, mesh.normals.data(), mesh.normals.size() * sizeof(Vec3f));
  const auto colors = quantize_colors(mesh.colors);
  append(GltfStream::Colors, colors.data(), colors.size() * sizeof(Rgba8));
}

void GltfWriter::append_indices(const Mesh& mesh, bool in_16_bits) {
  const auto& indices = mesh.indices;
  if (!in_16_bits) {
    return append(GltfStream::Indices32, indices.data(), indices.size() * sizeof(std::uint32_t));
  }
  const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  append(GltfStream::Indices16, narrow.data(), narrow.size() * sizeof(std::uint16_t));
}

void GltfWriter::end_node() {
  if (node_.indices > 0) {
    is_plain() ? end_plain_node() : end_quantized_node();
    buffers_->end_node();
  }
  node_ = Node{};
}

void GltfWriter::end_plain_node() {
  if (!node_.spilled) {
    append_plain_attributes(node_.pending);
    append_indices(node_.pending, true);
  }
  document_.add_node(node_.name, node_.pending.origin, 1,
                     put_accessors(kFloat3, kFloat3, bounds_text(Vec3(node_.lo), Vec3(node_.hi))));
}

void GltfWriter::end_quantized_node() {
  const Mesh& mesh = node_.pending;
  if (options_.encoding == MeshEncoding::Compressed) reorder_for_compression(node_.pending);
  const QuantizedPositions positions =
      quantize_positions(mesh.positions, options_.grid_m, node_.name);
  append(GltfStream::Positions, positions.points.data(),
         positions.points.size() * sizeof(Position16));
  const auto normals = options_.encoding == MeshEncoding::Compressed
                           ? octahedral_normals(mesh.normals)
                           : quantize_normals(mesh.normals);
  append(GltfStream::Normals, normals.data(), normals.size() * sizeof(Normal8));
  const auto colors = quantize_colors(mesh.colors);
  append(GltfStream::Colors, colors.data(), colors.size() * sizeof(Rgba8));
  append_indices(mesh, node_.vertices <= kMaxVertices16);
  document_.add_node(node_.name, mesh.origin + options_.grid_m * Vec3(positions.offset),
                     options_.grid_m,
                     put_accessors(kShort3, kNormal8, bounds_text(positions.lo, positions.hi)));
}

GltfPrimitive GltfWriter::put_accessors(const GltfFormat& position, const GltfFormat& normal,
                                        const std::string& bounds) {
  const auto put = [&](GltfStream stream, std::uint64_t count, const GltfFormat& format,
                       const std::string& text = "") {
    return document_.add_accessor(*node_.places[static_cast<std::size_t>(stream)], count, format,
                                  text);
  };
  GltfPrimitive primitive;
  primitive.positions = put(GltfStream::Positions, node_.vertices, position, bounds);
  if (has_normals_) primitive.normals = put(GltfStream::Normals, node_.vertices, normal);
  if (has_colors_) primitive.colors = put(GltfStream::Colors, node_.vertices, kColor8);
  const bool wide = node_.spilled || node_.vertices > kMaxVertices16;
  primitive.indices = wide ? put(GltfStream::Indices32, node_.indices, kIndex32)
                           : put(GltfStream::Indices16, node_.indices, kIndex16);
  return primitive;
}

void GltfWriter::finish() {
  end_node();
  buffers_->finish();
  bin_ ? write_gltf() : write_glb();
}

void GltfWriter::write_gltf() {
  buffers_->copy_to([this](std::string_view bytes) { bin_->write(bytes); });
  const std::string name = bin_path_.substr(bin_path_.rfind('/') + 1);
  document_.write([this](std::string_view bytes) { file_.write(bytes); }, *buffers_,
                  buffers_->bytes(), gltf_uri(name));
  file_.write("\n");
  if (!document_.empty()) bin_->commit();
  file_.commit();
}

void GltfWriter::write_glb() {
  const std::uint64_t binary = buffers_->bytes();
  talus::write_glb(
      file_, path_, [&](const ByteSink& out) { document_.write(out, *buffers_, binary, ""); },
      binary, [&](const ByteSink& out) { buffers_->copy_to(out); });
  file_.commit();
}

}  // namespace

std::unique_ptr<MeshWriter> create_gltf_writer(const std::string& path,
                                               const MeshFileOptions& options) {
  return std::make_unique<GltfWriter>(path, options);
}

}  // namespace talus
