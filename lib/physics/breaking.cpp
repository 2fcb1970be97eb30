#include "physics/breaking.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <glm/geometric.hpp>

namespace talus {

namespace {

constexpr double kPressure = 10;  // times its strength: what a bond bears when it is pressed
constexpr int kMostRounds = 8;
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

bool bears(const Bond& bond, Vec3 flow, double time_s) {
  const double most = bond.strength * bond.area * time_s;
  const double pressure = glm::dot(flow, bond.way);
  const Vec3 across = flow - pressure * bond.way;
  const double pull = std::min(pressure, 0.0);
  return glm::dot(across, across) + pull * pull <= most * most && pressure <= kPressure * most;
}

/// Breaks what is over its strength; false where nothing is.
bool break_round(Net& net, double time_s) {
  solve(net);
  bool any = false;
  for (std::size_t i = 0; i < net.bonds.size(); ++i) {
    Bond& bond = net.bonds[i];
    if (bond.broken || bears(bond, net.flow[i], time_s)) continue;
    bond.broken = any = true;
  }
  return any;
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

/// The parts that come off.
std::vector<Component> loose_parts(const Net& net, const std::vector<std::uint32_t>& part) {
  std::vector<Component> members(net.blocks.size());
  std::vector<std::uint8_t> held(net.blocks.size());
  bool any_held = false;
  for (std::size_t i = 0; i < part.size(); ++i) {
    members[part[i]].push_back(net.blocks[i]);
    held[part[i]] |= net.held[i];
    any_held = any_held || net.held[i];
  }
  if (!any_held) {
    const auto largest =
        std::max_element(members.begin(), members.end(),
                         [](const auto& x, const auto& y) { return x.size() < y.size(); });
    held[static_cast<std::size_t>(largest - members.begin())] = 1;
  }
  std::vector<Component> loose;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (held[i] || members[i].empty()) continue;
    std::sort(members[i].begin(), members[i].end());
    loose.push_back(std::move(members[i]));
  }
  std::sort(loose.begin(), loose.end());
  return loose;
}

double taken_by(const Net& net, const std::vector<std::uint32_t>& part, double time_s) {
  double taken = 0;
  for (const Bond& bond : net.bonds) {
    const bool left = (part[bond.a] == part[0]) != (part[bond.b] == part[0]);
    if (bond.broken && left) taken += bond.strength * bond.area * time_s;
  }
  return taken;
}

}  // namespace

Breakage break_bonds(const HitStructure& structure, std::span<const BlockImpulse> hits) {
  Net net = make_net(structure, hits);
  if (net.blocks.size() < 2) return {};
  if (std::find(net.held.begin(), net.held.end(), 1) == net.held.end()) {
    Vec3 sum(0);
    for (const Vec3& impulse : net.impulse) sum += impulse;
    for (Vec3& impulse : net.impulse) impulse -= sum / static_cast<double>(net.blocks.size());
  }
  for (int round = 0; round < kMostRounds && break_round(net, structure.time_s); ++round) {
    const auto part = parts_of(net);
    Breakage found{loose_parts(net, part), taken_by(net, part, structure.time_s)};
    if (!found.fragments.empty()) return found;
  }
  return {};
}

}  // namespace talus
