#include "scenario/tables.h"

namespace talus {

namespace {

Row<Expectation> value_row(const char* key, Range range, const char* meaning) {
  return required(number(key, &Expectation::value, range, meaning));
}
Row<Expectation> tolerance_row(const char* key) {
  return number(key, &Expectation::tolerance, {0, 1e9}, "how far off is still right");
}

/// `at_s` is for kinds that look at one moment; the others watch the whole run.
std::vector<Row<Expectation>> expected(std::vector<Row<Expectation>> own, bool at = true) {
  own.push_back(words("why", &Expectation::why, "shown where it fails"));
  if (at)
    own.push_back(number("at_s", &Expectation::at_s, kTimes, "when; the end where not given"));
  return own;
}

const std::vector<KindRows<Expectation>>& expectation_kinds() {
  using E = Expectation;
  const auto name = required(words("name", &E::name, "of the body, or of something in it"));
  static const std::vector<KindRows<Expectation>> kKinds{
      {"pieces", "how many bodies there are",
       expected({integer("count", &E::count, kCounts, "exactly"),
                 integer("least", &E::least, kCounts, "at least"),
                 integer("most", &E::most, kCounts, "at most")})},
      {"broke_off", "all that was named so is in pieces",
       expected({name, flag("together", &E::together, "all of it in one piece")})},
      {"stands", "all that was named so stands", expected({name})},
      {"mass", "of a body",
       expected({name, value_row("kg", {0, 1e15}, "its mass"), tolerance_row("tolerance_kg")})},
      {"position", "a body's centre is near a point",
       expected({name, required(vector("near_m", &E::point, kAnyLength, "from the site")),
                 tolerance_row("within_m")})},
      {"inside", "a body's centre is in a box",
       expected({name, required(vector("least_m", &E::point, kAnyLength, "from the site")),
                 required(vector("most_m", &E::other, kAnyLength, "from the site"))})},
      {"at_rest", "nothing moves any more",
       expected({number("by_s", &E::at_s, kTimes, "the latest; the end where not given")}, false)},
      {"first_contact", "when a body first touches something",
       expected({name, value_row("time_s", kTimes, "when"), tolerance_row("tolerance_s")}, false)},
      {"penetration", "no point of a body is deeper in anything solid",
       expected({value_row("most_m", {0, 1e4}, "at most")}, false)},
      {"speed", "no body's centre is faster",
       expected({value_row("most_m_s", {0, 1e6}, "at most")}, false)},
      {"energy", "no step adds energy to the bodies",
       expected({tolerance_row("tolerance_j")}, false)},
      {"blocks", "where the blocks are",
       expected({integer("standing", &E::standing, kCounts, "in place"),
                 integer("in_pieces", &E::in_pieces, kCounts, "in bodies"),
                 integer("removed", &E::removed, kCounts, "taken out"),
                 integer("lost", &E::lost, kCounts, "fallen out of the world")})},
      {"height", "how much higher the middle of some blocks is than that of others",
       expected({required(words("name", &E::name, "what the first were named")),
                 required(words("over", &E::over, "what the others were named")),
                 value_row("m", kAnyLength, "how much; below 0 where lower"),
                 tolerance_row("tolerance_m")})},
      {"reaches", "someone has come near a point at some time",
       expected({required(words("name", &E::name, "who: a walker's feet, or a body's centre")),
                 required(vector("near_m", &E::point, kAnyLength, "from the site")),
                 tolerance_row("within_m")})},
      {"stands_on", "a walker has something under its feet",
       expected(
           {required(words("name", &E::name, "who")),
            words("on", &E::over, "what was named so, or \"ground\"; anything where not given")})},
      {"never_inside", "no walker was deeper in anything, at any time",
       expected({number("most_m", &E::value, {0, 10}, "at most; 0.001 where not given")}, false)}};
  return kKinds;
}

void read_expectation(const Node& node, Expectation& e) {
  e.place = node.place();
  e.kind = static_cast<Expectation::Kind>(read_kind(node, "that", expectation_kinds(), e));
  if (e.kind == Expectation::Kind::NeverInside && e.value == 0) e.value = kWalkerSlack;
  if (e.kind == Expectation::Kind::Pieces && !e.count && !e.least && !e.most) {
    node.fail("needs \"count\", \"least\" or \"most\"");
  }
}

}  // namespace

Row<Scenario> expect_row() {
  return list<Scenario, Expectation>("expect", &Scenario::expect,
                                     kinds_schema("that", expectation_kinds()), read_expectation,
                                     "what makes it a test");
}

}  // namespace talus
