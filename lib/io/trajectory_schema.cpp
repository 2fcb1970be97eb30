#include "io/trajectory_schema.h"

namespace talus {

std::string trajectory_schema() {
  return R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "talus trajectory",
  "description": "where every body was, frame by frame; SI units, y up",
  "type": "object",
  "properties": {
    "format": {"const": "talus trajectory"},
    "version": {"const": 1},
    "generator": {"type": "string"},
    "scenario": {"type": "string", "description": "name of the case"},
    "scenario_hash": {"type": "string"},
    "seed": {"type": "string", "pattern": "^[0-9]+$"},
    "units": {"const": "m, s, kg, rad"},
    "up": {"const": "+y"},
    "step_s": {"type": "number"},
    "gravity_m_s2": {"type": "number", "description": "downward"},
    "t_s": {"type": "array", "items": {"type": "number"}, "description": "of each frame, rising"},
    "bodies": {"type": "array", "items": {"$ref": "#/$defs/body"}},
    "events": {"type": "array", "items": {"$ref": "#/$defs/event"}}
  },
  "required": ["format", "version", "scenario", "scenario_hash", "seed", "step_s", "t_s", "bodies",
               "events"],
  "$defs": {
    "vector": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
    "vectors": {"type": "array", "items": {"$ref": "#/$defs/vector"}},
    "body": {
      "type": "object",
      "description": "columns of equal length; a sleeping body has no rows until it wakes",
      "properties": {
        "id": {"type": "integer", "minimum": 0, "description": "its place in the list"},
        "name": {"type": "string"},
        "born_s": {"type": "number"},
        "mass_kg": {"type": "number"},
        "center_m": {"$ref": "#/$defs/vector",
                     "description": "world = position + rotation (point - center)"},
    "inertia_kg_m2" : {
      "type" : "array",
      "items" : {"type" : "number"},
      "minItems" : 6,
      "maxItems" : 6,
      "description" : "xx, yy, zz, xy, xz, yz about the centre, body's frame"
    },
    "radius_m" : {"type" : "number", "description" : "of a ball, or of a walker's two balls"},
    "height_m" : {"type" : "number", "description" : "of a walker"},
    "split_from" : {"type" : "integer", "description" : "the body that it was a part of"},
                      "blocks"
    : {"type" : "object", "additionalProperties" : {"type" : "integer", "minimum" : 1}},
      "frame" : {"type" : "array", "items" : {"type" : "integer", "minimum" : 0}},
                "t_s" : {"type" : "array", "items" : {"type" : "number"}},
                        "position_m"
    : {"$ref" : "#/$defs/vectors", "description" : "of the centre of mass"},
      "rotation_xyzw" : {
        "type" : "array",
        "items" : {"type" : "array", "items" : {"type" : "number"}, "minItems" : 4, "maxItems" : 4}
      },
                        "linear_velocity_m_s" : {"$ref" : "#/$defs/vectors"},
                                                "angular_velocity_rad_s"
    : {"$ref" : "#/$defs/vectors"},
      "asleep" : {
  "type" : "array", "items" : {
    "type" : "boolean"
  }
}
}
, "required" : [
  "id", "name", "born_s", "mass_kg", "center_m", "blocks", "frame", "t_s", "position_m",
  "rotation_xyzw", "linear_velocity_m_s", "angular_velocity_rad_s", "asleep"
]
}
, "event" : {
  "type" : "object",
           "properties"
      : {
        "kind" : {
          "enum" : [
            "broke off", "first contact", "hit", "rested", "woke", "splashed", "floats", "lost", "split", "crushed"
          ]
        },
        "t_s" : {"type" : "number"},
        "body" : {"type" : "integer", "minimum" : 0},
        "position_m" : {"$ref" : "#/$defs/vector"},
        "speed_m_s" : {"type" : "number"}
      },
        "required" : [ "kind", "t_s", "body", "position_m", "speed_m_s" ]
}
}
}
)json";
}

}  // namespace talus
