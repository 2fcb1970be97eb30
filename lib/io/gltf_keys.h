// Animation tracks as glTF's samplers hold them: floats, times that rise from 0, no key without
// need.
#pragma once

#include <array>
#include <vector>

#include "io/scene.h"

namespace talus {

template <std::size_t n>
struct GltfTrack {
  std::vector<float> times;
  std::vector<std::array<float, n>> values;

  /// False where the value never changes: then no track is needed.
  bool moves() const { return values.size() > 1; }
};

/// Linear between keys.
GltfTrack<3> translation_track(const Keys<Vec3>& keys);
GltfTrack<4> rotation_track(const Keys<Quat>& keys);  // x, y, z, w
/// Steps from 0 to 1 and back.
GltfTrack<3> scale_track(const Keys<bool>& keys);

}  // namespace talus
