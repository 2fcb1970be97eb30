#include "scenario/recorder.h"

#include <utility>

namespace talus {

namespace {

void describe(const World& world, const Body& body, BodyTrack& track) {
  track.born_s = body.born_s;
  track.mass_kg = body.piece->mass;
  track.center_m = body.piece->center;
  const Mat3& inertia = body.piece->inertia;
  track.inertia_kg_m2 = {inertia[0][0], inertia[1][1], inertia[2][2],
                         inertia[1][0], inertia[2][0], inertia[2][1]};
  const std::vector<Material>& materials = world.materials();
  std::vector<std::int64_t> counts(materials.size());
  for (BlockId id = 0; id < body.piece->blocks.id_end(); ++id) {
    ++counts[body.piece->blocks[id].material];
  }
  for (std::size_t m = 0; m < counts.size(); ++m) {
    if (counts[m] > 0) track.blocks_by_material.emplace_back(materials[m].name, counts[m]);
  }
}

void describe(const World& world, const Ball& ball, BodyTrack& track) {
  track.born_s = world.time_s();
  track.mass_kg = mass(ball);
  track.center_m = ball.position;
  track.radius_m = ball.radius;
  const double inertia = 0.4 * track.mass_kg * ball.radius * ball.radius;
  track.inertia_kg_m2 = {inertia, inertia, inertia, 0, 0, 0};
}

Vec3 middle_of(const World& world, std::size_t walker) {
  return world.walkers()[walker].position + Vec3(0, world.walker_settings(walker).height / 2, 0);
}

BodyState state_of(const Body& body) {
  const Quat& q = body.orientation;
  return {body.position, {q.x, q.y, q.z, q.w}, body.velocity, body.spin, body.asleep};
}

BodyState state_of(const Ball& ball) {
  const Quat& q = ball.orientation;
  return {ball.position, {q.x, q.y, q.z, q.w}, ball.velocity, ball.spin, ball.asleep};
}

/// What of an actor goes into a row; nothing once it is lost.
std::optional<BodyState> state_of(const World& world, Actor who) {
  switch (who.kind) {
    case Actor::Kind::Body:
      if (world.bodies()[who.index].lost) return std::nullopt;
      return state_of(world.bodies()[who.index]);
    case Actor::Kind::Ball:
      if (world.balls()[who.index].lost) return std::nullopt;
      return state_of(world.balls()[who.index]);
    case Actor::Kind::Walker: {
      BodyState state;
      state.position_m = middle_of(world, who.index);
      state.linear_velocity_m_s = world.walkers()[who.index].velocity;
      state.asleep = !world.walkers()[who.index].moving();
      if (state.asleep) state.linear_velocity_m_s = Vec3(0);
      return state;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Actor> Recorder::newcomers(const World& world) const {
  std::vector<Actor> all;
  for (std::size_t i = bodies_; i < world.bodies().size(); ++i) {
    all.push_back({Actor::Kind::Body, i});
  }
  for (std::size_t i = balls_; i < world.balls().size(); ++i) {
    all.push_back({Actor::Kind::Ball, i});
  }
  for (std::size_t i = walkers_; i < world.walkers().size(); ++i) {
    all.push_back({Actor::Kind::Walker, i});
  }
  return all;
}

void Recorder::add_track(const World& world, Actor who, std::string name) {
  BodyTrack track;
  track.id = static_cast<int>(trajectory_.bodies.size());
  track.name = std::move(name);
  switch (who.kind) {
    case Actor::Kind::Body: {
      const Body& body = world.bodies()[who.index];
      describe(world, body, track);
      if (body.split_from != kNoBody) {
        track.split_from = tracks_.at({Actor::Kind::Body, body.split_from});
      }
      ++bodies_;
      break;
    }
    case Actor::Kind::Ball:
      describe(world, world.balls()[who.index], track);
      ++balls_;
      break;
    case Actor::Kind::Walker: {
      const WalkerSettings& settings = world.walker_settings(who.index);
      track.born_s = world.time_s();
      track.center_m = middle_of(world, who.index);
      track.radius_m = settings.radius;
      track.height_m = settings.height;
      track.inertia_kg_m2 = {0, 0, 0, 0, 0, 0};
      ++walkers_;
      break;
    }
  }
  tracks_.emplace(who, track.id);
  actors_.push_back(who);
  trajectory_.bodies.push_back(std::move(track));
}

bool Recorder::record(const World& world) {
  add_frame(trajectory_, world.time_s());
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    const auto state = state_of(world, actors_[i]);
    // One row says that it sleeps; where it stays needs no more.
    const BodyTrack& track = trajectory_.bodies[i];
    const bool said = state && state->asleep && track.rows() > 0 && track.asleep.back() != 0;
    if (!state || said) continue;
    append(trajectory_, i, *state);
    if (++rows_ > kMostRows) return false;
  }
  return true;
}

}  // namespace talus
