// The nearest known word, for error messages: "unknown preset 'hils': did you mean 'hills'?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talus {

/// The candidate with the smallest edit distance (Levenshtein, 1966, with neighbours swapped
/// counted as one), if it is near enough to be a slip; empty otherwise. Ties go to the first.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// "unknown <what> '<word>': did you mean '<nearest>'?", or the known ones where none is near.
std::string unknown_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& candidates);

}  // namespace talus
