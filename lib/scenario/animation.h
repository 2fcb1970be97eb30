// A run to look at: its structure, pieces and ground as a scene.
//
// Every block belongs to one node: what stands to the end is "standing", every body has one (its
// frame at the centre of mass), and so has every set of blocks that was removed or placed at one
// time. A body's node stands where it broke off from the start, so nothing needs to appear when it
// falls; what is placed or removed on the way is hidden before and after.
#pragma once

#include <string>

#include "scenario/run.h"

namespace talus {

/// Writes .glb or .gltf: the run as an animation, with the ground around it (as it was dug and
/// filled, state by state; 256 m across at most). One material a block material, and "ground". A
/// track ends where its body comes to rest. Throws Error as write_scene() does, and where the
/// ground has too many states.
void write_animation(const Scenario& scenario, const Report& report, const std::string& path);

/// Throws Error where the path's ending is no animation's, and where no such file can be written.
void check_animation_path(const std::string& path);

enum class StructureState { Initial, Final };

/// Writes .glb, .gltf or .obj: what stands and every piece that is not lost, without ground, at
/// the start or at the end of the run.
void write_structure(const Scenario& scenario, const Report& report, StructureState state,
                     const std::string& path);
/// The same at the start, of a scenario that was not run. Throws Error as make_plan() does, too.
void write_structure(const Scenario& scenario, const std::string& path);

}  // namespace talus
