// Paths as people type them to programs that take many.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace talus {

/// Plain paths: "@list.txt" is the paths in that file, one a line; "-" those on standard input;
/// where * and ? stand in a path that does not exist, all paths that match, by name, with ** for
/// any folders between (links to folders are not followed). A pattern that nothing matches gives
/// nothing. All else stays as it is. Throws Error for a list that cannot be read, and Interrupted
/// once `stop_asked` (where there is one) says so.
std::vector<std::string> listed_paths(std::span<const std::string> words,
                                      const std::function<bool()>& stop_asked = {});

}  // namespace talus
