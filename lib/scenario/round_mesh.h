// What balls and walkers look like.
#pragma once

#include "mesh/mesh.h"

namespace talus {

/// A ball about the origin, pulled apart by `stretch` up and down: closed, smooth. Metres.
Mesh round_mesh(double radius, double stretch = 0);

}  // namespace talus
