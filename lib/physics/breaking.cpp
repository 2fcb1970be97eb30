#include "physics/breaking.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <glm/geometric.hpp>

namespace talus {

namespace {

constexpr double kPressure = 10;  // times its strength: what a bond bears when it is pressed
constexpr int kMostRounds = 32;
constexpr double kAsBad = 0.9;    // of the worst load: breaks with it
constexpr int kMostPasses = 300;  // of conjugate gradients
constexpr double kResidual = 1e-7;

struct Bond {
  std::uint32_t a, b;   // places among the blocks looked at
  Vec3 way{0};          // from a to b, along an axis
  double area = 0;      // m2
  double strength = 0;  // N/m2
  bool broken = false;
};

/// The blocks around a hit and their bonds.
struct Net {
  std::vector<BlockId> blocks;
  std::vector<std::uint8_t> held;
  std::vector<Bond> bonds;
  std::vector<Vec3> impulse, flow;  // by block, by bond
};

/// The cell faces that two blocks share, and the direction from one to the other.
void measure(Bond& bond, const Block& a, const Block& b) {
  const IBox p = a.cells(), q = b.cells();
  bond.area = kCell * kCell;
  for (int axis = 0; axis < 3; ++axis) {
    const int common = std::min(p.hi[axis], q.hi[axis]) - std::max(p.lo[axis], q.lo[axis]);
    if (common > 0) {
      bond.area *= common;
    } else {
      bond.way[axis] = q.lo[axis] >= p.hi[axis] ? 1 : -1;
    }
  }
}

Net make_net(const HitStructure& s, std::span<const BlockImpulse> hits) {
  Net net;
  std::unordered_map<BlockId, std::uint32_t> places;
  const auto place_of = [&](BlockId id) {
    const auto [entry, is_new] =
        places.try_emplace(id, static_cast<std::uint32_t>(net.blocks.size()));
    if (is_new) {
      net.blocks.push_back(id);
      net.held.push_back(s.held && s.held(id) ? 1 : 0);
    }
    return entry->second;
  };
  place_of(hits.front().block);
  for (std::uint32_t i = 0; i < net.blocks.size(); ++i) {
    const Block& block = s.blocks[net.blocks[i]];
    for (const BlockId other : bonded(s.blocks, block)) {
      const bool known = places.count(other) > 0;
      if (!known && net.blocks.size() >= kMostHitBlocks) {
        net.held[i] = 1;  // what lies beyond stands firm
        continue;
      }
      const std::uint32_t j = place_of(other);
      if (j < i) continue;
      Bond bond{i, j};
      measure(bond, block, s.blocks[other]);
      bond.strength = std::min(s.materials[block.material].strength_n_m2,
                               s.materials[s.blocks[other].material].strength_n_m2);
      net.bonds.push_back(bond);
    }
  }
  net.impulse.resize(net.blocks.size());
  for (const BlockImpulse& hit : hits) {
    if (const auto entry = places.find(hit.block); entry != places.end()) {
      net.impulse[entry->second] += hit.impulse;
    }
  }
  return net;
}

bool flies(const Net& net) {
  return std::find(net.held.begin(), net.held.end(), 1) == net.held.end();
}

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += glm::dot(a[i], b[i]);
  return sum;
}

/// What the bonds pass on: conjugate gradients on the net's Laplacian, held blocks at 0.
void solve(Net& net) {
  const std::size_t n = net.blocks.size();
  std::vector<Vec3> u(n, Vec3(0)), r = net.impulse, p, kp(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (net.held[i]) r[i] = Vec3(0);
  }
  p = r;
  double rr = dot(r, r);
  const double enough = kResidual * kResidual * rr;
  for (int pass = 0; pass < kMostPasses && rr > enough; ++pass) {
    std::fill(kp.begin(), kp.end(), Vec3(0));
    for (const Bond& bond : net.bonds) {
      if (bond.broken) continue;
      const Vec3 passed = bond.area * (p[bond.a] - p[bond.b]);
      if (!net.held[bond.a]) kp[bond.a] += passed;
      if (!net.held[bond.b]) kp[bond.b] -= passed;
    }
    const double curve = dot(p, kp);
    if (!(curve > 0)) break;
    const double step = rr / curve;
    for (std::size_t i = 0; i < n; ++i) {
      u[i] += step * p[i];
      r[i] -= step * kp[i];
    }
    const double now = dot(r, r);
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + (now / rr) * p[i];
    rr = now;
  }
  net.flow.clear();
  for (const Bond& bond : net.bonds) {
    net.flow.push_back(bond.broken ? Vec3(0) : bond.area * (u[bond.a] - u[bond.b]));
  }
}

/// What a bond passes on, over what it can bear.
double overload(const Bond& bond, Vec3 flow, double time_s) {
  const double most = bond.strength * bond.area * time_s;
  const double pressure = glm::dot(flow, bond.way);
  const Vec3 across = flow - pressure * bond.way;
  const double pull = std::min(pressure, 0.0);
  return std::max(std::sqrt(glm::dot(across, across) + pull * pull), pressure / kPressure) / most;
}

/// Breaks the bonds that are most over their strength; false where none is.
bool break_round(Net& net, double time_s) {
  solve(net);
  std::vector<double> loads(net.bonds.size());
  double worst = 1;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (net.bonds[i].broken) continue;
    loads[i] = overload(net.bonds[i], net.flow[i], time_s);
    worst = std::max(worst, loads[i]);
  }
  if (worst <= 1) return false;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (loads[i] > 1 && loads[i] >= kAsBad * worst) net.bonds[i].broken = true;
  }
  return true;
}

