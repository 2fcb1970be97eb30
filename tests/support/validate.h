// Tools of others, by npm: installed once under the build folder.
#pragma once

#include <string>

namespace talus {

struct ToolResult {
  bool content = false;
  std::string text;  // what it says
};

/// The Khronos validator on glTF files, with spaces between: content with no error and no warning.
ToolResult validate_gltf(const std::string& files);

/// Runs tests/tools/<script> on arguments.
ToolResult run_tool(const std::string& script, const std::string& arguments);

}  // namespace talus
