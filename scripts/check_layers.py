#!/usr/bin/env python3
"""Fails where a file of lib/ includes a folder, or a third-party header, that it should not.

usage: check_layers.py [LIB_FOLDER]

The arrows below are the architecture: a folder may include itself and the folders named, nothing else.
"""
import pathlib
import re
import sys

THINGS = {"core", "voxel", "mesh", "trajectory"}
MAY_INCLUDE = {
    "core": set(),
    "voxel": {"core"},
    "mesh": {"core"},
    "trajectory": {"core"},
    "terrain": {"core", "voxel", "mesh"},
    "structure": {"core", "voxel", "mesh"},
    "meshing": {"core", "voxel", "mesh"},
    "collision": {"core", "voxel", "mesh", "terrain", "meshing"},
    "physics": {"core", "voxel", "mesh", "collision", "structure"},
    "io": THINGS,
    "bake": THINGS | {"terrain", "meshing", "io"},
    "scenario": None,  # the top of the library: everything
}

# Third-party headers and the only places that may see them.
HOMES = {
    r"tbb/|oneapi/": [r"core/parallel\.cpp"],
    # Kernels are compiled once for each instruction set.
    r"hwy/": [r"(terrain|meshing|collision|physics|voxel)/.*_kernel\.cpp",
              r"(terrain|collision|physics)/.*_inl\.h", r"core/simd\.cpp"],
    r"tiny_obj_loader\.h": [r"io/obj_reader\.cpp"],
    r"nlohmann/": [r"(io|bake)/.*\.cpp", r"scenario/.*", r"terrain/parameters\.cpp"],
    r"meshoptimizer\.h": [r"io/.*\.cpp"],
    r"png\.h": [r"io/png\.cpp"],
    r"pugixml\.hpp": [r"io/.*\.cpp"],
    r"fmt/": [r".*\.cpp"],
    r"CLI/": [],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def complaints(lib):
    for path in sorted(lib.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        name = path.relative_to(lib).as_posix()
        folder = name.split("/")[0]
        if folder not in MAY_INCLUDE:
            yield f"{name}: folder '{folder}' is not in the table of check_layers.py"
            continue
        allowed = MAY_INCLUDE[folder]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match[2]
            if match[1] == '"':
                other = target.split("/")[0]
                if other != folder and allowed is not None and other not in allowed:
                    yield f"{name}:{number}: {folder} may not include {other} ({target})"
            for header, homes in HOMES.items():
                if re.match(header, target) and not any(re.fullmatch(h, name) for h in homes):
                    yield f"{name}:{number}: {target} belongs in {' or '.join(homes) or 'no file of lib/'}"


def main():
    lib = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "lib")
    found = list(complaints(lib))
    print("\n".join(found) or f"every include of {lib} follows the arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
