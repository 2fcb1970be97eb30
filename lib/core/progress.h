// How long work tells how far it is, and is told to stop. Both functions may be empty.
#pragma once

#include <cstdint>
#include <functional>

namespace talus {

struct Progress {
  /// Called from one thread at a time, with items finished and items in all.
  std::function<void(std::int64_t done, std::int64_t total)> report;
  /// Asked between items, from any thread; true: start nothing more.
  std::function<bool()> stop_asked;

  bool stopped() const { return stop_asked && stop_asked(); }
};

}  // namespace talus
