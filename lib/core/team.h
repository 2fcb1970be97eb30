// A few threads that go through many short stages together.
//
// parallel_for() hands its work to a pool whose threads must be woken for it: tens of microseconds,
// which is more than a stage of a physics step takes. The threads of a team stay awake between
// stages, looking for work, and go to sleep a while after the last one. Nobody waits for a thread
// that has not come: whoever is there takes the shares, and the caller is always there.
#pragma once

#include <cstddef>
#include <memory>

namespace talus {

class Team {
 public:
  /// The caller, and threads - 1 others. None are started before the first stage that has work for
  /// them.
  explicit Team(int threads);
  ~Team();

  /// task(i) for every i in [0, count), in any order, each on one thread; back when all are done. A
  /// task writes only to places of its own, and throws nothing. One stage after another, each from
  /// the thread that owns the team. Share i of n mostly falls to the same thread in every stage, so
  /// that what a thread has in its cache may be of use in the next one.
  /// Cost: about half a microsecond, where the threads are awake.
  template <class Task>
  void run(std::size_t count, const Task& task) {
    const auto call = [](const void* t, std::size_t i) { (*static_cast<const Task*>(t))(i); };
    share_out(count, &task, call);
  }
  /// The same for `count` things, `share` of them at a time: task(first, end).
  template <class Task>
  void run_shares(std::size_t count, std::size_t share, const Task& task) {
    run((count + share - 1) / share, [&](std::size_t i) {
      task(i * share, count - i * share < share ? count : (i + 1) * share);
    });
  }

  bool alone() const { return threads_ <= 1; }

 private:
  using Call = void (*)(const void* task, std::size_t i);
  void share_out(std::size_t count, const void* task, Call call);

  struct Crew;
  int threads_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace talus
