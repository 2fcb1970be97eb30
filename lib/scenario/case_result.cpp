#include "scenario/case_result.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "io/atomic_file.h"
#include "io/trajectory_writer.h"
#include "scenario/report_text.h"

namespace talus {

const char* verdict_name(Verdict verdict) {
  constexpr const char* kNames[] = {"passed", "failed", "error"};
  return kNames[static_cast<std::size_t>(verdict)];
}

CaseResult run_case(const Scenario& scenario, const Progress& progress) {
  CaseResult result;
  result.name = scenario.name;
  result.hash = scenario.hash;
  result.file = scenario.place.file;
  result.parameters = scenario.parameters;
  result.seed = scenario.terrain.seed;
  try {
    result.report = run(scenario, progress);
    const auto& bodies = result.report.trajectory.bodies;
    result.pieces = static_cast<std::size_t>(std::count_if(
        bodies.begin(), bodies.end(), [](const BodyTrack& track) { return !track.radius_m; }));
    result.trajectory_hash = hash(result.report.trajectory);
    result.verdict = result.report.passed() ? Verdict::Passed : Verdict::Failed;
    result.exit_code = result.verdict == Verdict::Passed ? 0 : 1;
  } catch (const Error& error) {
    result.verdict = Verdict::Error;
    result.error = error.what();
    result.exit_code = error.exit_code();
  }
  return result;
}

void count(Tally& tally, const CaseResult& result) {
  ++(result.verdict == Verdict::Passed   ? tally.passed
     : result.verdict == Verdict::Failed ? tally.failed
                                         : tally.errors);
  tally.exit_code = std::max(tally.exit_code, result.exit_code);
}

void write_case_files(const CaseResult& result, const std::string& folder,
                      const std::string& stem) {
  const std::string path = folder + "/" + stem;
  if (result.verdict != Verdict::Error) {
    write_trajectory(result.report.trajectory, path + ".trajectory.json");
  }
  AtomicFile file(path + ".report.json", FileKind::Json);
  file.write(report_document({&result, 1}));
  file.commit();
}

void make_output_folder(const std::string& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (!std::filesystem::is_directory(folder)) {
    throw Error(folder + ": cannot be made a folder: " + trouble.message(), Trouble::Output);
  }
}

}  // namespace talus
