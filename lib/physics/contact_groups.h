// Manifolds to groups of sixteen that share no body, and impulses back again.
//
// A greedy colouring in the order given: a manifold takes the first colour that neither of its
// bodies has. Contacts with what stands still take colours of their own, after the others, so that
// the ground has the last word. Groups come colour by colour, those with most points first.
#pragma once

#include <span>
#include <vector>

#include "physics/contact.h"
#include "physics/soft_contacts.h"

namespace talus {

/// A manifold and the entries of its bodies.
struct SolverContact {
  Manifold* manifold;
  std::uint32_t a, b;
  float friction;
};

class ContactGroups {
 public:
  /// Makes the groups, warm starts included. Masses and bodies by entry.
  void build(std::span<const SolverContact> contacts, std::span<const SolverMass> masses,
             std::span<const SolverBody> bodies);
  /// Its first half: what is given, for make_rows() to finish. `bodies`: their number.
  void fill(std::span<const SolverContact> contacts, std::size_t bodies);
  /// Gives the impulses back to the manifolds.
  void store() const;

  std::span<ContactGroup> groups() { return {groups_.data(), count_}; }
  std::span<const ContactGroup> groups() const { return {groups_.data(), count_}; }

 private:
  struct Placed {
    std::uint32_t contact;
    std::uint8_t color, points;
  };
  void color(std::span<const SolverContact> contacts, std::size_t bodies);
  void sort_placed();

  std::vector<std::uint64_t> used_;  // by body: a bit a colour
  std::vector<Placed> placed_, sorted_;
  std::vector<ContactGroup> groups_;  // the first count_; the others are kept for their memory
  std::size_t count_ = 0;
  std::vector<Manifold*> origin_;  // by group and lane; null where a lane is empty
};

}  // namespace talus
