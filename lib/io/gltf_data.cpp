#include "io/gltf_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <meshoptimizer.h>

#include "core/error.h"
#include "io/atomic_file.h"
#include "io/read_file.h"

namespace talus {
namespace {

constexpr std::uint64_t kMostBufferBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 28;
constexpr std::uint64_t kUnfolding = 64;

// Bytes of a component; 0 for a type that glTF has not.
std::uint64_t component_bytes(std::uint64_t type) {
  constexpr std::array<std::uint64_t, 7> kBytes{1, 1, 2, 2, 0, 4, 4};
  return type >= 5120 && type <= 5126 ? kBytes[type - 5120] : 0;
}

std::vector<std::byte> to_bytes(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// Empty when a character is none of base64.
std::vector<std::byte> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<std::byte>(bits >> (count -= 8)));
  }
  return bytes;
}

// "a%20b.bin" -> "a b.bin"; a % that starts no number stays.
std::string decode_uri(const std::string& uri) {
  const auto hex = [](char c) {
    const std::size_t digit =
        std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
    return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
  };
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escaped =
        uri[i] == '%' && i + 2 < uri.size() && hex(uri[i + 1]) >= 0 && hex(uri[i + 2]) >= 0;
    text += escaped ? static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2])) : uri[i];
    i += escaped ? 2 : 0;
  }
  return text;
}

template <class Component>
double component_at(const std::byte* at, bool normalized) {
  Component value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_integral_v<Component>) {
    if (normalized) {
      return std::max(-1.0, value / static_cast<double>(std::numeric_limits<Component>::max()));
    }
  }
  return static_cast<double>(value);
}

template <class Component>
std::vector<Vec3> read_vectors(const std::byte* at, std::uint64_t count, std::uint64_t stride,
                               bool normalized) {
  std::vector<Vec3> vectors;
  vectors.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i, at += stride) {
    vectors.emplace_back(component_at<Component>(at, normalized),
                         component_at<Component>(at + sizeof(Component), normalized),
                         component_at<Component>(at + 2 * sizeof(Component), normalized));
  }
  return vectors;
}

template <class Component>
std::vector<std::uint32_t> read_indices(const std::byte* at, std::uint64_t count,
                                        std::uint64_t stride) {
  std::vector<std::uint32_t> indices;
  indices.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i, at += stride) {
    Component value;
    std::memcpy(&value, at, sizeof value);
    indices.push_back(value);
  }
  return indices;
}

}  // namespace

GltfData::GltfData(const std::string& path, const GltfModel& model, std::string_view binary)
    : path_(path),
      model_(model),
      binary_(binary),
      left_(kFreeBytes + kUnfolding * binary.size()),
      loaded_(model.buffers.size()),
      unpacked_(model.views.size()) {}

void GltfData::fail(const char* array, std::uint64_t number, const std::string& why) const {
  throw Error(fmt::format("{}: /{}/{}: {}", path_, array, number, why));
}

void GltfData::charge(std::uint64_t bytes) {
  if (bytes > left_) {
    throw Error(
        fmt::format("{}: its nodes repeat so much that it unfolds to over {} times its size; "
                    "the limit is there to protect the memory",
                    path_, kUnfolding));
  }
  left_ -= bytes;
}

GltfData::Bytes GltfData::buffer(std::uint64_t number) {
  const GltfBufferEntry& entry = model_.buffers[number];
  Bytes bytes;
  if (!entry.uri) {
    if (number == 0) bytes = std::as_bytes(std::span(binary_));
  } else {
    auto& loaded = loaded_[number];
    if (loaded.empty()) {
      const std::string& uri = *entry.uri;
      const std::size_t base64 = uri.find(";base64,");
      if (uri.starts_with("data:") && base64 != std::string::npos) {
        loaded = decode_base64(std::string_view(uri).substr(base64 + 8));
      } else if (uri.find(':') != std::string::npos || uri.starts_with('/')) {
        fail("buffers", number, "its uri must name a file beside this one, or be base64 data");
      } else {
        loaded = to_bytes(read_file(folder_of(path_) + "/" + decode_uri(uri), kMostBufferBytes));
      }
      left_ += kUnfolding * loaded.size();
    }
    bytes = loaded;
  }
  if (bytes.size() < entry.bytes) {
    fail("buffers", number,
         fmt::format("has {} bytes, but only {} are there; the file is cut short", entry.bytes,
                     bytes.size()));
  }
  return bytes.first(entry.bytes);
}

GltfData::Bytes GltfData::view(std::uint64_t number) {
  const GltfView& view = model_.views[number];
  if (view.packing) {
    auto& unpacked = unpacked_[number];
    if (unpacked.empty()) unpacked = unpack(number, *view.packing);
    return unpacked;
  }
  const Bytes bytes = buffer(view.buffer);
  if (view.offset > bytes.size() || view.bytes > bytes.size() - view.offset) {
    fail("bufferViews", number, "reaches past the end of its buffer");
  }
  return bytes.subspan(view.offset, view.bytes);
}

