#include "scenario/structure_file.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace talus {

void check_box_count(std::size_t boxes) {
  if (boxes <= kMostBoxes) return;
  throw Error(
      fmt::format("the mesh falls into {} boxes of blocks, {} are the most: take a larger "
                  "cell",
                  boxes, kMostBoxes));
}

std::string structure_file_text(const std::vector<BlockBox>& boxes, const std::string& material,
                                IVec3 from, const std::string& about) {
  check_box_count(boxes.size());
  const auto json_text = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const std::string made_of = json_text(material);
  std::string text =
      fmt::format("{{\n  \"talus\": 1,\n  \"about\": {},\n  \"structure\": [", json_text(about));
  const char* comma = "";
  for (const BlockBox& box : boxes) {
    const IVec3 cell = box.cell - from;
    text += fmt::format("{}\n    ", std::exchange(comma, ","));
    text += fmt::format(R"({{"op": "box", "cell": [{}, {}, {}], "size": {}, )"
                        R"("blocks": [{}, {}, {}], "material": {}}})",
                        cell.x, cell.y, cell.z, box.size, box.blocks.x, box.blocks.y, box.blocks.z,
                        made_of);
  }
  return text + "\n  ]\n}\n";
}

}  // namespace talus
