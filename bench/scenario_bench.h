// Benchmarks that are known only once files have been read.
#pragma once

namespace talus {

/// Each case of the shipped scenarios as run_shipped/NAME.
void register_shipped_scenarios();

}  // namespace talus
