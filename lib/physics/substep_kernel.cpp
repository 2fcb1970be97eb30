#include "physics/soft_contacts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/substep_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
/// Velocity and spin of a body, or shift and turn.
using D = hn::CappedTag<float, 8>;

HWY_ATTR void push_all(std::span<SolverBody> bodies, Velocities* before, float fall, bool first) {
  const D d;
  HWY_ALIGN float falls[8] = {};
  falls[1] = fall;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t l = 0; l < 8; l += hn::Lanes(d)) {
      float* const moving = bodies[i].velocity + l;
      float* const freely = before[i].velocity + l;
      const auto now = hn::LoadU(d, moving);
      const auto push = first ? hn::Zero(d) : hn::Sub(now, hn::LoadU(d, freely));
      const auto fallen = hn::Sub(now, hn::LoadU(d, falls + l));
      hn::StoreU(fallen, d, freely);
      hn::StoreU(hn::Add(fallen, push), d, moving);
    }
  }
}

HWY_ATTR void move_all(std::span<SolverBody> bodies, float h) {
  const D d;
  for (SolverBody& body : bodies) {
    for (std::size_t l = 0; l < 8; l += hn::Lanes(d)) {
      float* const moved = body.shift + l;
      const auto way = hn::Mul(hn::Set(d, h), hn::LoadU(d, body.velocity + l));
      hn::StoreU(hn::Add(hn::LoadU(d, moved), way), d, moved);
    }
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(push_all);
HWY_EXPORT(move_all);

void push_again(std::span<SolverBody> bodies, Velocities* before, float fall, bool first) {
  HWY_DYNAMIC_DISPATCH(push_all)(bodies, before, fall, first);
}
void move_bodies(std::span<SolverBody> bodies, float h) {
  HWY_DYNAMIC_DISPATCH(move_all)(bodies, h);
}

}  // namespace talus
#endif
