#include "io/height_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "io/read_file.h"

namespace talus {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr double kEven = 1e-6;  // of the spacing

struct Row {
  double x = 0, z = 0, height = 0;
  std::uint64_t line = 0;
  std::uint64_t entry = 0;  // in the grid
};

[[noreturn]] void fail(const std::string& path, std::uint64_t line, const std::string& why) {
  throw Error(fmt::format("{}:{}: {}", path, line, why));
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Calls visit(column, field) for the fields of a line.
template <class Visit>
void for_each_field(std::string_view line, const Visit& visit) {
  for (int column = 0;; ++column) {
    const std::size_t comma = line.find(',');
    visit(column, trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

std::string_view next_line(std::string_view& text) {
  const std::size_t length = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return line;
}

// Columns of x, z and height.
std::array<int, 3> read_header(const std::string& path, std::string_view line) {
  constexpr std::array<std::string_view, 3> kNames{"x", "z", "height"};
  std::array<int, 3> columns{-1, -1, -1};
  for_each_field(line, [&](int column, std::string_view field) {
    if (field.ends_with("_m")) field.remove_suffix(2);
    for (std::size_t i = 0; i < 3; ++i) {
      if (field == kNames[i]) columns[i] = column;
    }
  });
  for (std::size_t i = 0; i < 3; ++i) {
    if (columns[i] < 0) {
      fail(path, 1,
           fmt::format("the header has no column '{}'; it must name x, z and height", kNames[i]));
    }
  }
  return columns;
}

double read_number(const std::string& path, std::uint64_t line, std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) {
    fail(path, line, fmt::format("'{}' is not a finite number", field));
  }
  return value;
}

std::vector<Row> read_rows(const std::string& path, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::array<int, 3> columns = read_header(path, next_line(text));
  std::vector<Row> rows;
  for (std::uint64_t number = 2; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    if (trimmed(line).empty()) continue;
    std::array<double, 3> values{};
    int found = 0;
    for_each_field(line, [&](int column, std::string_view field) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (column != columns[i]) continue;
        values[i] = read_number(path, number, field);
        ++found;
      }
    });
    if (found < 3) fail(path, number, "has fewer fields than the header");
    rows.push_back({values[0], values[1], values[2], number, 0});
  }
  return rows;
}

struct Axis {
  double first = 0;
  double spacing = 0;
  std::uint64_t count = 0;
};

// Values much nearer to one another than the widest gap are one post that was rounded differently.
Axis find_axis(const std::string& path, const char* name, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double widest = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    widest = std::max(widest, values[i] - values[i - 1]);
  }
  if (!(widest > 0) || !std::isfinite(values.back() - values.front())) {
    throw Error(fmt::format("{}: a grid needs at least two different values of {}", path, name));
  }
  Axis axis{values.front(), 0, 1};
  for (std::size_t i = 1; i < values.size(); ++i) {
    axis.count += values[i] - values[i - 1] > 1e-3 * widest;
  }
  axis.spacing = (values.back() - values.front()) / static_cast<double>(axis.count - 1);
  return axis;
}

std::uint64_t post_of(const std::string& path, const Row& row, const char* name, double value,
                      const Axis& axis) {
  const double steps = (value - axis.first) / axis.spacing;
  const double post = std::nearbyint(steps);
  if (std::abs(steps - post) > kEven) {
    fail(path, row.line,
         fmt::format("{} = {} is not on an even spacing of {} m from {}", name, value, axis.spacing,
                     axis.first));
  }
  return static_cast<std::uint64_t>(post);
}

void refuse_gaps_and_doubles(const std::string& path, const std::vector<Row>& sorted, const Axis& x,
                             const Axis& z) {
  const auto place = [&](std::uint64_t entry) {
    const std::uint64_t row = entry / x.count;
    const std::uint64_t column = entry % x.count;
    return fmt::format("x = {}, z = {}", x.first + static_cast<double>(column) * x.spacing,
                       z.first + static_cast<double>(row) * z.spacing);
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].entry < i) {
      fail(path, sorted[i].line,
           fmt::format("{} is there already, in line {}", place(sorted[i].entry),
                       sorted[i - 1].line));
    }
    if (sorted[i].entry > i) throw Error(fmt::format("{}: there is no row for {}", path, place(i)));
  }
  if (sorted.size() < x.count * z.count) {
    throw Error(fmt::format("{}: there is no row for {}", path, place(sorted.size())));
  }
}

}  // namespace

HeightGrid read_height_csv(const std::string& path) {
  std::vector<Row> rows = read_rows(path, read_file(path, kMostBytes));
  if (rows.empty()) throw Error(fmt::format("{}: has no rows", path));
  std::vector<double> xs;
  std::vector<double> zs;
  for (const Row& row : rows) {
    xs.push_back(row.x);
    zs.push_back(row.z);
  }
  const Axis x = find_axis(path, "x", std::move(xs));
  const Axis z = find_axis(path, "z", std::move(zs));
  for (Row& row : rows) {
    row.entry = post_of(path, row, "x", row.x, x) + x.count * post_of(path, row, "z", row.z, z);
  }
  if (std::abs(x.spacing - z.spacing) > kEven * x.spacing) {
    throw Error(fmt::format("{}: the spacing must be one along x and z, but is {} m and {} m", path,
                            x.spacing, z.spacing));
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.entry != b.entry ? a.entry < b.entry : a.line < b.line;
  });
  refuse_gaps_and_doubles(path, rows, x, z);

  HeightGrid grid;
  grid.origin_x = x.first;
  grid.origin_z = z.first;
  grid.spacing = x.spacing;
  grid.columns = static_cast<int>(x.count);
  grid.rows = static_cast<int>(z.count);
  for (const Row& row : rows) grid.heights.push_back(row.height);
  return grid;
}

}  // namespace talus
