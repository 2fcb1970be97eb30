#include "voxel/block.h"

namespace talus {

namespace {

struct NamedShape {
  std::string_view name;
  Cuts (*make)();
};

Cuts upright_round() {
  Cuts cuts;
  for (int edge = 4; edge < 8; ++edge) cuts.set(edge, Cut::Round);
  return cuts;
}

constexpr NamedShape kShapes[] = {
    {"cube", [] { return Cuts{}; }},
    {"ball",
     [] {
       Cuts cuts;
       for (int edge = 0; edge < kEdges; ++edge) cuts.set(edge, Cut::Round);
       return cuts;
     }},
    {"pillar", upright_round},
    {"ramp",
     [] {
       return Cuts{}.set(edge_index(2, {-1, 1, 0}), Cut::Ramp);
     }},
    {"wedge roof",
     [] {
       return Cuts{}
           .set(edge_index(2, {-1, 1, 0}), Cut::Ramp)
           .set(edge_index(2, {1, 1, 0}), Cut::Ramp);
     }},
    {"dome",
     [] {
       Cuts cuts = upright_round();
       for (int edge = 0; edge < kEdges; ++edge) {
         if (edge_outward(edge).y > 0) cuts.set(edge, Cut::Round);
       }
       return cuts;
     }},
};

/// The cuts with every edge carried to where `map` takes its axis and its outward direction.
template <class Map>
Cuts mapped(Cuts cuts, const Map& map) {
  Cuts result;
  for (int edge = 0; edge < kEdges; ++edge) {
    const IVec3 out = map(edge_outward(edge));
    const int axis = out.x == 0 ? 0 : out.y == 0 ? 1 : 2;
    result.set(edge_index(axis, out), cuts.at(edge));
  }
  return result;
}

}  // namespace

bool side_is_whole(Cuts cuts, int side) {
  if (cuts.none()) return true;
  const int axis = side / 2;
  const int out = side_normal(side)[axis];
  for (int edge = 0; edge < kEdges; ++edge) {
    // Only the four edges of the opposite side leave this one alone.
    if (cuts.at(edge) != Cut::None && edge_outward(edge)[axis] != -out) return false;
  }
  return true;
}

std::optional<Cuts> named_cuts(std::string_view name) {
  for (const NamedShape& shape : kShapes) {
    if (shape.name == name) return shape.make();
  }
  return std::nullopt;
}

std::vector<std::string_view> shape_names() {
  std::vector<std::string_view> names;
  for (const NamedShape& shape : kShapes) names.push_back(shape.name);
  return names;
}

Cuts turned(Cuts cuts, int quarter_turns) {
  for (int turn = ((quarter_turns % 4) + 4) % 4; turn > 0; --turn) {
    cuts = mapped(cuts, [](IVec3 out) { return IVec3(out.z, out.y, -out.x); });
  }
  return cuts;
}

Cuts mirrored(Cuts cuts, int axis) {
  return mapped(cuts, [axis](IVec3 out) {
    out[axis] = -out[axis];
    return out;
  });
}

}  // namespace talus
