// Which instruction set the vector kernels use. The best the processor has, unless told otherwise;
// every choice gives the same bits, so this is for tests, measurements and the curious.
#pragma once

#include <string>
#include <vector>

namespace talus {

/// Names of the instruction sets that this build and this processor both have, best first, for
/// instance {"avx3", "avx2", "sse4"}.
std::vector<std::string> simd_levels();

/// Use this one from now on; false, and nothing changes, when it is not among simd_levels(). Not
/// while kernels run. The program calls it with the environment's TALUS_SIMD.
bool use_simd_level(const std::string& name);

}  // namespace talus
