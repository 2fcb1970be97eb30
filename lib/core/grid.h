// Integer division that rounds down, so that chunk 0 ends where chunk -1 begins.
#pragma once

#include <cstdint>

namespace talus {

/// The largest q with q * b <= a. b > 0.
template <class Int>
constexpr Int floor_div(Int a, Int b) {
  const Int q = a / b;
  return q - static_cast<Int>(a % b < 0);
}

/// a - b * floor_div(a, b), always in [0, b). b > 0.
template <class Int>
constexpr Int floor_mod(Int a, Int b) {
  const Int r = a % b;
  return r < 0 ? r + b : r;
}

/// The smallest q with q * b >= a. b > 0.
template <class Int>
constexpr Int ceil_div(Int a, Int b) {
  return -floor_div(-a, b);
}

}  // namespace talus
