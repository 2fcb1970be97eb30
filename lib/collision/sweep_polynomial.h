// When polynomials in time are first all zero or below: what every sweep comes down to.
//
// Numbers are pairs of doubles (after Dekker, "A floating-point technique for extending the
// available precision", 1971): 106 bits, so that differences of world coordinates are exact and the
// roots of a ball that only just grazes an edge come out to the last digits of a double.
// Polynomials are kept by their Bernstein coefficients over [0, 1]: they lie between the least and
// the greatest of them, which proves intervals free of roots instead of sampling them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/vec.h"

namespace talus {

/// hi + lo, |lo| at most half a unit in the last place of hi. Not initialised, as doubles are not.
struct Pair {
  double hi, lo;
  Pair() = default;
  Pair(double value) : hi(value), lo(0) {}  // NOLINT(google-explicit-constructor): a double is one
  Pair(double high, double low) : hi(high), lo(low) {}
};

inline Pair exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
inline Pair exact_product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double ta = kSplit * a, tb = kSplit * b;
  const double ah = ta - (ta - a), bh = tb - (tb - b);
  const double al = a - ah, bl = b - bh, product = a * b;
  return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}
inline Pair settled(double hi, double lo) {  // |hi| >= |lo|
  const double sum = hi + lo;
  return {sum, lo - (sum - hi)};
}
inline Pair operator-(Pair a) {
  return {-a.hi, -a.lo};
}
inline Pair operator+(Pair a, Pair b) {
  const Pair sum = exact_sum(a.hi, b.hi);
  return settled(sum.hi, sum.lo + (a.lo + b.lo));
}
inline Pair operator-(Pair a, Pair b) {
  return a + -b;
}
inline Pair operator*(Pair a, Pair b) {
  const Pair product = exact_product(a.hi, b.hi);
  return settled(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline Pair operator*(Pair a, double b) {
  const Pair product = exact_product(a.hi, b);
  return settled(product.hi, product.lo + a.lo * b);
}
/// By a power of two, or where the product has few digits: exact.
inline Pair scaled(Pair a, double factor) {
  return {a.hi * factor, a.lo * factor};
}
Pair divided(Pair a, double by);
Pair square_root(Pair a);  // of a >= 0

using PairVec = std::array<Pair, 3>;
PairVec exact_difference(Vec3 a, Vec3 b);
Pair dot(const PairVec& a, const PairVec& b);
PairVec cross(const PairVec& a, const PairVec& b);

/// Degree 0 to 4. Values up to `tolerance` count as zero: the rounding of its coefficients.
struct Polynomial {
  int degree;
  std::array<Pair, 5> c;
  double tolerance;

  const Pair& first() const { return c[0]; }
};

/// The sum of the two; degrees must agree.
Polynomial plus(const Polynomial& a, const Polynomial& b);
Polynomial plus(const Polynomial& a, Pair constant);
Polynomial negative(const Polynomial& a);
Polynomial times(const Polynomial& a, Pair factor);
Polynomial product(const Polynomial& a, const Polynomial& b);  // degrees at most 2 each
/// d/dt.
Polynomial slope(const Polynomial& a);
Pair value(const Polynomial& a, double t);

/// Several polynomials that must be zero or below at once. Those that always are are not kept.
struct Conditions {
  static constexpr std::size_t kMost = 12;
  std::size_t count = 0;
  bool never = false;  // one is above zero throughout
  std::array<Polynomial, kMost> all;

  Conditions() {}  // NOLINT(modernize-use-equals-default): leaves `all` as it is
  void add(const Polynomial& polynomial);
};

/// The least t in [0, before) at which every condition holds; exact to 2^-56. Where rounding leaves
/// it open whether they hold at all, they count as holding. Works in the conditions' place.
std::optional<double> first_time(Conditions& conditions, double before);

}  // namespace talus
