#include "structure/support.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace talus {

namespace {

/// True where bonds among the removed blocks alone join them all: then they were of one component,
/// and every part that is left of it touches one of them.
bool were_one(const Blocks& blocks, std::span<const BlockId> removed) {
  if (removed.size() <= 1) return removed.size() == 1;
  Blocks gone;
  for (const BlockId id : removed) gone.place(blocks[id]);
  std::vector<std::uint8_t> seen(gone.id_end());
  std::vector<BlockId> open{0};
  seen[0] = 1;
  std::size_t reached = 0;
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    ++reached;
    for (const BlockId next : bonded(gone, gone[at])) {
      if (!std::exchange(seen[next], std::uint8_t{1})) open.push_back(next);
    }
  }
  return reached == removed.size();
}

}  // namespace

/// The searches of one call.
class SupportSearch {
 public:
  SupportSearch(Support& support, const Blocks& blocks) : support_(support), blocks_(blocks) {
    support_.mark_.resize(blocks.id_end(), 0);
    first_ = support_.first_mark_;
  }
  ~SupportSearch() { support_.first_mark_ += static_cast<std::uint32_t>(searches_.size()); }
  SupportSearch(const SupportSearch&) = delete;
  SupportSearch& operator=(const SupportSearch&) = delete;

  /// A search from this block, unless one has seen it.
  void start(BlockId id);
  /// Searches by turns until all is known. `one_is_held`: if every search but one runs out, that
  /// one is held.
  void run(bool one_is_held);
  /// Searches from this block to the end, held or not.
  void flood(BlockId id);
  std::vector<Component> fallen() const;

 private:
  struct Lower {
    const Blocks* blocks;
    bool operator()(BlockId a, BlockId b) const {
      const int ya = (*blocks)[a].cell.y, yb = (*blocks)[b].cell.y;
      return ya != yb ? ya > yb : a > b;
    }
  };
  using Frontier = std::priority_queue<BlockId, std::vector<BlockId>, Lower>;
  struct Search {
    std::size_t joined;  // the search it became part of; itself while on its own
    Frontier frontier;
    std::vector<BlockId> seen;
    bool held = false;
  };

  std::size_t root(std::size_t search);
  std::size_t search_of(BlockId id) { return root(support_.mark_[id] - first_); }
  bool marked(BlockId id) const { return support_.mark_[id] >= first_; }
  void see(std::size_t search, BlockId id);
  std::size_t join(std::size_t a, std::size_t b);
  void advance(std::size_t search);
  bool any_held() const {
    return std::any_of(searches_.begin(), searches_.end(), [](const Search& s) { return s.held; });
  }

  Support& support_;
  const Blocks& blocks_;
  std::uint32_t first_;
  std::vector<Search> searches_;
};

std::size_t SupportSearch::root(std::size_t search) {
  while (searches_[search].joined != search) {
    search = searches_[search].joined = searches_[searches_[search].joined].joined;
  }
  return search;
}

void SupportSearch::see(std::size_t search, BlockId id) {
  support_.mark_[id] = first_ + static_cast<std::uint32_t>(search);
  Search& s = searches_[search];
  s.seen.push_back(id);
  s.frontier.push(id);
  s.held |= support_.anchored(id);
}

void SupportSearch::start(BlockId id) {
  if (marked(id)) return;
  const std::size_t search = searches_.size();
  searches_.push_back({search, Frontier(Lower{&blocks_}), {}, false});
  see(search, id);
}

/// Makes one search of two; the smaller moves.
std::size_t SupportSearch::join(std::size_t a, std::size_t b) {
  if (searches_[a].seen.size() < searches_[b].seen.size()) std::swap(a, b);
  Search& into = searches_[a];
  Search& from = searches_[b];
  into.seen.insert(into.seen.end(), from.seen.begin(), from.seen.end());
  for (; !from.frontier.empty(); from.frontier.pop()) into.frontier.push(from.frontier.top());
  into.held |= from.held;
  from.joined = a;
  from.seen.clear();
  return a;
}

/// Looks at the neighbours of the search's lowest open block.
void SupportSearch::advance(std::size_t search) {
  const BlockId at = searches_[search].frontier.top();
  searches_[search].frontier.pop();
  for (const BlockId next : bonded(blocks_, blocks_[at])) {
    if (!marked(next)) {
      see(search, next);
    } else if (const std::size_t other = search_of(next); other != search) {
      search = join(search, other);
    }
  }
}

void SupportSearch::run(bool one_is_held) {
  std::vector<std::size_t> live(searches_.size());
  for (std::size_t i = 0; i < live.size(); ++i) live[i] = i;
  const auto finished = [this](std::size_t i) {
    const Search& s = searches_[i];
    return s.joined != i || s.held || s.frontier.empty();
  };
  while (true) {
    live.erase(std::remove_if(live.begin(), live.end(), finished), live.end());
    if (live.empty()) return;
    if (one_is_held && live.size() == 1 && !any_held()) {
      searches_[live[0]].held = true;
      return;
    }
    for (const std::size_t search : live) {
      if (!finished(search)) advance(search);
    }
  }
}

void SupportSearch::flood(BlockId id) {
  if (marked(id)) return;
  start(id);
  while (!searches_.back().frontier.empty()) advance(searches_.size() - 1);
}

std::vector<Component> SupportSearch::fallen() const {
  std::vector<Component> components;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (searches_[i].joined != i || searches_[i].held) continue;
    Component& component = components.emplace_back(searches_[i].seen);
    std::sort(component.begin(), component.end());
  }
  std::sort(components.begin(), components.end(),
            [](const Component& a, const Component& b) { return a[0] < b[0]; });
  return components;
}

void Support::set_anchored(BlockId id, bool anchored) {
  if (id >= anchored_.size()) anchored_.resize(id + 1, 0);
  anchored_[id] = anchored ? 1 : 0;
}

std::vector<Component> Support::unsupported(const Blocks& blocks, const SupportChange& change) {
  SupportSearch search(*this, blocks);
  bool one_is_held = change.doubtful.empty() && were_one(blocks, change.removed);
  for (const BlockId id : change.removed) {
    one_is_held &= !anchored(id);
    for (const BlockId neighbour : bonded(blocks, blocks[id])) search.start(neighbour);
  }
  for (const BlockId id : change.doubtful) {
    if (blocks.stands(id)) search.start(id);
  }
  search.run(one_is_held);
  return search.fallen();
}

std::vector<Component> Support::unsupported_anywhere(const Blocks& blocks) {
  SupportSearch search(*this, blocks);
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    if (blocks.stands(id)) search.flood(id);
  }
  return search.fallen();
}

}  // namespace talus
