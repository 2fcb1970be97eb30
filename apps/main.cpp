// talus: see README.md. One verb a file; this one reads the command line, runs the verb, and turns
// what was thrown into a message and an exit code.
#include <cstdlib>
#include <new>

#include <CLI/CLI.hpp>

#include "command_line.h"
#include "core/error.h"
#include "core/simd.h"
#include "core/suggest.h"
#include "streams.h"

namespace talus {

namespace {

constexpr const char* kDescription =
    R"(Seeded voxel terrain to mesh files, and collapses that you can test.

Examples:
  talus mesh --around 320,-48 --size 128 -o hills.glb
  talus query height 320,-48
  talus run tower.json --trajectory tower.csv
  talus inspect hills.glb --require clean)";

constexpr const char* kFooter = R"(Exit codes:
  0 all well              1 an expectation failed    2 usage or bad input
  3 nothing selected      4 simulation error         5 output could not be written
  130, 143 after an interrupt (INT, TERM), once what is finished has been written)";

void add_verbs(CLI::App& program, CommandLine& line) {
  program.name("talus");
  set_help_style(program);
  program.require_subcommand(0, 1);
  program.footer(kFooter);
  program.set_version_flag("--version", "talus " TALUS_VERSION, "The version")->group("Messages");
  add_mesh(program, line);
  add_run(program, line);
  add_batch(program, line);
  add_merge(program, line);
  add_check(program, line);
  add_list(program, line);
  add_query(program, line);
  add_inspect(program, line);
  add_import(program, line);
  add_diff(program, line);
  add_presets(program, line);
  add_schema(program, line);
  add_completion(program, line);
  add_manual(program, line);
  add_shell_options(program, line.shell);
}

int print(const std::string& text) {
  StandardOutput out;
  out.write(text);
  out.flush();
  return 0;
}

/// TALUS_SIMD=sse4 takes that instruction set, for those who want to see that the bits are the
/// same.
void choose_simd_level() {
  const char* level = std::getenv("TALUS_SIMD");
  if (level && *level && !use_simd_level(level)) {
    throw Error(unknown_word("instruction set in TALUS_SIMD", level, simd_levels()));
  }
}

int run(CLI::App& program, CommandLine& line, int argc, char** argv) {
  program.parse(argc, argv);
  choose_simd_level();
  line.shell.verb = named_verbs(program);
  if (line.action) return line.action(line.shell);
  complain(line.shell, "no verb given\n\n" + program.help());
  return static_cast<int>(Trouble::Input);
}

int guarded(int argc, char** argv) {
  CLI::App program(kDescription);
  CommandLine line;
  const auto failed = [&](int code, const std::string& message) {
    line.shell.verb = named_verbs(program);
    complain(line.shell, message);
    return code;
  };
  try {
    add_verbs(program, line);
    try {
      return run(program, line, argc, argv);
    } catch (const CLI::CallForHelp&) {
      return print(program.help());
    } catch (const CLI::CallForVersion& version) {
      return print(std::string(version.what()) + "\n");
    } catch (const CLI::ArgumentMismatch& mismatch) {
      const std::string what = mismatch.what();  // "--size: 1 required TEXT missing"
      return failed(2, what.substr(0, what.find(':')) + ": needs a value");
    } catch (const CLI::ExtrasError&) {
      return failed(2, unknown_argument_message(program));
    }
  } catch (const CLI::ParseError& error) {
    return failed(2, error.what());
  } catch (const Error& error) {
    return failed(error.exit_code(), error.what());
  } catch (const Interrupted&) {
    return failed(128 + stop_signal(), "stopped; nothing half-written was left behind");
  } catch (const std::bad_alloc&) {
    return failed(
        2, "out of memory: ask for a smaller region, a coarser --step, or fewer threads (-j)");
  } catch (const std::exception& error) {
    return failed(4, std::string("a bug in talus, please report it: ") + error.what());
  }
}

}  // namespace

}  // namespace talus

int main(int argc, char** argv) {
  talus::catch_signals();
  return talus::guarded(argc, argv);
}
