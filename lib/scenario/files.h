// The files that scenarios name: structures, meshes, heights. Each is read once, however many cases
// share it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "scenario/scenario.h"

namespace talus {

class ScenarioFiles {
 public:
  /// Reads what the scenario names, as seen from the folder of its file, and makes its hash one of
  /// their content, too. Throws Error with the place of whoever names a file that cannot be used,
  /// or the place in that file.
  void load(Scenario& scenario);

 private:
  struct Import {
    std::shared_ptr<const std::vector<Operation>> operations;
    std::uint64_t hash = 0;
  };
  struct Heights {
    std::shared_ptr<const HeightGrid> grid;
    std::uint64_t hash = 0;
  };

  void load(std::vector<Operation>& operations);
  Import import(const Operation& op);
  Import import_structure(const std::string& path, const std::string& text);
  void load_heights(Scenario& scenario);

  // By path, and by what else decides what is made of the file.
  std::map<std::tuple<std::string, double, int, std::string>, Import> imports_;
  std::map<
      std::tuple<std::string, std::optional<double>, std::optional<double>, std::optional<double>>,
      Heights>
      heights_;
  std::vector<std::string> open_;     // structure files that are being read
  std::vector<std::uint64_t> named_;  // hashes of what the scenario or file at hand names
};

}  // namespace talus
