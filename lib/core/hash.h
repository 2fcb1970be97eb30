// A 64-bit fingerprint of bytes: FNV-1a (Fowler, Noll, Vo, 1991). For comparing results and naming
// caches, never against someone who wants a collision. One multiply a byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace talus {

class Hash64 {
 public:
  Hash64& bytes(const void* data, std::size_t count) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < count; ++i) value_ = (value_ ^ p[i]) * 0x100000001B3u;
    return *this;
  }
  /// Hashes the bytes of plain values; T must have no padding.
  template <class T>
  Hash64& add(std::span<const T> values) {
    return bytes(values.data(), values.size_bytes());
  }
  template <class T>
  Hash64& add(const T& value) {
    return bytes(&value, sizeof value);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace talus
