// The one exception: something a user can mend. It says what is wrong, where, and the mend, e.g.
//   tower.json:12:7: /structure/3/size: must be 1 to 16, got 40
// Thrown only at the edges (io, bake, scenario, apps); nothing throws inside a sampler, a mesher or
// a step.
#pragma once

#include <stdexcept>
#include <string>

namespace talus {

/// What kind of trouble; the value is the program's exit code.
enum class Trouble {
  Input = 2,       // usage, a broken file, a limit exceeded
  NoCases = 3,     // nothing was selected
  Simulation = 4,  // a non-finite number, a limit hit while running
  Output = 5,      // a file could not be written
};

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Trouble trouble = Trouble::Input)
      : std::runtime_error(message), trouble_(trouble) {}
  Trouble trouble() const { return trouble_; }
  int exit_code() const { return static_cast<int>(trouble_); }

 private:
  Trouble trouble_;
};

/// Thrown by long work that was told to stop, after it has tidied up. Not an Error: nothing is
/// wrong.
struct Interrupted {};

}  // namespace talus
