#include "core/suggest.h"

#include <algorithm>
#include <cstddef>

namespace talus {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                          d[i - 1][j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& candidates) {
  std::string text = "unknown ";
  text.append(what).append(" '").append(word.substr(0, 80)).append("': ");
  if (const std::string near = nearest_word(word, candidates); !near.empty()) {
    return text.append("did you mean '").append(near).append("'?");
  }
  text.append("known are ");
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    text.append(i == 0 ? "" : ", ").append(candidates[i]);
  }
  return text;
}

}  // namespace talus
