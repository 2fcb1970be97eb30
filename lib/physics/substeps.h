// The bodies in contact or in water through one step: contacts solved in many small substeps.
//
//   integrate velocities, warm start, solve with bias, move, relax        (soft_contacts.h)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/body.h"
#include "physics/collider.h"
#include "physics/contact_groups.h"
#include "physics/motion.h"
#include "physics/solver.h"

namespace talus {

class Substeps {
 public:
  /// Nobody is in it.
  void clear();
  /// Takes in a body, by its number outside; returns its entry, 1 or more.
  std::uint32_t add(std::uint32_t number, const Body& body, const Collider& collider,
                    bool like_a_ball);
  /// A contact between two entries, of which 0 is all that stands still.
  void add(const SolverContact& contact) { contacts_.push_back(contact); }
  /// What pushes a body besides gravity and contacts: m/s2 and rad/s2.
  void push(std::uint32_t entry, Vec3 acceleration, Vec3 turning);

  /// Runs the step and gives the impulses back to the manifolds. Cost: manifolds by substeps;
  /// making the rows is shared by the threads.
  void run(const ModernSettings& settings, double dt);

  /// Entries 1 to entries() - 1 are bodies.
  std::uint32_t entries() const { return static_cast<std::uint32_t>(moving_.size()); }
  std::uint32_t number(std::uint32_t entry) const { return numbers_[entry]; }
  /// Velocities after the step, and the way in it.
  const SolverBody& operator[](std::uint32_t entry) const { return moving_[entry]; }
  /// Counts the points that bore load, and the fastest closing of them, by body.
  void report(std::span<Body> bodies) const;

 private:
  struct Push {
    std::uint32_t entry;
    Vec3f acceleration, turning;
  };
  /// A spin as it would be without contacts, and what they will add.
  struct PrecessedSpin {
    float freely[4], push[4];
  };
  void substep(float h, float gravity, const Softness& softness, bool first);
  void integrate_velocities(float h, float gravity, bool first);

  std::vector<SolverContact> contacts_;
  // By entry.
  std::vector<std::uint32_t> numbers_;
  std::vector<SolverMass> masses_;
  std::vector<SolverBody> moving_;
  std::vector<Velocities> before_contacts_;  // acted in this substep
  std::vector<Gyroscope> gyroscopes_;        // of the entries that need one, rising
  std::vector<PrecessedSpin> spins_;         // by gyroscope
  std::vector<Push> pushes_;
  ContactGroups groups_;
};

}  // namespace talus
