// `talus list`: the cases that scenario files make.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "case_options.h"
#include "command_line.h"
#include "streams.h"

namespace talus {

namespace {

struct ListOptions {
  CaseOptions cases;
  bool json = false;
};

std::string plain_text(const std::vector<CaseFile>& files) {
  std::string text;
  for (const CaseFile& file : files) {
    for (const Scenario& scenario : file.cases) text += scenario.name + "\n";
  }
  return text;
}

std::string json_document(const std::vector<CaseFile>& files) {
  using Json = nlohmann::ordered_json;
  Json cases = Json::array();
  for (const CaseFile& file : files) {
    for (const Scenario& scenario : file.cases) {
      Json parameters = Json::object();
      for (const Parameter& p : scenario.parameters) parameters[p.name] = Json::parse(p.json);
      cases.push_back({{"name", scenario.name},
                       {"file", file.path},
                       {"hash", scenario.hash},
                       {"parameters", parameters}});
    }
  }
  const Json document = {{"cases", cases}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int run_list(const Shell& shell, const ListOptions& options) {
  const std::vector<CaseFile> files = chosen_cases(shell, options.cases);
  const int code = count_cases(files) == 0 ? no_cases_code(shell, options.cases) : 0;
  StandardOutput out;
  out.write(options.json ? json_document(files) : plain_text(files));
  out.flush();
  return code;
}

}  // namespace

void add_list(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* verb = add_verb(program, "list", "The cases that scenario files make",
                            "  talus list scenarios\n"
                            "  talus list tower.json --case '*height=4*' --json");
  add_case_options(*verb, options->cases, "PATH ...");
  verb->add_flag("--json", options->json,
                 "A JSON document: name, file, hash and parameters of each case");
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->cases.paths.empty()) {
        complain(shell, "which scenario?\n\n" + verb->help());
        return 2;
      }
      return run_list(shell, *options);
    };
  });
}

}  // namespace talus
