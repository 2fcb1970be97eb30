#include "io/obj_writer.h"

#include <algorithm>
#include <cassert>
#include <span>

#include <fmt/format.h>

#include "core/error.h"
#include "io/atomic_file.h"
#include "io/mesh_part_check.h"
#include "io/obj_head.h"
#include "io/obj_text.h"

namespace talus {
namespace {

constexpr const char* kMaterial =
    "newmtl rock\n"
    "Ka 0 0 0\n"
    "Kd 0.64 0.61 0.58\n"
    "Ks 0 0 0\n"
    "illum 1\n";

class ObjWriter : public MeshWriter {
 public:
  ObjWriter(const std::string& path, const MeshFileOptions& options)
      : path_(path),
        generator_(options.generator),
        file_(path, FileKind::Text),
        material_path_(obj_material_path(path)),
        material_(material_path_, FileKind::Text) {}

  void begin_node(const std::string& name, Vec3 origin) override;
  void add(const Mesh& part) override;
  void finish() override;

 private:
  void put_head();
  void put_part(const Mesh& part);
  void put_waiting();

  std::string path_;
  std::string generator_;
  AtomicFile file_;
  std::string material_path_;
  AtomicFile material_;
  bool has_head_ = false;
  Vec3 shift_{0};                  // the file's: subtracted from world coordinates
  std::uint64_t next_vertex_ = 1;  // of the first vertex of the node
  std::string name_;
  Vec3 origin_{0};
  std::uint64_t vertices_ = 0;  // of the node
  std::string waiting_;         // text of a node that has no triangle yet
  bool has_triangles_ = false;
};

void ObjWriter::begin_node(const std::string& name, Vec3 origin) {
  if (has_triangles_) next_vertex_ += vertices_;
  name_ = obj_name(name.empty() ? "node" : name);
  origin_ = origin;
  vertices_ = 0;
  waiting_.clear();
  has_triangles_ = false;
}

void ObjWriter::add(const Mesh& part) {
  check_mesh_part(part, vertices_ + part.positions.size(), path_, name_);
  if (!has_triangles_ && vertices_ == 0) {
    if (!has_head_) put_head();
    waiting_ = fmt::format("o {}\nusemtl rock\n", name_);
  }
  has_triangles_ = has_triangles_ || !part.indices.empty();
  put_part(part);
  vertices_ += part.positions.size();
}

// In pieces that stay in the cache.
void ObjWriter::put_part(const Mesh& part) {
  constexpr std::size_t kPiece = 16384;
  const auto in_pieces = [this](auto values, std::size_t piece, const auto& append) {
    for (std::size_t first = 0; first < values.size(); first += piece) {
      append(first, std::min(piece, values.size() - first));
      if (has_triangles_) put_waiting();
    }
  };
  const std::span<const Vec3f> positions = part.positions;
  const std::span<const Vec3f> normals = part.normals;
  const std::span<const Vec3f> colors = part.colors;
  const std::span<const std::uint32_t> indices = part.indices;
  in_pieces(positions, kPiece, [&](std::size_t first, std::size_t count) {
    append_obj_vertices(waiting_, positions.subspan(first, count),
                        colors.empty() ? colors : colors.subspan(first, count), origin_ - shift_);
  });
  in_pieces(normals, kPiece, [&](std::size_t first, std::size_t count) {
    append_obj_normals(waiting_, normals.subspan(first, count));
  });
  in_pieces(indices, 3 * kPiece, [&](std::size_t first, std::size_t count) {
    append_obj_faces(waiting_, indices.subspan(first, count), next_vertex_, !normals.empty());
  });
}

void ObjWriter::put_waiting() {
  file_.write(waiting_);
  waiting_.clear();
}

void ObjWriter::put_head() {
  has_head_ = true;
  shift_ = obj_shift(origin_);
  file_.write(obj_head(generator_, shift_, material_path_));
}

void ObjWriter::finish() {
  if (!has_head_) put_head();
  material_.write(kMaterial);
  material_.commit();
  file_.commit();
}

}  // namespace

std::unique_ptr<MeshWriter> create_obj_writer(const std::string& path,
                                              const MeshFileOptions& options) {
  return std::make_unique<ObjWriter>(path, options);
}

}  // namespace talus
