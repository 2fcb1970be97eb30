#include "collision/sweep_polynomial.h"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

/// How close times come to the truth.
constexpr double kResolution = 0x1p-56;
/// Where conditions are still open in an interval this narrow they count as holding. Much below the
/// resolution: a ball that slides off a face at 1e-17 of its speed must not meet the face's edge.
constexpr double kNarrowest = 0x1p-90;
/// Sums and products keep this share of their magnitude; what is below is rounding.
constexpr double kRounding = 0x1p-98;

constexpr std::array<std::array<double, 5>, 5> kBinomial = {
    {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}}};

std::size_t places(const Polynomial& a) {
  return static_cast<std::size_t>(a.degree) + 1;
}

double magnitude(const Polynomial& a) {
  double most = 0;
  for (std::size_t i = 0; i < places(a); ++i) most = std::max(most, std::abs(a.c[i].hi));
  return most;
}

enum class Holds { Never, Somewhere, Always };

Holds holds(const Polynomial& a) {
  bool some_above = false, some_below = false;
  for (std::size_t i = 0; i < places(a); ++i) {
    (a.c[i].hi > a.tolerance ? some_above : some_below) = true;
  }
  return !some_above ? Holds::Always : some_below ? Holds::Somewhere : Holds::Never;
}

/// De Casteljau at one half: `a` becomes the left half, the right one is returned.
Polynomial split(Polynomial& a) {
  Polynomial right = a;
  const std::size_t n = places(a);
  for (std::size_t level = 1; level < n; ++level) {
    right.c[n - level] = a.c[n - 1];
    for (std::size_t i = n - 1; i >= level; --i) a.c[i] = scaled(a.c[i - 1] + a.c[i], 0.5);
  }
  right.c[0] = a.c[n - 1];
  return right;
}

/// True where the coefficients go from above to below zero once: then so does the polynomial.
bool falls_once(const Polynomial& a) {
  const std::size_t n = places(a);
  std::size_t i = 0;
  while (i < n && a.c[i].hi > a.tolerance) ++i;
  while (i < n && a.c[i].hi < -a.tolerance) ++i;
  return i == n && a.c[0].hi > a.tolerance && a.c[n - 1].hi < -a.tolerance;
}

double rough_value(const Polynomial& a, double t) {
  std::array<double, 5> c{};
  for (std::size_t i = 0; i < places(a); ++i) c[i] = a.c[i].hi;
  for (std::size_t n = places(a); n > 1; --n) {
    for (std::size_t i = 0; i + 1 < n; ++i) c[i] = c[i] * (1 - t) + c[i + 1] * t;
  }
  return c[0];
}

/// Near the root: Newton's method in double, from where the chord falls.
double rough_root(const Polynomial& a, const Polynomial& rate) {
  const double start = a.c[0].hi, end = a.c[places(a) - 1].hi;
  double t = start / (start - end);
  for (int i = 0; i < 8; ++i) {
    const double next = t - rough_value(a, t) / rough_value(rate, t);
    if (!(next > 0 && next < 1)) break;
    const bool near = std::abs(next - t) <= 0x1p-30 * t;
    t = next;
    if (near) break;
  }
  return t;
}

/// The root in [0, 1] of a polynomial that falls once, by Newton's method kept within a bracket.
double root(const Polynomial& a, double narrowest) {
  const Polynomial rate = slope(a);
  double lo = 0, hi = 1, t = rough_root(a, rate);
  for (int i = 0; i < 200 && hi - lo > narrowest; ++i) {
    const double at = value(a, t).hi;
    (at > 0 ? lo : hi) = t;
    const double steep = rough_value(rate, t);  // its digits only cost steps
    const double next = t - at / steep;
    if (at == 0 || std::abs(next - t) <= 0x1p-53 * t) return std::clamp(next, lo, hi);
    t = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  return lo;
}

std::optional<double> search(Conditions& open, double lo, double width, double before) {
  if (lo >= before) return {};
  std::size_t kept = 0;
  bool at_once = true;
  for (std::size_t i = 0; i < open.count; ++i) {
    const Holds state = holds(open.all[i]);
    if (state == Holds::Never) return {};
    if (state == Holds::Always) continue;
    at_once = at_once && open.all[i].first().hi <= open.all[i].tolerance;
    if (kept != i) open.all[kept] = open.all[i];
    ++kept;
  }
  open.count = kept;
  if (at_once || width <= kNarrowest) return lo;
  if (kept == 1 && falls_once(open.all[0])) {
    const double t = lo + width * root(open.all[0], kResolution / width);
    return t < before ? std::optional<double>(t) : std::nullopt;
  }
  Conditions right;
  right.count = kept;
  for (std::size_t i = 0; i < kept; ++i) right.all[i] = split(open.all[i]);
  if (const auto found = search(open, lo, 0.5 * width, before)) return found;
  return search(right, lo + 0.5 * width, 0.5 * width, before);
}

}  // namespace

