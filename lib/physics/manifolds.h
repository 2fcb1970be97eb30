// Points where two partners touch -> manifolds of at most four, that know last step's points again.
#pragma once

#include <span>
#include <vector>

#include "physics/collider.h"
#include "physics/contact.h"

namespace talus {

/// A point that was found.
struct Candidate {
  Vec3f point;  // from A's centre, world axes
  Vec3f normal;
  float gap;
  int old = -1;  // last step's point
  bool loaded = false;
};

/// Where a contact's partners have their origins, from A's centre, and their axes.
struct Frames {
  Mat3f axes_a{1}, axes_b{1};
  Vec3f offset{0};  // of B's origin
};
/// b: null for what stands still, whose origin is where A rests.
Frames frames_of(const Collider& a, const Collider* b);

/// Adds the manifolds of all candidates, which are used up, to `out`. Points of `old` found again
/// within 10 cm hand on what they are to start with. Of more than eight in one direction those stay
/// that carry. Cost: candidates by old points, of one pair of partners.
void make_manifolds(std::vector<Candidate>& found, const Frames& frames,
                    std::span<const Manifold> old, std::vector<Manifold>& out);

/// Last step's manifolds where neither partner has moved since they were made: the same points,
/// with their gaps as they are now.
void renew_manifolds(const Frames& frames, std::span<const Manifold> old,
                     std::vector<Manifold>& out);

}  // namespace talus
