// Small scenarios for tests of batches, and their reports without what the clock says.
#pragma once

#include <regex>
#include <string>

namespace talus {

/// A cube that hangs in the air and falls on flat ground; `sections` come after it.
inline std::string falling_cube(const std::string& sections = "") {
  return "{\"talus\": 1, \"terrain\": {\"preset\": \"flat\"},\n \"pieces\": [{\"name\": \"cube\","
         " \"structure\": [{\"op\": \"block\", \"size\": 2, \"cell\": [0, 1, 0]}]}]" +
         (sections.empty() ? "}" : ",\n " + sections + "}");
}

inline const std::string kPassing = falling_cube(R"("expect": [{"that": "pieces", "count": 1}])");
inline const std::string kFailing = falling_cube(
    R"("expect": [{"that": "pieces", "count": 1},
  {"that": "mass", "name": "cube", "kg": 7, "why": "<it> is of \"stone\" & more"}])");
/// Runs for a long time: one case of `ends`, in seconds of 10 000 steps.
inline std::string long_run(const std::string& ends) {
  return falling_cube(R"("until": {"time_s": {"$": "end"}, "at_rest": false},
    "matrix": {"end": )" +
                      ends + R"(},
    "settings": {"classic": {"still_time_s": 1000, "oldest_s": 3600},
                 "world": {"step_s": 1e-4}})");
}
inline const std::string kBroken = "{\"talus\": 1,\n \"exspect\": []}";
/// Runs, and then digs out more than may fall.
inline const std::string kAtItsLimit = falling_cube(R"("settings": {"terrain_islands": true},
  "script": [{"do": "dig", "when": {"time_s": 0.1},
    "brush": {"shape": "box", "center_m": [0, -300, 0], "half_size_m": [400, 280, 400]}}])");
inline const std::string kTooMany =
    falling_cube(R"("structure": [{"op": "box", "blocks": [10000, 10000, 10000]}])");
/// Four cases, the last two of which fail.
inline const std::string kSome = falling_cube(R"("until": {"time_s": {"$": "end"}},
  "expect": [{"that": "at_rest", "by_s": 2.5}],
  "matrix": {"end": [3, 4, 0.1, 0.2]})");

/// Times and host names, of JSON, JUnit and HTML, taken out.
inline std::string without_times(std::string text) {
  text = std::regex_replace(text, std::regex(R"re("took_s":\s*[-+.0-9e]+)re"), "\"took_s\":0");
  text = std::regex_replace(text, std::regex(R"re( time="[0-9.]*")re"), "");
  return std::regex_replace(text, std::regex(R"re( hostname="[^"]*")re"), "");
}

}  // namespace talus
