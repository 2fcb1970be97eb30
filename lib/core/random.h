// The seeded random stream of the terrain: mulberry32 (Tommy Ettinger, 2017, public domain).
// 32 bits of state; the stream repeats after 2^32 numbers. Not for cryptography.
#pragma once

#include <cstdint>

namespace talus {

class Mulberry32 {
 public:
  explicit Mulberry32(std::uint32_t seed) : state_(seed) {}

  /// The next number, uniform in [0, 1): a multiple of 2^-32, exact in double.
  double next() {
    state_ += 0x6D2B79F5u;
    std::uint32_t t = (state_ ^ (state_ >> 15)) * (state_ | 1u);
    t ^= t + (t ^ (t >> 7)) * (t | 61u);
    return static_cast<double>(t ^ (t >> 14)) * 0x1p-32;
  }

 private:
  std::uint32_t state_;
};

}  // namespace talus
