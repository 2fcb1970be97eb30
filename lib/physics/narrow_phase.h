// From two partners to contact manifolds.
#pragma once

#include "physics/collider.h"
#include "physics/contact.h"

namespace talus {

/// How near counts as touching: a centimetre, and up to two more of what the step may close.
float touch_margin(const Collider& a, const Collider* b, float dt);

/// Each replaces the pair's manifolds by today's; points found again within 10 cm keep their
/// impulses. Cost: pairs of boxes whose bounds meet; the points below the ground's surroundings.
void collide(const Collider& a, const Collider& b, float margin, PairContacts& pair);
void collide_ground(const Collider& a, float margin, PairContacts& pair);
void collide_standing(const Collider& a, const Blocks& blocks, float margin, PairContacts& pair);

}  // namespace talus
