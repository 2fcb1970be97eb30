#include "scenario/tables.h"

namespace talus {

namespace {

std::vector<Row<ModernSettings>> modern_rows() {
  using S = ModernSettings;
  return {number("gravity_m_s2", &S::gravity, {0, 1000}, "downward"),
          number("friction", &S::friction, {0, 10}, "of the normal impulse"),
          number("restitution", &S::restitution, {0, 1}, "share of the closing speed"),
          number("bounce_speed_m_s", &S::bounce_speed, {0, 1e4}, "slower meetings do not bounce"),
          number("substep_rate_hz", &S::substep_rate, {60, 10000},
                 "more: stiffer contacts, and more work"),
          number("stiffness", &S::stiffness, {0.01, 0.5},
                 "of a contact, as a share of the substep rate; over 0.3 stacks hum"),
          number("damping_ratio", &S::damping_ratio, {0.1, 100}, "of a contact"),
          number("push_speed_m_s", &S::push_speed, {0, 1e4}, "overlaps are pushed apart no faster"),
          flag("sleeping", &S::sleeping, "whether what stays where it is comes to rest"),
          number("still_time_s", &S::still_time, {0.05, 1000}, "in one place for so long: at rest"),
          number("still_distance_m", &S::still_distance, {0.0001, 1}, "that still is one place"),
          number("still_speed_m_s", &S::still_speed, {0, 100}, "slower may come to rest")};
}

std::vector<Row<ClassicSettings>> classic_rows() {
  using S = ClassicSettings;
  return {number("gravity_m_s2", &S::gravity, {0, 1000}, "downward"),
          integer("passes", &S::passes, {1, 1000}, "over all contact rows, each step"),
          number("friction", &S::friction, {0, 10}, "of the normal impulse"),
          number("touch_distance_m", &S::touch_distance, {0.001, 0.5}, "a point this near touches"),
          number("bounce_speed_m_s", &S::bounce_speed, {0, 1e4}, "slower meetings do not bounce"),
          number("bounce", &S::bounce, {0, 1}, "share of the closing speed"),
          number("slop_m", &S::slop, {0, 1}, "depth that is left alone"),
          number("push_share", &S::push_share, {0, 1}, "of the depth, pushed out each step"),
          number("push_speed_m_s", &S::push_speed, {0, 1e4}, "at most"),
          number("spin_damping_per_s", &S::spin_damping, {0, 10}, "while touching"),
          number("still_speed_m_s", &S::still_speed, {0, 100}, "slower may come to rest"),
          number("still_spin_rad_s", &S::still_spin, {0, 100}, "slower may come to rest"),
          number("still_time_s", &S::still_time, {0, 1000}, "still for so long: at rest"),
          number("oldest_s", &S::oldest, {0, 3600}, "at rest wherever it is")};
}

std::vector<Row<WorldSettings>> world_rows() {
  using S = WorldSettings;
  return {number("step_s", &S::step_s, {1e-4, 0.1}, "length of a step"),
          number("lost_below_m", &S::lost_below_m, kAnyLength, "a body lower than this is lost"),
          number("hit_speed_m_s", &S::hit_speed, {0, 1e4}, "slower meetings are no event")};
}

std::vector<Row<Settings>> settings_rows() {
  return {name_of("preset", &Settings::preset, {"modern", "classic"}, "the solver"),
          flag("terrain_islands", &Settings::terrain_islands,
               "whether rock that digging cuts off falls; the first piece is called rock"),
          name_of("terrain_contact", &Settings::terrain_contact, {"field", "mesh"},
                  "what pieces meet: the smooth ground, or its triangles (modern)"),
          object("modern", &Settings::modern, modern_rows(), "overrides of preset modern"),
          object("classic", &Settings::classic, classic_rows(), "overrides of preset classic"),
          object("world", &Settings::world, world_rows(), "steps, and when a body is lost"),
          flag("break_on_impact", &Settings::break_on_impact,
               "whether hits break bonds that are weaker than they")};
}

}  // namespace

Row<Scenario> settings_row() {
  return object("settings", &Scenario::settings, settings_rows(), "of the physics");
}

}  // namespace talus
