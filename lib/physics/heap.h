// The moving bodies that touch something or float, and the parts they are cut into for a team.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "physics/body.h"
#include "physics/contact.h"
#include "physics/slabs.h"

namespace talus {

class Heap {
 public:
  /// Lists and cuts them; nothing but the bodies and their contacts decides where.
  /// Cost: bodies and contacts.
  void gather(std::span<const Body> bodies, std::span<const PairContact> pairs);

  /// Those in contact, in the order of the contacts, then those only in water.
  const std::vector<std::uint32_t>& bodies() const { return touching_; }
  std::size_t parts() const { return slabs_.count(); }
  /// The part of whatever is at a place; known for all places.
  std::uint32_t part_at(Vec3 position) const { return slabs_.of(position); }

 private:
  void list(std::span<const Body> bodies, std::span<const PairContact> pairs);

  std::vector<std::uint32_t> touching_;
  std::vector<std::uint32_t> manifolds_;  // by body
  std::size_t manifold_count_ = 0;
  std::vector<Slabs::Body> places_;
  Slabs slabs_;
};

}  // namespace talus
