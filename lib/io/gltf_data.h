// The elements of a glTF file's accessors. Every offset and length is checked against what is
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec.h"
#include "io/gltf_model.h"

namespace talus {

class GltfData {
 public:
  /// `binary` is the binary chunk of a .glb, empty for a .gltf. All three must outlive this.
  GltfData(const std::string& path, const GltfModel& model, std::string_view binary);

  /// The first three components of each element; normalised integers as numbers. All finite.
  std::vector<Vec3> vectors(std::uint64_t accessor);
  std::vector<std::uint32_t> indices(std::uint64_t accessor);
  std::uint64_t count(std::uint64_t accessor) const { return model_.accessors[accessor].count; }

  /// Takes bytes from what the file may unfold to: 256 MiB and 64 times its size, so that no small
  /// file becomes gigabytes by repetition. Throws Error.
  void charge(std::uint64_t bytes);

 private:
  using Bytes = std::span<const std::byte>;

  [[noreturn]] void fail(const char* array, std::uint64_t number, const std::string& why) const;
  Bytes buffer(std::uint64_t number);
  Bytes view(std::uint64_t number);
  std::vector<std::byte> unpack(std::uint64_t number, const GltfPacking& packing);
  void check_packing(std::uint64_t number, const GltfPacking& packing) const;

  // Bytes of element 0, from which the others stand `stride` apart; all are inside.
  struct Elements {
    Bytes bytes;
    std::uint64_t stride;
  };
  Elements elements(std::uint64_t accessor);

  const std::string& path_;
  const GltfModel& model_;
  std::string_view binary_;
  std::uint64_t left_;                            // of what may be charged
  std::vector<std::vector<std::byte>> loaded_;    // buffers with a uri, once asked for
  std::vector<std::vector<std::byte>> unpacked_;  // views with packing, once asked for
};

}  // namespace talus
