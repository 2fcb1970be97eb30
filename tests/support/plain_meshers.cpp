#include "support/plain_meshers.h"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr int kFirstOwned = 2;  // samples before the first owned one

struct Edge {
  IVec3 low;
  int axis;
  IVec3 high() const {
    IVec3 p = low;
    ++p[axis];
    return p;
  }
  bool operator==(const Edge& other) const { return low == other.low && axis == other.axis; }
};

/// A sample next to a sample along an axis.
IVec3 moved(IVec3 p, int axis, int by) {
  p[axis] += by;
  return p;
}

class Field {
 public:
  explicit Field(const Samples& samples) : samples_(samples) {}
  float value(IVec3 p) const { return samples_.density[samples_.lattice.index(p.x, p.y, p.z)]; }
  bool solid(IVec3 p) const { return value(p) > 0; }
  bool crossed(const Edge& e) const { return solid(e.low) != solid(e.high()); }
  float crossing(const Edge& e) const { return value(e.low) / (value(e.low) - value(e.high())); }

 private:
  const Samples& samples_;
};

/// A fraction on the grid of 1/1024, strictly inside.
double on_grid(float fraction) {
  return std::clamp(std::nearbyint(fraction * 1024.0f), 1.0f, 1023.0f) / 1024.0;
}

std::vector<Edge> edges_of(IVec3 cell) {
  std::vector<Edge> edges;
  for (int axis = 0; axis < 3; ++axis) {
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    for (int v = 0; v < 2; ++v) {
      for (int u = 0; u < 2; ++u) {
        edges.push_back({moved(moved(cell, first, u), second, v), axis});
      }
    }
  }
  return edges;
}

struct Face {
  int axis, side;  // side 0 or 1
  bool operator==(const Face&) const = default;
};
constexpr Face kNoFace{-1, 0};

std::vector<Edge> crossed_on_face(const Field& field, IVec3 cell, Face face) {
  std::vector<Edge> edges;
  for (const Edge& e : edges_of(cell)) {
    const bool on_face = e.axis != face.axis && e.low[face.axis] == cell[face.axis] + face.side;
    if (on_face && field.crossed(e)) edges.push_back(e);
  }
  return edges;
}

/// Whether a segment on a face runs between two of its crossed edges. Where all four are crossed,
/// they pair up around the solid corners, or around the others.
bool joined_on_face(const Field& field, const std::vector<Edge>& crossed, const Edge& a,
                    const Edge& b, bool around_solid) {
  if (crossed.size() == 2) return true;
  for (const IVec3 p : {a.low, a.high()}) {
    if ((p == b.low || p == b.high()) && field.solid(p) == around_solid) return true;
  }
  return false;
}

/// The sheets of a cell, as a number for each of its edges; -1 where not crossed.
std::vector<int> sheets_of(const Field& field, IVec3 cell, Face joins_solids) {
  const std::vector<Edge> edges = edges_of(cell);
  std::vector<int> sheet(edges.size(), -1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (field.crossed(edges[i])) sheet[i] = static_cast<int>(i);
  }
  const auto sheet_at = [&](const Edge& e) -> int& {
    return sheet[static_cast<std::size_t>(std::find(edges.begin(), edges.end(), e) -
                                          edges.begin())];
  };
  for (int f = 0; f < 6; ++f) {
    const Face face{f / 2, f % 2};
    const std::vector<Edge> crossed = crossed_on_face(field, cell, face);
    for (const Edge& a : crossed) {
      for (const Edge& b : crossed) {
        if (a == b || !joined_on_face(field, crossed, a, b, !(face == joins_solids))) continue;
        const int from = sheet_at(a), to = sheet_at(b);
        std::replace(sheet.begin(), sheet.end(), from, to);
      }
    }
  }
  return sheet;
}

/// The face whose four edges are all crossed and all on one sheet.
Face pinched_face(const Field& field, IVec3 cell) {
  const std::vector<Edge> edges = edges_of(cell);
  const std::vector<int> sheet = sheets_of(field, cell, kNoFace);
  for (int f = 0; f < 6; ++f) {
    const Face face{f / 2, f % 2};
    const std::vector<Edge> crossed = crossed_on_face(field, cell, face);
    std::set<int> sheets;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (std::find(crossed.begin(), crossed.end(), edges[i]) != crossed.end()) {
        sheets.insert(sheet[i]);
      }
    }
    if (crossed.size() == 4 && sheets.size() == 1) return face;
  }
  return kNoFace;
}

/// The vertex of the sheet that crosses an edge of the cell.
Place net_vertex(const Field& field, IVec3 cell, const Edge& edge) {
  Face face = pinched_face(field, cell);
  if (face != kNoFace) {
    const IVec3 beyond = moved(cell, face.axis, face.side ? 1 : -1);
    if (pinched_face(field, beyond) != Face{face.axis, 1 - face.side}) face = kNoFace;
  }
  const std::vector<Edge> edges = edges_of(cell);
  const std::vector<int> sheet = sheets_of(field, cell, face);
  const int wanted =
      sheet[static_cast<std::size_t>(std::find(edges.begin(), edges.end(), edge) - edges.begin())];
  std::array<float, 3> sum{};
  float count = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (sheet[i] != wanted) continue;
    for (int axis = 0; axis < 3; ++axis) {
      sum[static_cast<std::size_t>(axis)] +=
          axis == edges[i].axis ? std::clamp(field.crossing(edges[i]), 1.0f / 256, 1 - 1.0f / 256)
                                : static_cast<float>(edges[i].low[axis] - cell[axis]);
    }
    ++count;
  }
  Place place;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    place[axis] = cell[static_cast<int>(axis)] - kFirstOwned + on_grid(sum[axis] / count);
  }
  return place;
}

