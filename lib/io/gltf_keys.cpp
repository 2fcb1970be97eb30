#include "io/gltf_keys.h"

#include <algorithm>

namespace talus {
namespace {

enum class Between { Linear, Step };

/// A key is not needed where the track runs through it anyway: equal on both sides (linear), or
/// equal to the one before (step).
template <std::size_t n>
GltfTrack<n> without_idle_keys(const GltfTrack<n>& all, Between between) {
  GltfTrack<n> kept;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const bool same_as_before = i > 0 && all.values[i] == all.values[i - 1];
    const bool same_as_next = i + 1 == all.values.size() || all.values[i] == all.values[i + 1] ||
                              between == Between::Step;
    if (same_as_before && same_as_next) continue;
    kept.times.push_back(all.times[i]);
    kept.values.push_back(all.values[i]);
  }
  return kept;
}

template <std::size_t n, class T, class ToFloats>
GltfTrack<n> make_track(const Keys<T>& keys, Between between, const ToFloats& to_floats) {
  GltfTrack<n> track;
  for (std::size_t i = 0; i < keys.values.size(); ++i) {
    const auto time = static_cast<float>(keys.t_s[i]);
    const std::array<float, n> value = to_floats(keys.values[i]);
    if (i == 0 && time > 0) {
      track.times.push_back(0);
      track.values.push_back(value);
    }
    if (!track.times.empty() && time <= track.times.back()) {
      track.values.back() = value;
      continue;
    }
    track.times.push_back(time);
    track.values.push_back(value);
  }
  return without_idle_keys(track, between);
}

}  // namespace

GltfTrack<3> translation_track(const Keys<Vec3>& keys) {
  return make_track<3>(keys, Between::Linear, [](Vec3 v) {
    return std::array<float, 3>{static_cast<float>(v.x), static_cast<float>(v.y),
                                static_cast<float>(v.z)};
  });
}

GltfTrack<4> rotation_track(const Keys<Quat>& keys) {
  Quat before = kNoRotation;
  return make_track<4>(keys, Between::Linear, [&before](const Quat& key) {
    Quat q = normalized(key);
    if (q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w < 0) q = -q;
    before = q;
    // Adding 0 turns -0 into 0, so that equal turns are equal keys.
    return std::array<float, 4>{static_cast<float>(q.x) + 0, static_cast<float>(q.y) + 0,
                                static_cast<float>(q.z) + 0, static_cast<float>(q.w) + 0};
  });
}

GltfTrack<3> scale_track(const Keys<bool>& keys) {
  return make_track<3>(keys, Between::Step, [](bool shown) {
    const float scale = shown ? 1 : 0;
    return std::array<float, 3>{scale, scale, scale};
  });
}

}  // namespace talus
