#include <algorithm>

#include "physics/sweep.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/broad_phase_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Appends those that meet box i, without a call for each: `out` has room for all.
HWY_INLINE SweepPair* sweep_from(const SweepBoxes& boxes, std::size_t i, SweepPair* out) {
  const hn::CappedTag<double, 8> d;
  const auto hi_x = hn::Set(d, boxes.hi_x[i]);
  const auto lo_y = hn::Set(d, boxes.lo_y[i]), hi_y = hn::Set(d, boxes.hi_y[i]);
  const auto lo_z = hn::Set(d, boxes.lo_z[i]), hi_z = hn::Set(d, boxes.hi_z[i]);
  const auto passive = hn::Set(d, 0.5 - boxes.active[i]);
  for (std::size_t k = i + 1; k < boxes.count; k += hn::Lanes(d)) {
    const auto within = hn::Le(hn::LoadU(d, &boxes.lo_x[k]), hi_x);
    const auto y = hn::And(hn::Le(hn::LoadU(d, &boxes.lo_y[k]), hi_y),
                           hn::Le(lo_y, hn::LoadU(d, &boxes.hi_y[k])));
    const auto z = hn::And(hn::Le(hn::LoadU(d, &boxes.lo_z[k]), hi_z),
                           hn::Le(lo_z, hn::LoadU(d, &boxes.hi_z[k])));
    std::uint8_t bits[8] = {};
    const auto counts = hn::Gt(hn::LoadU(d, &boxes.active[k]), passive);
    hn::StoreMaskBits(d, hn::And(hn::And(within, counts), hn::And(y, z)), bits);
    for (unsigned left = bits[0]; left != 0; left &= left - 1) {
      *out++ = {static_cast<std::uint32_t>(i),
                static_cast<std::uint32_t>(k) + static_cast<std::uint32_t>(__builtin_ctz(left))};
    }
    if (!hn::AllTrue(d, within)) break;
  }
  return out;
}

HWY_ATTR void sweep_all(const SweepBoxes& boxes, std::vector<SweepPair>& out) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < boxes.count; ++i) {
    if (out.size() < found + boxes.count) out.resize(2 * out.size() + boxes.count);
    SweepPair* const from = out.data() + found;
    found += static_cast<std::size_t>(sweep_from(boxes, i, from) - from);
  }
  out.resize(found);
}

HWY_ATTR void meeting_one(const SweepBoxes& boxes, const Box& box,
                          std::vector<std::uint32_t>& out) {
  const hn::CappedTag<double, 8> d;
  const auto lo_x = hn::Set(d, box.lo.x), hi_x = hn::Set(d, box.hi.x);
  const auto lo_y = hn::Set(d, box.lo.y), hi_y = hn::Set(d, box.hi.y);
  const auto lo_z = hn::Set(d, box.lo.z), hi_z = hn::Set(d, box.hi.z);
  out.clear();
  for (std::size_t k = 0; k < boxes.count; k += hn::Lanes(d)) {
    const auto x = hn::And(hn::Le(hn::LoadU(d, &boxes.lo_x[k]), hi_x),
                           hn::Le(lo_x, hn::LoadU(d, &boxes.hi_x[k])));
    const auto y = hn::And(hn::Le(hn::LoadU(d, &boxes.lo_y[k]), hi_y),
                           hn::Le(lo_y, hn::LoadU(d, &boxes.hi_y[k])));
    const auto z = hn::And(hn::Le(hn::LoadU(d, &boxes.lo_z[k]), hi_z),
                           hn::Le(lo_z, hn::LoadU(d, &boxes.hi_z[k])));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::And(x, hn::And(y, z)), bits);
    for (unsigned left = bits[0]; left != 0; left &= left - 1) {
      out.push_back(static_cast<std::uint32_t>(k) +
                    static_cast<std::uint32_t>(__builtin_ctz(left)));
    }
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(sweep_all);
HWY_EXPORT(meeting_one);
void sweep(const SweepBoxes& boxes, std::vector<SweepPair>& out) {
  HWY_DYNAMIC_DISPATCH(sweep_all)(boxes, out);
}
void meeting(const SweepBoxes& boxes, const Box& box, std::vector<std::uint32_t>& out) {
  HWY_DYNAMIC_DISPATCH(meeting_one)(boxes, box, out);
}

}  // namespace talus
#endif
