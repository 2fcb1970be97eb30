// What holds a glTF file together: the chunks of a .glb, the reference from a .gltf to its bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "io/atomic_file.h"
#include "io/spool.h"

namespace talus {

/// Index 65 535 in 16 bits restarts a strip, so 16 bits serve meshes up to so many vertices.
inline constexpr std::uint64_t kMaxVertices16 = 65535;

/// Writes its bytes to the sink; the same ones every time that it is asked.
using ByteSource = std::function<void(const ByteSink&)>;

/// Header, JSON chunk (filled up with spaces), binary chunk; no binary chunk where there are no
/// bytes. `json` is asked twice: once to be counted. `binary_bytes` is a multiple of 4. Throws
/// Error (Trouble::Output).
void write_glb(AtomicFile& file, const std::string& path, const ByteSource& json,
               std::uint64_t binary_bytes, const ByteSource& binary);

/// Throws Error (Trouble::Output) when JSON and binary data of these lengths pass the 4 GiB that
/// the header of a .glb can count. All arithmetic in 64 bits.
void check_glb_size(const std::string& path, std::uint64_t json_bytes, std::uint64_t binary_bytes);

/// A file's name as a relative reference: everything but letters, digits and -._~ escaped.
std::string gltf_uri(const std::string& file_name);

}  // namespace talus