double turn(const Place& a, const Place& b, const Place& c, std::size_t u, std::size_t v) {
  return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}
double squared_distance(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (b[i] - a[i]) * (b[i] - a[i]);
  return sum;
}

PlaceTriangle from_least(PlaceTriangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

void add_quad(const Field& field, const Edge& edge, std::vector<PlaceTriangle>& out) {
  const int u = (edge.axis + 1) % 3, v = (edge.axis + 2) % 3;
  const auto cell_at = [&](int back_u, int back_v) {
    return net_vertex(field, moved(moved(edge.low, u, -back_u), v, -back_v), edge);
  };
  const std::array<Place, 4> p = {cell_at(1, 1), cell_at(0, 1), cell_at(0, 0), cell_at(1, 0)};
  const auto upright = [&](std::size_t a, std::size_t b, std::size_t c) {
    return turn(p[a], p[b], p[c], static_cast<std::size_t>(u), static_cast<std::size_t>(v)) > 0;
  };
  const bool first = upright(0, 1, 2) && upright(0, 2, 3);
  const bool second = upright(0, 1, 3) && upright(1, 2, 3);
  const bool cut_first =
      first && (!second || squared_distance(p[0], p[2]) <= squared_distance(p[1], p[3]));
  for (PlaceTriangle t :
       cut_first ? std::array<PlaceTriangle, 2>{{{p[0], p[1], p[2]}, {p[0], p[2], p[3]}}}
                 : std::array<PlaceTriangle, 2>{{{p[1], p[2], p[3]}, {p[1], p[3], p[0]}}}) {
    if (!field.solid(edge.low)) std::swap(t[1], t[2]);
    out.push_back(from_least(t));
  }
}

template <class Visit>
void for_each_owned(IVec3 own, const Visit& visit) {
  for (int z = 0; z < own.z; ++z) {
    for (int y = 0; y < own.y; ++y) {
      for (int x = 0; x < own.x; ++x) visit(IVec3(x, y, z) + IVec3(kFirstOwned));
    }
  }
}

Place crossing_place(const Field& field, const Edge& e) {
  Place place;
  for (int axis = 0; axis < 3; ++axis) {
    place[static_cast<std::size_t>(axis)] = e.low[axis] - kFirstOwned;
  }
  place[static_cast<std::size_t>(e.axis)] += on_grid(field.crossing(e));
  return place;
}

Place vertex_place(const Mesh& mesh, std::uint32_t v) {
  return {mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z};
}

}  // namespace

std::vector<PlaceTriangle> place_triangles(const Mesh& mesh) {
  std::vector<PlaceTriangle> triangles;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    triangles.push_back(
        from_least({vertex_place(mesh, mesh.indices[i]), vertex_place(mesh, mesh.indices[i + 1]),
                    vertex_place(mesh, mesh.indices[i + 2])}));
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

std::vector<PlaceTriangle> plain_surface_nets(const Samples& samples, IVec3 own) {
  const Field field(samples);
  std::vector<PlaceTriangle> triangles;
  for_each_owned(own, [&](IVec3 p) {
    for (int axis = 0; axis < 3; ++axis) {
      if (field.crossed({p, axis})) add_quad(field, {p, axis}, triangles);
    }
  });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

std::set<CellSegment> cell_segments(const Mesh& mesh) {
  std::set<CellSegment> odd;
  for (const PlaceTriangle& t : place_triangles(mesh)) {
    std::array<int, 3> cell;
    for (std::size_t i = 0; i < 3; ++i) {
      cell[i] = static_cast<int>(std::floor((t[0][i] + t[1][i] + t[2][i]) / 3));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [from, to] = std::minmax(t[i], t[(i + 1) % 3]);
      const CellSegment segment{cell, from, to};
      if (!odd.insert(segment).second) odd.erase(segment);
    }
  }
  return odd;
}

std::set<CellSegment> plain_cell_segments(const Samples& samples, IVec3 own) {
  const Field field(samples);
  std::set<CellSegment> segments;
  for_each_owned(own, [&](IVec3 cell) {
    for (int f = 0; f < 6; ++f) {
      const std::vector<Edge> crossed = crossed_on_face(field, cell, {f / 2, f % 2});
      for (const Edge& a : crossed) {
        for (const Edge& b : crossed) {
          if (a == b || !joined_on_face(field, crossed, a, b, true)) continue;
          const Place pa = crossing_place(field, a), pb = crossing_place(field, b);
          const IVec3 c = cell - IVec3(kFirstOwned);
          segments.insert({{c.x, c.y, c.z}, std::min(pa, pb), std::max(pa, pb)});
        }
      }
    }
  });
  return segments;
}

}  // namespace talus
