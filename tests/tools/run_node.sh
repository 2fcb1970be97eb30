#!/usr/bin/env bash
# Runs a script of this folder under node, installing what package.json names first where it is
# missing.
#   run_node.sh NODE_FOLDER SCRIPT ARGUMENT...
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
folder=$1
script=$2
shift 2
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
exec node "$tools/$script" "$@"