/// Numbers the parts that whole bonds join; by block.
std::vector<std::uint32_t> parts_of(const Net& net) {
  std::vector<std::uint32_t> part(net.blocks.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) part[i] = i;
  const auto root = [&](std::uint32_t i) {
    while (part[i] != i) i = part[i] = part[part[i]];
    return i;
  };
  for (const Bond& bond : net.bonds) {
    if (!bond.broken) part[root(bond.a)] = root(bond.b);
  }
  for (std::uint32_t i = 0; i < part.size(); ++i) part[i] = root(i);
  return part;
}

/// By part: whether it stays: what is held, or where nothing is, the first of the largest.
std::vector<std::uint8_t> staying(const Net& net, const std::vector<std::uint32_t>& part) {
  std::vector<std::uint8_t> stays(part.size());
  std::vector<std::size_t> sizes(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    stays[part[i]] |= net.held[i];
    ++sizes[part[i]];
  }
  if (flies(net)) {
    stays[static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin())] =
        1;
  }
  return stays;
}

/// What has come off passes nothing on.
void unload_loose_parts(Net& net) {
  const auto part = parts_of(net);
  const auto stays = staying(net, part);
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!stays[part[i]]) net.impulse[i] = Vec3(0);
  }
}

/// The parts that come off, and what the bonds to the rest took.
Breakage breakage_of(const Net& net, double time_s) {
  const auto part = parts_of(net);
  const auto stays = staying(net, part);
  std::vector<Component> members(part.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!stays[part[i]]) members[part[i]].push_back(net.blocks[i]);
  }
  Breakage result;
  for (Component& component : members) {
    if (component.empty()) continue;
    std::sort(component.begin(), component.end());
    result.fragments.push_back(std::move(component));
  }
  std::sort(result.fragments.begin(), result.fragments.end());
  for (const Bond& bond : net.bonds) {
    if (stays[part[bond.a]] != stays[part[bond.b]]) {
      result.taken += bond.strength * bond.area * time_s;
    }
  }
  return result;
}

}  // namespace

Breakage break_bonds(const HitStructure& structure, std::span<const BlockImpulse> hits) {
  Net net = make_net(structure, hits);
  if (net.blocks.size() < 2) return {};
  if (flies(net)) {
    Vec3 sum(0);
    for (const Vec3& impulse : net.impulse) sum += impulse;
    for (Vec3& impulse : net.impulse) impulse -= sum / static_cast<double>(net.blocks.size());
  }
  for (int round = 0; round < kMostRounds && break_round(net, structure.time_s); ++round) {
    if (!flies(net)) {
      unload_loose_parts(net);
    } else if (const auto part = parts_of(net);
               std::any_of(part.begin(), part.end(), [&](auto p) { return p != part[0]; })) {
      break;
    }
  }
  return breakage_of(net, structure.time_s);
}

}  // namespace talus