// What the packed bytes can hold at most is known from the formats, so a false count is found
// before any memory is taken for it.
void GltfData::check_packing(std::uint64_t number, const GltfPacking& packing) const {
  const bool attributes = packing.mode == GltfPackMode::Attributes;
  const bool good_stride =
      attributes ? packing.stride % 4 == 0 && packing.stride >= 4 && packing.stride <= 256
                 : packing.stride == 2 || packing.stride == 4;
  if (!good_stride) fail("bufferViews", number, "has a 'byteStride' that its mode has not");
  const std::uint64_t most = attributes ? 64 * packing.bytes / packing.stride
                             : packing.mode == GltfPackMode::Triangles ? 3 * packing.bytes
                                                                       : packing.bytes;
  if (packing.count > most)
    fail("bufferViews", number, "has more elements than its bytes can hold");
  if (packing.mode == GltfPackMode::Triangles && packing.count % 3 != 0) {
    fail("bufferViews", number, "must hold whole triangles");
  }
  const bool small =
      packing.filter == GltfFilter::Octahedral && packing.stride != 4 && packing.stride != 8;
  if (small || (packing.filter == GltfFilter::Quaternion && packing.stride != 8) ||
      (packing.filter != GltfFilter::None && !attributes)) {
    fail("bufferViews", number, "has a 'filter' that does not go with its mode and stride");
  }
}

std::vector<std::byte> GltfData::unpack(std::uint64_t number, const GltfPacking& packing) {
  const Bytes all = buffer(packing.buffer);
  if (packing.offset > all.size() || packing.bytes > all.size() - packing.offset) {
    fail("bufferViews", number, "its packed bytes reach past the end of their buffer");
  }
  check_packing(number, packing);
  charge(packing.count * packing.stride);
  std::vector<std::byte> result(packing.count * packing.stride);
  const auto* from = reinterpret_cast<const unsigned char*>(all.data() + packing.offset);
  int error = 0;
  switch (packing.mode) {
    case GltfPackMode::Attributes:
      error = meshopt_decodeVertexBuffer(result.data(), packing.count, packing.stride, from,
                                         packing.bytes);
      break;
    case GltfPackMode::Triangles:
      error = meshopt_decodeIndexBuffer(result.data(), packing.count, packing.stride, from,
                                        packing.bytes);
      break;
    case GltfPackMode::Indices:
      error = meshopt_decodeIndexSequence(result.data(), packing.count, packing.stride, from,
                                          packing.bytes);
      break;
  }
  if (error != 0) fail("bufferViews", number, "its packed bytes are damaged");
  if (packing.filter == GltfFilter::Octahedral) {
    meshopt_decodeFilterOct(result.data(), packing.count, packing.stride);
  } else if (packing.filter == GltfFilter::Quaternion) {
    meshopt_decodeFilterQuat(result.data(), packing.count, packing.stride);
  } else if (packing.filter == GltfFilter::Exponential) {
    meshopt_decodeFilterExp(result.data(), packing.count, packing.stride);
  }
  return result;
}

GltfData::Elements GltfData::elements(std::uint64_t number) {
  const GltfAccessor& accessor = model_.accessors[number];
  const std::uint64_t size = component_bytes(accessor.component_type) * accessor.components;
  if (size == 0) fail("accessors", number, "is of a type that triangles do not use");
  const GltfView& entry = model_.views[accessor.view];
  const std::uint64_t stride =
      entry.packing ? entry.packing->stride : (entry.stride != 0 ? entry.stride : size);
  if (stride < size) fail("accessors", number, "its elements are larger than their stride");
  const Bytes bytes = view(accessor.view);
  if (accessor.offset > bytes.size()) fail("accessors", number, "starts past the end of its view");
  const std::uint64_t room = bytes.size() - accessor.offset;
  const std::uint64_t fit = room < size ? 0 : (room - size) / stride + 1;
  if (accessor.count > fit) {
    fail("accessors", number,
         fmt::format("has {} elements, but its view holds {}", accessor.count, fit));
  }
  return {bytes.subspan(accessor.offset), stride};
}

std::vector<Vec3> GltfData::vectors(std::uint64_t number) {
  const GltfAccessor& accessor = model_.accessors[number];
  if (accessor.components < 3) fail("accessors", number, "must have three components at least");
  const auto [bytes, stride] = elements(number);
  charge(accessor.count * sizeof(Vec3));
  const auto read = [&, at = bytes.data(), apart = stride]<class Component>(Component) {
    return read_vectors<Component>(at, accessor.count, apart, accessor.normalized);
  };
  std::vector<Vec3> vectors;
  switch (accessor.component_type) {
    case 5120:
      vectors = read(std::int8_t{});
      break;
    case 5121:
      vectors = read(std::uint8_t{});
      break;
    case 5122:
      vectors = read(std::int16_t{});
      break;
    case 5123:
      vectors = read(std::uint16_t{});
      break;
    case 5126:
      vectors = read(float{});
      break;
    default:
      fail("accessors", number, "must be of floats or of small integers");
  }
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Vec3& v = vectors[i];
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
      fail("accessors", number, fmt::format("element {} is not finite", i));
    }
  }
  return vectors;
}

std::vector<std::uint32_t> GltfData::indices(std::uint64_t number) {
  const GltfAccessor& accessor = model_.accessors[number];
  if (accessor.components != 1) fail("accessors", number, "indices must be SCALAR");
  const auto [bytes, stride] = elements(number);
  charge(accessor.count * sizeof(std::uint32_t));
  switch (accessor.component_type) {
    case 5121:
      return read_indices<std::uint8_t>(bytes.data(), accessor.count, stride);
    case 5123:
      return read_indices<std::uint16_t>(bytes.data(), accessor.count, stride);
    case 5125:
      return read_indices<std::uint32_t>(bytes.data(), accessor.count, stride);
    default:
      fail("accessors", number, "indices must be unsigned integers");
  }
}

}  // namespace talus
