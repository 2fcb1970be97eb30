#include "io/gltf_container.h"

#include <fmt/format.h>

#include "core/error.h"

namespace talus {

void write_glb(AtomicFile& file, const std::string& path, const ByteSource& json,
               std::uint64_t binary_bytes, const ByteSource& binary) {
  std::uint64_t json_bytes = 0;
  json([&](std::string_view bytes) { json_bytes += bytes.size(); });
  check_glb_size(path, json_bytes, binary_bytes);

  const std::uint64_t padding = (4 - json_bytes % 4) % 4;
  const std::uint64_t total =
      12 + 8 + json_bytes + padding + (binary_bytes > 0 ? 8 + binary_bytes : 0);
  const auto put = [&](std::uint64_t value) {
    const auto v = static_cast<std::uint32_t>(value);
    const unsigned char bytes[4] = {
        static_cast<unsigned char>(v), static_cast<unsigned char>(v >> 8),
        static_cast<unsigned char>(v >> 16), static_cast<unsigned char>(v >> 24)};
    file.write(bytes, sizeof bytes);
  };
  const auto to_file = [&](std::string_view bytes) { file.write(bytes); };
  file.write("glTF");
  put(2);
  put(total);
  put(json_bytes + padding);
  file.write("JSON");
  json(to_file);
  file.write(std::string_view("   ", padding));
  if (binary_bytes == 0) return;
  put(binary_bytes);
  file.write(std::string_view("BIN\0", 4));
  binary(to_file);
}

void check_glb_size(const std::string& path, std::uint64_t json_bytes, std::uint64_t binary_bytes) {
  constexpr std::uint64_t kMaxGlbBytes = 0xFFFFFFFF;
  constexpr std::uint64_t kHeaders = 12 + 8 + 8 + 3;
  if (json_bytes + binary_bytes + kHeaders <= kMaxGlbBytes) return;
  throw Error(
      fmt::format("cannot write {}: a .glb holds at most 4 GiB; cut the region into several "
                  "files with --tiles, or write .gltf",
                  path),
      Trouble::Output);
}

std::string gltf_uri(const std::string& file_name) {
  std::string uri;
  for (const char c : file_name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace talus