Pair divided(Pair a, double by) {
  const double first = a.hi / by;
  const Pair rest = a - exact_product(first, by);
  return settled(first, rest.hi / by);
}

Pair square_root(Pair a) {
  if (a.hi <= 0) return 0;
  const double root = std::sqrt(a.hi);
  return settled(root, (a - exact_product(root, root)).hi / (2 * root));
}

PairVec exact_difference(Vec3 a, Vec3 b) {
  return {exact_sum(a.x, -b.x), exact_sum(a.y, -b.y), exact_sum(a.z, -b.z)};
}

Pair dot(const PairVec& a, const PairVec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

PairVec cross(const PairVec& a, const PairVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Polynomial plus(const Polynomial& a, const Polynomial& b) {
  Polynomial sum = a;
  for (std::size_t i = 0; i < places(a); ++i) sum.c[i] = a.c[i] + b.c[i];
  sum.tolerance = a.tolerance + b.tolerance + kRounding * (magnitude(a) + magnitude(b));
  return sum;
}

Polynomial plus(const Polynomial& a, Pair constant) {
  Polynomial sum = a;
  sum.tolerance += kRounding * (magnitude(a) + std::abs(constant.hi));
  for (std::size_t i = 0; i < places(a); ++i) sum.c[i] = a.c[i] + constant;
  return sum;
}

Polynomial negative(const Polynomial& a) {
  Polynomial out = a;
  for (std::size_t i = 0; i < places(a); ++i) out.c[i] = -a.c[i];
  return out;
}

Polynomial times(const Polynomial& a, Pair factor) {
  Polynomial out = a;
  for (std::size_t i = 0; i < places(a); ++i) out.c[i] = a.c[i] * factor;
  out.tolerance = std::abs(factor.hi) * (a.tolerance + kRounding * magnitude(a));
  return out;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial out{};
  out.degree = a.degree + b.degree;
  const auto& row = kBinomial[static_cast<std::size_t>(out.degree)];
  const auto& rows_a = kBinomial[static_cast<std::size_t>(a.degree)];
  const auto& rows_b = kBinomial[static_cast<std::size_t>(b.degree)];
  for (std::size_t i = 0; i < places(a); ++i) {
    for (std::size_t j = 0; j < places(b); ++j) {
      out.c[i + j] = out.c[i + j] + scaled(a.c[i] * b.c[j], rows_a[i] * rows_b[j]);
    }
  }
  for (std::size_t k = 0; k < places(out); ++k) {
    // 1, 2, 4: powers of two, which are exact.
    const bool whole = row[k] != 3 && row[k] != 6;
    out.c[k] = whole ? scaled(out.c[k], 1 / row[k]) : divided(out.c[k], row[k]);
  }
  const double ma = magnitude(a), mb = magnitude(b);
  out.tolerance = ma * b.tolerance + mb * a.tolerance + kRounding * ma * mb;
  return out;
}

Polynomial slope(const Polynomial& a) {
  Polynomial out{};
  if (a.degree == 0) return out;
  out.degree = a.degree - 1;
  for (std::size_t i = 0; i < places(out); ++i) {
    out.c[i] = (a.c[i + 1] - a.c[i]) * double(a.degree);
  }
  out.tolerance = 2 * a.degree * (a.tolerance + kRounding * magnitude(a));
  return out;
}

Pair value(const Polynomial& a, double t) {
  std::array<Pair, 5> c = a.c;
  const Pair left = exact_sum(1, -t);
  for (std::size_t n = places(a); n > 1; --n) {
    for (std::size_t i = 0; i + 1 < n; ++i) c[i] = c[i] * left + c[i + 1] * t;
  }
  return c[0];
}

void Conditions::add(const Polynomial& polynomial) {
  const Holds state = holds(polynomial);
  never = never || state == Holds::Never;
  if (state == Holds::Somewhere) all[count++] = polynomial;
}

std::optional<double> first_time(Conditions& conditions, double before) {
  if (conditions.never) return {};
  return search(conditions, 0, 1, before);
}

}  // namespace talus
