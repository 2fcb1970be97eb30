#include "core/simd.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <hwy/targets.h>

namespace talus {

namespace {

std::string lower_name(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

/// The targets that this processor has, best first (Highway gives better ones lower bits).
std::vector<std::int64_t> targets() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<std::int64_t> all;
  // Walks the bits of a set, lowest first.
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    all.push_back(left & ~(left - 1));
  }
  return all;
}

}  // namespace

std::vector<std::string> simd_levels() {
  std::vector<std::string> names;
  for (const std::int64_t target : targets()) names.push_back(lower_name(target));
  return names;
}

bool use_simd_level(const std::string& name) {
  for (const std::int64_t target : targets()) {
    if (lower_name(target) != name) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    return true;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return false;
}

}  // namespace talus
