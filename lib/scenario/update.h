// Failed expectations rewritten to what was found, in the text that a person wrote: nothing but the
// values changes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenario/case_result.h"

namespace talus {

struct UpdatedText {
  std::string text;
  int changed = 0;                 // expectations
  std::vector<std::string> stuck;  // why the others stay as they are: "file:line:column: ..."
};

/// `text` is the file that the results' cases were read from, all of one file. An expectation stays
/// where no value makes it pass, where its value comes from the matrix, and where the cases would
/// need different values.
UpdatedText update_expected(const std::string& text, const std::string& file,
                            std::span<const CaseResult> results);

}  // namespace talus
