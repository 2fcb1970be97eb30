// Files of every encoding before the Khronos validator: no error and no warning.
#include <gtest/gtest.h>

#include "io/mesh_writer.h"
#include "support/sample_meshes.h"
#include "support/temp_folder.h"
#include "support/validate.h"

namespace talus {
namespace {

void write_tiles(const std::string& path, MeshEncoding encoding, bool with_colors, int count) {
  MeshFileOptions options;
  options.encoding = encoding;
  const auto file = create_mesh_file(path, options);
  for (int i = 0; i < count; ++i) {
    file->begin_node("tile.0", {0.1 + 1e6 * i, -12.5, 1e-7});
    file->add(bumpy_ground(20 + 7 * i, static_cast<std::uint32_t>(i), with_colors));
  }
  if (encoding == MeshEncoding::Plain && count > 0) {
    file->begin_node("large", {});
    file->add(bumpy_ground(260, 5, with_colors));
  }
  file->finish();
}

TEST(GltfValidator, FindsNeitherErrorNorWarningInAnyEncoding) {
  const TempFolder folder;
  std::string files;
  for (const auto encoding :
       {MeshEncoding::Plain, MeshEncoding::Quantized, MeshEncoding::Compressed}) {
    for (const char* ending : {".glb", ".gltf"}) {
      for (const int kind : {0, 1, 2}) {
        const std::string path =
            folder.file(std::to_string(static_cast<int>(encoding)) + std::to_string(kind) + ending);
        write_tiles(path, encoding, kind == 2, kind == 0 ? 0 : 3);
        files += " " + path;
      }
    }
  }
  const auto [content, text] = validate_gltf(files);
  EXPECT_TRUE(content) << text;
  EXPECT_NE(text.find("22.gltf: 0 errors, 0 warnings"), std::string::npos) << text;
}

TEST(GltfValidator, IsNotContentWithADamagedFile) {
  const TempFolder folder;
  write_tiles(folder.file("a.gltf"), MeshEncoding::Plain, false, 1);
  std::string json = read_text(folder.file("a.gltf"));
  const std::size_t at = json.find("\"max\":[") + 7;
  json.insert(at, 1, '9');
  write_text(folder.file("a.gltf"), json);
  EXPECT_FALSE(validate_gltf(folder.file("a.gltf")).content);
}

}  // namespace
}  // namespace talus
