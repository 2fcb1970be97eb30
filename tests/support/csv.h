// Reference values of tests/data.
#pragma once

#include <string>
#include <vector>

namespace talus {

/// The rows of a CSV file of numbers in tests/data, its header line left out. Fails the test when
/// the file cannot be read.
std::vector<std::vector<double>> read_numbers(const std::string& name);

}  // namespace talus
