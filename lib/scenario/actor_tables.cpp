// Balls and walkers.
#include <utility>

#include "scenario/tables.h"

namespace talus {

namespace {

/// A row of what is inside as one of the whole.
template <class T, class Inner>
Row<T> within(Inner T::*inner, const Row<Inner>& row) {
  return {row.key, row.meaning, row.schema,
          [inner, read = row.read](const Node& n, T& t) { read(n, t.*inner); }, row.need};
}

Row<BallSpec> of_ball(const Row<Ball>& row) {
  return within(&BallSpec::ball, row);
}

const std::vector<KindRows<WalkerGoal>>& goal_kinds() {
  using G = WalkerGoal;
  // In the order of WalkerGoal::Kind.
  static const std::vector<KindRows<G>> kKinds{
      {"walk_to",
       "walks to a place; its height does not count",
       {required(vector("to_m", &G::target, kAnyLength, "from the site")),
        number("give_up_s", &G::seconds, {0.01, 3600}, "after so long; never where not given")}},
      {"jump", "jumps, as soon as it stands", {}},
      {"wait", "stays", {required(number("seconds", &G::seconds, kTimes, "for so long"))}}};
  return kKinds;
}

void read_goal(const Node& node, WalkerGoal& goal) {
  goal.kind = static_cast<WalkerGoal::Kind>(read_kind(node, "goal", goal_kinds(), goal));
}

std::vector<Row<WalkerSpec>> walker_rows() {
  using S = WalkerSettings;
  const auto of = [](const Row<S>& row) { return within(&WalkerSpec::settings, row); };
  return {
      required(words("name", &WalkerSpec::name, "what expectations call it")),
      required(vector("at_m", &WalkerSpec::at_m, kAnyLength, "its feet, from the site")),
      list<WalkerSpec, WalkerGoal>("goals", &WalkerSpec::goals, kinds_schema("goal", goal_kinds()),
                                   read_goal, "what it does, one after the other"),
      of(number("walk_speed_m_s", &S::walk_speed, {0.01, 50}, "on foot")),
      of(number("jump_speed_m_s", &S::jump_speed, {0, 50}, "upward")),
      of(number("step_height_m", &S::step_height, {0, 1.5}, "edges up to this are climbed")),
      of(number("crush_time_s", &S::crush_time_s, {0, 3600},
                "inside something for longer: crushed"))};
}

void read_walker(const Node& node, WalkerSpec& walker) {
  static const auto kRows = walker_rows();
  walker.place = node.place();
  read_rows(node, kRows, walker);
}

}  // namespace

std::vector<Row<BallSpec>> dropped_rows() {
  using B = Ball;
  return {
      of_ball(required(vector("from_m", &B::position, kAnyLength, "its middle, from the site"))),
      of_ball(number("radius_m", &B::radius, {0.01, 50}, "of the ball")),
      words("material", &BallSpec::material, "what it is made of"),
      number("density_kg_m3", &BallSpec::density_kg_m3, {1, 1e5}, "in place of the material's"),
      of_ball(number("restitution", &B::restitution, {0, 1},
                     "share of the closing speed, times that of what it meets")),
      of_ball(number("friction", &B::friction, {0, 10}, "of the normal impulse")),
      of_ball(number("rolling", &B::rolling, {0, 10}, "resistance, of its weight"))};
}

std::vector<Row<BallSpec>> thrown_rows() {
  auto rows = dropped_rows();
  rows.push_back(of_ball(required(vector("velocity_m_s", &Ball::velocity, kSpeeds, "how fast"))));
  rows.push_back(of_ball(vector("spin_rad_s", &Ball::spin, {-1e3, 1e3}, "how it turns")));
  return rows;
}

Row<Scenario> walkers_row() {
  return list<Scenario, WalkerSpec>("walkers", &Scenario::walkers, rows_schema(walker_rows()),
                                    read_walker, "who walks about");
}

}  // namespace talus
