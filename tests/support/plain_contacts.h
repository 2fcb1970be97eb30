// The solver of soft_contacts.h as one reads it: a manifold after the other, in plain numbers. The
// oracle of the wide kernels, which must give the same bits.
#pragma once

#include <span>

#include "physics/soft_contacts.h"

namespace talus::plain {

void make_rows(std::span<ContactGroup> groups, const SolverMass* masses, const SolverBody* bodies);
void warm_start(std::span<const ContactGroup> groups, SolverBody* bodies);
void solve_biased(std::span<ContactGroup> groups, const Softness& softness, SolverBody* bodies);
void solve_relaxed(std::span<ContactGroup> groups, const Softness& softness, SolverBody* bodies);
void bounce(std::span<ContactGroup> groups, float restitution, float threshold, SolverBody* bodies);

}  // namespace talus::plain
