#include "support/validate.h"

#include <cstdio>

namespace talus {

ToolResult run_tool(const std::string& script, const std::string& arguments) {
  const std::string command = TALUS_SOURCE_DIR "/tests/tools/run_node.sh '" TALUS_NODE_FOLDER "' " +
                              script + " " + arguments + " 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  ToolResult result;
  char block[4096];
  while (const std::size_t count = std::fread(block, 1, sizeof block, pipe)) {
    result.text.append(block, count);
  }
  result.content = ::pclose(pipe) == 0;
  return result;
}

ToolResult validate_gltf(const std::string& files) {
  return run_tool("validate_gltf.mjs", files);
}

}  // namespace talus
