// libFuzzer: any bytes as a scenario file and as trajectories. Whatever they are, reading and
// planning them ends in an Error or well. Built with clang and -DTALUS_FUZZ=ON:
//   build/fuzz/tests/scenario_fuzz -max_len=4096 scenarios
#include "core/error.h"
#include "io/trajectory_reader.h"
#include "scenario/scenario.h"

namespace {

template <class Work>
void expect_error_or_success(const Work& work) {
  try {
    work();
  } catch (const talus::Error&) {
    // What a broken file should end in.
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  expect_error_or_success([&] {
    for (const talus::Scenario& scenario : talus::parse_scenarios(text, "f.json")) {
      // Plans of millions of blocks are slow, not wrong.
      if (text.size() < 4096) talus::make_plan(scenario);
    }
  });
  for (const auto format : {talus::TrajectoryFormat::Json, talus::TrajectoryFormat::JsonLines,
                            talus::TrajectoryFormat::Csv}) {
    expect_error_or_success([&] { talus::parse_trajectory(text, "f", format); });
  }
  return 0;
}
