// What talus and its peers run alike.
#pragma once

namespace talus {

inline constexpr const char* kDebrisFolder = TALUS_DEBRIS;
inline constexpr int kDebrisSteps = 600;
inline constexpr double kDebrisStep = 1.0 / 60;
inline constexpr double kDebrisFriction = 0.6;

}  // namespace talus
