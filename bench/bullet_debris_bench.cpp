// The peer: Bullet on the same debris, its ground a triangle mesh, its pieces compounds of boxes.
#include <cmath>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include "debris_bench.h"
#include "support/debris.h"

namespace talus {
namespace {

btVector3 vector_of(Vec3 v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

/// Bullet multiplies the frictions of both bodies.
const auto kFriction = static_cast<btScalar>(std::sqrt(kDebrisFriction));

struct BulletScene {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
  btTriangleMesh triangles;
  std::unique_ptr<btBvhTriangleMeshShape> ground;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  BulletScene(Debris scene, bool sleeping) {
    world.setGravity({0, static_cast<btScalar>(-9.81), 0});
    add_ground();
    for (const DebrisBody& body : debris_bodies(scene, kDebrisFolder, 0)) add(body, sleeping);
  }
  ~BulletScene() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }

  void add_ground() {
    const Terrain terrain = debris_ground(kDebrisFolder);
    const auto post = [&](int i, int k) { return vector_of({i, terrain.preset->height(i, k), k}); };
    for (int k = -32; k < 32; ++k) {
      for (int i = -32; i < 32; ++i) {
        triangles.addTriangle(post(i, k), post(i + 1, k + 1), post(i + 1, k));
        triangles.addTriangle(post(i, k), post(i, k + 1), post(i + 1, k + 1));
      }
    }
    ground = std::make_unique<btBvhTriangleMeshShape>(&triangles, true);
    add_body(0, ground.get(), btTransform::getIdentity());
  }

  void add(const DebrisBody& body, bool sleeping) {
    auto compound = std::make_unique<btCompoundShape>();
    double mass = 0;
    for (const Block& block : body.blocks) {
      const auto half = static_cast<btScalar>(block.half());
      shapes.push_back(std::make_unique<btBoxShape>(btVector3(half, half, half)));
      compound->addChildShape(
          btTransform(btQuaternion::getIdentity(), vector_of(block.middle() - body.center)),
          shapes.back().get());
      mass += 1000 * 8 * block.half() * block.half() * block.half();
    }
    btCollisionShape* shape = compound.get();
    if (body.blocks.size() == 1) shape = shapes.back().get();
    shapes.push_back(std::move(compound));
    const Quat& q = body.orientation;
    const btQuaternion rotation(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                static_cast<btScalar>(q.z), static_cast<btScalar>(q.w));
    add_body(mass, shape, btTransform(rotation, vector_of(body.position)));
    if (!sleeping) bodies.back()->setActivationState(DISABLE_DEACTIVATION);
  }

  void add_body(double mass, btCollisionShape* shape, const btTransform& at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape,
                                                  inertia);
    info.m_startWorldTransform = at;
    info.m_friction = kFriction;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    world.addRigidBody(bodies.back().get());
  }
};

void bullet_debris(benchmark::State& state, Debris scene, bool sleeping) {
  for (auto _ : state) {
    state.PauseTiming();
    auto bullet = std::make_unique<BulletScene>(scene, sleeping);
    state.ResumeTiming();
    for (int i = 0; i < kDebrisSteps; ++i) {
      bullet->world.stepSimulation(static_cast<btScalar>(kDebrisStep), 0);
    }
    state.PauseTiming();
    bullet.reset();
    state.ResumeTiming();
  }
}

BENCHMARK_CAPTURE(bullet_debris, cubes, Debris::Cubes, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bullet_debris, cubes_awake, Debris::Cubes, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bullet_debris, pieces, Debris::Pieces, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bullet_debris, pieces_awake, Debris::Pieces, false)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace talus
