#!/usr/bin/env bash
# Runs the Khronos validator over files, installing it first where it is missing.
#   validate_gltf.sh NODE_FOLDER FILE...
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift
mkdir -p "$folder"
(
  flock 9
  if ! cmp -s "$tools/package.json" "$folder/installed.json"; then
    cp "$tools/package.json" "$folder/package.json"
    (cd "$folder" && npm install --no-audit --no-fund --no-package-lock)
    cp "$folder/package.json" "$folder/installed.json"
  fi
) 9>"$folder/lock"
cd "$folder"
exec node "$tools/validate_gltf.mjs" "$@"
