// Vertex attributes as glTF stores them: floats as they are, or the integers of
// KHR_mesh_quantization.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/vec.h"

namespace talus {

struct Rgba8 {
  std::uint8_t r, g, b, a;
};

/// A signed, normalised vector (127 = 1) and the byte that fills it up to a multiple of 4.
struct Normal8 {
  std::int8_t x, y, z, unused;
};

/// A lattice point and the 16 bits that fill it up to a multiple of 4 bytes.
struct Position16 {
  std::uint16_t x, y, z, unused;
};

/// Positions on the lattice: position = grid * (offset + point), exactly.
struct QuantizedPositions {
  glm::i64vec3 offset{0};  // lattice steps; as round a number as the span allows
  std::vector<Position16> points;
  Position16 lo{}, hi{};  // the box of the points
};

/// Throws Error, naming the node, when a position is not a multiple of grid_m or when the positions
/// span more than 65 535 steps.
QuantizedPositions quantize_positions(std::span<const Vec3f> positions, double grid_m,
                                      const std::string& node);
/// Each component to the nearest of 255 steps: a unit vector stays within 0.7 % of unit length.
std::vector<Normal8> quantize_normals(std::span<const Vec3f> normals);
/// Clamped to [0, 1] and rounded; opaque.
std::vector<Rgba8> quantize_colors(std::span<const Vec3f> colors);

}  // namespace talus
