#include "core/team.h"

#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include <emmintrin.h>

namespace talus {

namespace {

/// How often a thread looks for work before it goes to sleep: about a millisecond.
constexpr int kLooks = 20000;
/// And how often before it lets others have its processor now and then.
constexpr int kPatience = 2000;

void pause_a_little(int looks) {
  if (looks > kPatience && looks % 64 == 0) {
    std::this_thread::yield();
  } else {
    _mm_pause();
  }
}

}  // namespace

/// The shares of a stage are dealt out to the threads in equal runs. A thread takes those of its
/// own run first, then what is left of others'.
struct Team::Crew {
  /// All that a thread must know of a run, in one line of the cache: cores pass it to and fro.
  struct alignas(64) Run {
    std::atomic<std::uint64_t> left{0};  // [next, end), in one word
    std::atomic<std::size_t> undone{0};
    const void* task = nullptr;
    Call call = nullptr;

    void deal(std::uint64_t next, std::uint64_t end, const void* new_task, Call new_call) {
      task = new_task;
      call = new_call;
      undone.store(end - next, std::memory_order_relaxed);
      left.store(next << 32 | end);
    }
    bool take(std::size_t& share) {
      std::uint64_t word = left.load();
      while (word >> 32 < (word & 0xFFFFFFFF)) {
        if (left.compare_exchange_weak(word, word + (std::uint64_t{1} << 32))) {
          share = word >> 32;
          return true;
        }
      }
      return false;
    }
  };

  explicit Crew(std::size_t threads) : runs(threads) {
    try {
      for (std::size_t i = 1; i < threads; ++i) {
        others.emplace_back([this, i](const std::stop_token& over) { help(i, over); });
      }
    } catch (const std::system_error&) {
      // No more threads are to be had: those that came take the runs of the others, too.
    }
  }
  ~Crew() {
    for (std::jthread& other : others) other.request_stop();
    ring();
  }

  void ring() {
    bell.fetch_add(1);
    bell.notify_all();
  }

  /// Whoever holds a share knows what it is a share of: the stage lasts until it is done.
  bool work_on_one(std::size_t thread) {
    std::size_t share = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Run& run = runs[(thread + i) % runs.size()];
      if (!run.take(share)) continue;
      run.call(run.task, share);
      run.undone.fetch_sub(1, std::memory_order_release);
      return true;
    }
    return false;
  }

  void help(std::size_t thread, const std::stop_token& over) {
    while (!over.stop_requested()) {
      int looks = 0;
      while (looks < kLooks) {
        if (work_on_one(thread)) {
          looks = 0;
        } else {
          pause_a_little(++looks);
        }
      }
      // Once more after it is known that we sleep: else a stage could begin unheard.
      const std::uint32_t heard = bell.load();
      asleep.store(true);
      if (over.stop_requested() || work_on_one(thread)) continue;
      bell.wait(heard);
    }
  }

  std::vector<Run> runs;                        // by thread; the caller's is the first
  alignas(64) std::atomic<bool> asleep{false};  // one or more of the others
  std::atomic<std::uint32_t> bell{0};
  std::vector<std::jthread> others;  // last, so that they end first
};

Team::Team(int threads) : threads_(threads) {}
Team::~Team() = default;

void Team::share_out(std::size_t count, const void* task, Call call) {
  if (alone() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) call(task, i);
    return;
  }
  if (!crew_) crew_ = std::make_unique<Crew>(static_cast<std::size_t>(threads_));
  Crew& crew = *crew_;
  const std::size_t threads = crew.runs.size();
  for (std::size_t i = 0; i < threads; ++i) {
    crew.runs[i].deal(count * i / threads, count * (i + 1) / threads, task, call);
  }
  if (crew.asleep.load()) {
    crew.asleep.store(false);
    crew.ring();
  }
  while (crew.work_on_one(0)) {
  }
  for (const Crew::Run& run : crew.runs) {
    for (int looks = 0; run.undone.load(std::memory_order_acquire) != 0; ++looks) {
      pause_a_little(looks);
    }
  }
}

}  // namespace talus
