#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "scenario/tables.h"

namespace talus {

namespace {

/// The terrain as the file says it.
struct TerrainSection {
  TerrainSpec spec;
  HeightFile heights;
  std::optional<double> water_level_m;
};

void read_seed(const Node& node, TerrainSection& t) {
  t.spec.seed = static_cast<std::uint32_t>(read_integer(node, {0, 4294967295.0}));
}

Row<TerrainSection> seed_row() {
  return {"seed", "of the random stream", or_parameter(integer_schema({0, 4294967295.0})),
          read_seed};
}

Row<TerrainSection> parameters_row(const PresetInfo& preset) {
  std::vector<Row<TerrainSection>> rows;
  for (const ParameterInfo& p : preset.parameters) {
    const Range range{p.least, p.most};
    rows.push_back({p.name, p.meaning, or_parameter(number_schema(range)),
                    [range, name = p.name](const Node& n, TerrainSection& t) {
                      t.spec.parameters.emplace_back(name, read_number(n, range));
                    }});
  }
  return {"parameters", "numbers of the preset that differ from its defaults", rows_schema(rows),
          [rows](const Node& n, TerrainSection& t) { read_rows(n, rows, t); }};
}

/// A row of the heights' file as one of the terrain.
Row<TerrainSection> height_row(const Row<HeightFile>& row) {
  return {row.key, row.meaning, row.schema,
          [read = row.read](const Node& n, TerrainSection& t) { read(n, t.heights); }, row.need};
}

std::vector<Row<TerrainSection>> height_rows() {
  using H = HeightFile;
  constexpr Range kPlaces{-1e9, 1e9};
  return {height_row(required(words("file", &H::file,
                                    "heights as .csv or grey .png, as seen from this file's "
                                    "folder"))),
          height_row(number("spacing_m", &H::spacing_m, {1e-6, 1e9}, "between posts")),
          height_row(number("origin_x_m", &H::origin_x_m, kPlaces, "of the first post")),
          height_row(number("origin_z_m", &H::origin_z_m, kPlaces, "of the first post"))};
}

std::vector<KindRows<TerrainSection>> terrain_kinds() {
  std::vector<KindRows<TerrainSection>> kinds;
  for (const PresetInfo& preset : preset_table()) {
    std::vector<Row<TerrainSection>> rows{
        seed_row(), parameters_row(preset),
        number("water_level_m", &TerrainSection::water_level_m, kAnyLength,
               "of the sea: whatever is below is under water")};
    if (preset.name == "heightmap") {
      for (auto& row : height_rows()) rows.push_back(std::move(row));
    }
    kinds.push_back({preset.name, preset.summary, std::move(rows)});
  }
  return kinds;
}

std::vector<Row<Brush>> edit_rows() {
  auto rows = brush_rows();
  rows.push_back(required(choice("mode", &Brush::mode, {"dig", "fill"}, "what it does")));
  return rows;
}

void read_edit(const Node& node, Brush& brush) {
  static const auto kRows = edit_rows();
  read_rows(node, kRows, brush);
  check_brush(node, brush);
}

/// A pool as the file says it.
struct PoolSection {
  Brush shape;
  std::optional<double> level_m;
};

std::vector<Row<PoolSection>> pool_rows() {
  std::vector<Row<PoolSection>> rows;
  for (const Row<Brush>& row : brush_rows()) {
    rows.push_back({row.key, row.meaning, row.schema,
                    [read = row.read](const Node& n, PoolSection& p) { read(n, p.shape); },
                    row.need});
  }
  rows.push_back(number("level_m", &PoolSection::level_m, kAnyLength,
                        "of its surface, world; without one the shape's top"));
  return rows;
}

void read_pool(const Node& node, Pool& pool) {
  static const auto kRows = pool_rows();
  PoolSection section;
  read_rows(node, kRows, section);
  check_brush(node, section.shape);
  pool = {section.shape, section.level_m};
}

std::vector<Row<Material>> material_rows() {
  return {
      required(words("name", &Material::name, "what operations call it")),
      required(number("density_kg_m3", &Material::density_kg_m3, {1, 1e5}, "its density")),
      number("strength_n_m2", &Material::strength_n_m2, {1, 1e12},
             "of a bond in pull or shear, where hits break"),
      {"color", "as #rrggbb", or_parameter(R"({"type":"string","pattern":"^#[0-9a-fA-F]{6}$"})"),
       [](const Node& n, Material& m) {
         const std::string text = read_text(n);
         const char* end = text.data() + text.size();
         if (text.size() != 7 || text[0] != '#' ||
             std::from_chars(text.data() + 1, end, m.srgb, 16).ptr != end) {
           n.fail("must be a colour as #rrggbb, got '" + text.substr(0, 40) + "'");
         }
       }}};
}

void read_material(const Node& node, Material& material) {
  static const auto kRows = material_rows();
  read_rows(node, kRows, material);
}

void read_materials(const Node& node, Scenario& s) {
  node.require(JsonValue::Kind::List);
  if (node.value.items.size() > 1000) node.fail("more than 1000 materials");
  for (std::size_t i = 0; i < node.value.items.size(); ++i) {
    Material material;
    read_material(node.item(i), material);
    if (find_material(s.materials, material.name)) {
      node.item(i).fail("there is a material '" + material.name + "' already");
    }
    s.materials.push_back(material);
  }
}

}  // namespace

std::vector<Row<Brush>> brush_rows() {
  return {choice("shape", &Brush::shape, {"sphere", "box", "capsule"}, "of what is dug or filled"),
          required(vector("center_m", &Brush::center, kAnyLength,
                          "middle, or one end of a capsule, from the site")),
          vector("end_m", &Brush::end, kAnyLength, "a capsule's other end"),
          vector("half_size_m", &Brush::half_size, {0, 1e4}, "half a box's edges"),
          number("radius_m", &Brush::radius, {0, 1e4}, "of a sphere or capsule")};
}

void check_brush(const Node& node, const Brush& brush) {
  const bool is_box = brush.shape == Brush::Shape::Box;
  if (is_box && std::min({brush.half_size.x, brush.half_size.y, brush.half_size.z}) <= 0) {
    node.fail("a box needs \"half_size_m\" over 0");
  }
  if (!is_box && brush.radius <= 0) node.fail("needs a \"radius_m\" over 0");
}

Row<Scenario> terrain_row() {
  const auto kinds = terrain_kinds();
  return {"terrain", "the ground", kinds_schema("preset", kinds),
          [kinds](const Node& n, Scenario& s) {
            TerrainSection t;
            t.spec.preset = kinds[read_kind(n, "preset", kinds, t)].name;
            s.terrain = std::move(t.spec);
            s.heights = std::move(t.heights);
            s.heights.place = n.place();
            s.water.level = t.water_level_m;
            if (s.terrain.preset == "heightmap") return;  // its file is read later
            try {
              make_preset(s.terrain);
            } catch (const Error& error) {
              n.fail(error.what());
            }
          }};
}

Row<Scenario> edits_row() {
  return list<Scenario, Brush>("edits", &Scenario::edits, rows_schema(edit_rows()), read_edit,
                               "what was dug and filled before; metres of the world");
}

Row<Scenario> pools_row() {
  return {"pools", "water besides the sea, in shapes that the ground holds; metres of the world",
          R"({"type":"array","items":)" + rows_schema(pool_rows()) + "}",
          [](const Node& n, Scenario& s) {
            n.require(JsonValue::Kind::List);
            for (std::size_t i = 0; i < n.value.items.size(); ++i) {
              read_pool(n.item(i), s.water.pools.emplace_back());
            }
          }};
}

Row<Scenario> materials_row() {
  return {"materials", "besides those that are built in",
          R"({"type":"array","maxItems":1000,"items":)" + rows_schema(material_rows()) + "}",
          read_materials};
}

Row<Scenario> site_row() {
  const std::vector<Row<Site>> rows{
      cells("cell", &Site::cell, kCells, "the cell of the origin"),
      vector("on_surface_m", &Site::on_surface_m, {-1e5, 1e5},
             "the origin is on the ground over this x and z; y is added")};
  return object("site", &Scenario::site, rows, "where cells and metres count from");
}

}  // namespace talus
