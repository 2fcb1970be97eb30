// From two partners to contact manifolds.
#pragma once

#include <span>
#include <vector>

#include "physics/collider.h"
#include "physics/contact.h"

namespace talus {

/// How near counts as touching: a centimetre, and up to two more of what the step may close.
float touch_margin(const Collider& a, const Collider* b, float dt);

/// No margin is wider, metres.
inline constexpr float kWidestMargin = 0.03F;

/// Each adds this step's manifolds to `out`; points of `old` (last step's between the two) found
/// again within 10 cm keep their impulses. Cost: pairs of boxes whose bounds meet; the points below
/// the ground's surroundings.
/// With bodies and the ground, as far as it is covered, returns how far apart the two are at least;
/// 0 where that is not known.
float collide(const Collider& a, const Collider& b, float margin, std::span<const Manifold> old,
              std::vector<Manifold>& out);
float collide_ground(const Collider& a, float margin, std::span<const Manifold> old,
                     std::vector<Manifold>& out);
void collide_standing(const Collider& a, const Blocks& blocks, float margin,
                      std::span<const Manifold> old, std::vector<Manifold>& out);

}  // namespace talus
