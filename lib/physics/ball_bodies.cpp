#include "physics/ball_bodies.h"

#include <algorithm>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "voxel/block_distance.h"

namespace talus {

namespace {

constexpr int kPushes = 4;
/// How much more of a piece there may be than its contact points say, metres.
constexpr double kRoom = 0.01;

Box ball_box(Vec3 center, double radius) {
  return {center - Vec3(radius + kRoom), center + Vec3(radius + kRoom)};
}

bool meet(const Box& a, const Box& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

SweepFrame frame_of(const Body& body) {
  return {body.position, body.piece->center, body.orientation};
}

}  // namespace

Box bounds(const Body& body) {
  return ball_box(body.position, body.piece->radius);
}

std::optional<BodyHit> overlap(const Body& body, std::uint32_t number, const Ball& ball) {
  const SweepFrame frame = frame_of(body);
  const SphereSweep rest = to_local(frame, {ball.position, ball.position, ball.radius, Vec3(0)});
  const auto found = sweep_blocks(body.piece->blocks, rest);
  if (!found) return {};
  return BodyHit{to_world(frame, found->hit), number, found->block};
}

BodiesOnTheWay::BodiesOnTheWay(std::span<const Body> bodies, std::span<const Pose> before)
    : bodies_(bodies), before_(before) {
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.lost) continue;
    Box box = bounds(body);
    if (i < before.size()) {
      const Box was = ball_box(before[i].position, body.piece->radius);
      box = {glm::min(box.lo, was.lo), glm::max(box.hi, was.hi)};
    }
    longest_ = std::max(longest_, box.hi.x - box.lo.x);
    near_.push_back({box, i});
  }
  std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) {
    return a.box.lo.x != b.box.lo.x ? a.box.lo.x < b.box.lo.x : a.body < b.body;
  });
}

template <class Visit>
void BodiesOnTheWay::visit(const Box& box, const Visit& visit) const {
  if (near_.empty()) return;
  auto near = std::lower_bound(near_.begin(), near_.end(), box.lo.x - longest_,
                               [](const Near& n, double x) { return n.box.lo.x < x; });
  for (; near != near_.end() && near->box.lo.x <= box.hi.x; ++near) {
    if (meet(near->box, box)) visit(near->body);
  }
}

SweepFrame BodiesOnTheWay::frame(std::uint32_t body, double at) const {
  SweepFrame now = frame_of(bodies_[body]);
  if (body >= before_.size() || at == 1) return now;
  const Pose& was = before_[body];
  now.position = was.position + at * (now.position - was.position);
  const Quat& a = was.orientation;
  const Quat& b = now.orientation;
  const double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -at : at;
  const double rest = 1 - at;
  now.orientation = normalized(Quat(rest * a.w + sign * b.w, rest * a.x + sign * b.x,
                                    rest * a.y + sign * b.y, rest * a.z + sign * b.z));
  return now;
}

std::optional<BodyHit> BodiesOnTheWay::first_hit(const SphereSweep& sweep, double from,
                                                 double before) const {
  std::optional<BodyHit> best;
  if (near_.empty()) return best;
  visit(bounds(sweep), [&](std::uint32_t body) {
    const SweepFrame last = frame(body, 1);
    SphereSweep local = to_local(last, sweep);
    local.start = to_local(frame(body, from), sweep).start;
    const auto found = sweep_blocks(bodies_[body].piece->blocks, local, before);
    if (!found) return;
    before = found->hit.time;
    const SweepFrame there = frame(body, from + (1 - from) * before);
    best = BodyHit{to_world(there, found->hit), body, found->block};
  });
  return best;
}

bool BodiesOnTheWay::any_near(const Ball& ball) const {
  bool any = false;
  visit(ball_box(ball.position, ball.radius), [&](std::uint32_t) { any = true; });
  return any;
}

void BodiesOnTheWay::push_out(Ball& ball) const {
  visit({ball.position, ball.position}, [&](std::uint32_t number) {
    const SweepFrame frame = this->frame(number, 0);
    const Mat3 turn = rotation_matrix(frame.orientation);
    const Blocks& blocks = bodies_[number].piece->blocks;
    for (int i = 0; i < kPushes; ++i) {
      const Vec3 local = frame.center + (ball.position - frame.position) * turn;
      const BlockId id = blocks.at(IVec3(glm::floor(local / kCell)));
      if (id == kNoBlock) return;
      const auto way = signed_distance(blocks[id], open_sides(blocks, blocks[id]), local);
      if (way.distance > 0) return;
      ball.position += (ball.radius - way.distance) * (turn * way.normal);
    }
  });
}

}  // namespace talus
