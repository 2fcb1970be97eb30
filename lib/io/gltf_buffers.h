// The binary part of a glTF file while its nodes arrive.
//
// Every node appends to a few long streams, one a kind of data, and is told where its bytes went: a
// buffer view and an offset into it, which is what an accessor needs. So a file of 100 000 nodes
// has a handful of views, and no more memory is held than the buffers of the spools.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/spool.h"

namespace talus {

/// Keys: times and values of animations.
enum class GltfStream { Positions, Normals, Colors, Indices32, Indices16, Keys };
constexpr std::size_t kGltfStreams = 6;

/// Bytes of one element of each stream: a vertex for the first three, an index for the next two, a
/// float for the last.
using GltfStrides = std::array<std::uint32_t, kGltfStreams>;
/// Floats, and colours in four bytes.
inline constexpr GltfStrides kPlainStrides{12, 12, 4, 4, 2, 4};

constexpr bool is_vertex_stream(GltfStream stream) {
  return stream < GltfStream::Indices32;
}

struct GltfPlace {
  std::uint64_t view = 0;
  std::uint64_t offset = 0;  // bytes
};

class GltfBuffers {
 public:
  virtual ~GltfBuffers() = default;
  /// Appends whole elements. Appends of one node to one stream stand next to one another.
  virtual GltfPlace append(GltfStream stream, const void* data, std::size_t bytes) = 0;
  /// Between nodes: what is complete may be put away.
  virtual void end_node() {}
  /// After the last node and before the functions below.
  virtual void finish() {}
  /// Bytes of buffer 0: so far, or at most; exact after finish().
  virtual std::uint64_t bytes() const = 0;
  /// The elements of the JSON array `bufferViews`, with commas between them.
  virtual void write_views(const ByteSink& json) const = 0;
  /// Bytes of the buffer that readers without the compression extension would need; 0: there is
  /// none.
  virtual std::uint64_t fallback_bytes() const { return 0; }
  /// The bytes of buffer 0, a multiple of 4.
  virtual void copy_to(const ByteSink& out) const = 0;
};

/// The streams as they are, one view each. `folder` takes the temporary data.
std::unique_ptr<GltfBuffers> create_plain_buffers(const std::string& folder,
                                                  const GltfStrides& strides);

}  // namespace talus
