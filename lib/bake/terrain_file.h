// A terrain as a file names it, and as `--set key=value` changes it.
//
//   {
//     "preset": "heightmap", "seed": 7,
//     "file": "alps.png", "spacing_m": 30, "origin_x_m": 0, "origin_z_m": 0,    (heightmap only)
//     "parameters": {"scale_m": 2500},
//     "edits": [
//       {"dig": "sphere", "center_m": [10, 30, 5], "radius_m": 4},
//       {"fill": "box", "center_m": [0, 20, 0], "size_m": [8, 2, 8]},
//       {"dig": "capsule", "from_m": [0, 20, 0], "to_m": [60, 15, 0], "radius_m": 3}
//     ]
//   }
//
// Every key may be left out; comments are allowed, unknown and doubled keys are not.
#pragma once

#include <string>
#include <vector>

#include "terrain/brush.h"
#include "terrain/preset.h"
#include "terrain/terrain.h"

namespace talus {

struct TerrainFile {
  TerrainSpec spec;
  std::vector<Brush> edits;
};

/// Reads the file; heights are looked for beside it. Throws Error as file:line:column or
/// file: /key/of/it, with the mend. At most 16 MiB and 65 536 edits.
TerrainFile read_terrain_file(const std::string& path);

/// "cave_radius_m=3" sets a parameter; which there are is for make_preset to say. The preset
/// heightmap also takes, in any order:
///   file=F            .csv (see height_csv.h), or a grey .png: black is 0, white 1, so that
///   scale_m is
///                     the height of white; the image's rows run towards +z
///   spacing_m=D       between posts; for a PNG 1 where not given
///   origin_x_m=X, origin_z_m=Z    where the first post stands
/// Throws Error naming the key.
void apply_setting(TerrainSpec& spec, const std::string& setting);

/// The terrain of a file.
Terrain make_terrain(const TerrainFile& file);

}  // namespace talus
