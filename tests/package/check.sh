#!/usr/bin/env bash
# check.sh BUILD_FOLDER COMPILER [sanitized]: installs the library into a fresh folder and uses it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags=()
[ "${3:-}" != sanitized ] || flags=(-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined)
cmake --install "$1" --prefix "$folder/prefix" >/dev/null
cmake -S "$here" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$2" \
      -DCMAKE_PREFIX_PATH="$folder/prefix" "${flags[@]}" >/dev/null
cmake --build "$folder/build" >/dev/null
"$folder/build/consumer"
