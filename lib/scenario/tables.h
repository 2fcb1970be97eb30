// The tables of the scenario format. Reading and the schema both come from them.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace talus {

const std::vector<Row<Scenario>>& scenario_rows();
const std::vector<KindRows<Operation>>& operation_kinds();

}  // namespace talus
