// The bodies in contact or in water through one step: contacts solved in many small substeps.
//
//   integrate velocities, warm start, solve with bias, move, relax        (soft_contacts.h)
//
// A large heap is cut into parts that a team works on at once. Contacts across the cuts are solved
// between, by the caller: before those within the parts, so that the ground has the last word.
// What is cut where depends on the heap alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "physics/body.h"
#include "physics/collider.h"
#include "physics/contact_groups.h"
#include "physics/motion.h"
#include "physics/solver.h"

namespace talus {

class Substeps {
 public:
  /// Nobody is in it.
  void clear(std::size_t parts);
  /// Takes in a body, by its number outside; returns its entry, 1 or more. Part by part.
  std::uint32_t add(std::uint32_t number, const Body& body, const Collider& collider,
                    bool like_a_ball, std::uint32_t part);
  /// A contact between two entries, of which 0 is all that stands still.
  void add(const SolverContact& contact);
  /// What pushes a body besides gravity and contacts: m/s2 and rad/s2.
  void push(std::uint32_t entry, Vec3 acceleration, Vec3 turning);

  /// Runs the step and gives the impulses back to the manifolds. Cost: manifolds by substeps,
  /// shared by the team.
  void run(const ModernSettings& settings, double dt, Team& team);

  /// Entries 1 to entries() - 1 are bodies.
  std::uint32_t entries() const { return static_cast<std::uint32_t>(moving_.size()); }
  std::uint32_t number(std::uint32_t entry) const { return numbers_[entry]; }
  /// Velocities after the step, and the way in it.
  const SolverBody& operator[](std::uint32_t entry) const { return moving_[entry]; }
  /// Counts the points that bore load, and the fastest closing of them, by body.
  void report(std::span<Body> bodies, Team& team) const;

 private:
  struct Push {
    std::uint32_t entry;
    Vec3f acceleration, turning;
  };
  /// Contacts that are worked on in one go.
  struct Lot {
    std::vector<SolverContact> contacts;
    ContactGroups groups;
  };
  /// Bodies that follow one another, and what is between them and to what stands still.
  struct Part : Lot {
    std::uint32_t first = 0, end = 0;   // entries
    std::vector<Gyroscope> gyroscopes;  // of the entries that need one, rising
    std::vector<Push> pushes;
  };
  /// Work on a part, for all of them at once.
  template <class Work>
  void on_parts(Team& team, const Work& work) {
    team.run(part_count_, [&](std::size_t i) { work(parts_[i]); });
  }
  void build(Lot& lot) const { lot.groups.build(lot.contacts, masses_, moving_); }
  void integrate_velocities(const Part& part, float h, float gravity, bool first);
  void move(const Part& part, float h);
  void bounce_apart(const ModernSettings& settings, Team& team);
  void report(const Lot& lot, std::span<Body> bodies) const;

  std::vector<Part> parts_;  // the first part_count_; the others are kept for their memory
  std::size_t part_count_ = 1;
  Lot across_;  // contacts of bodies in different parts
  // By entry.
  std::vector<std::uint32_t> numbers_, part_of_;
  std::vector<SolverMass> masses_;
  std::vector<SolverBody> moving_;
  std::vector<Velocities> before_contacts_;  // acted in this substep
};

}  // namespace talus
