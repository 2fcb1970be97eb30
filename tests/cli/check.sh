#!/usr/bin/env bash
# check.sh TALUS: runs the program as a person would and checks exit codes, messages and bytes.
set -uo pipefail
talus=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

# expect CODE TEXT ARGUMENT...: the exit code, and a text that standard error must hold.
expect() {
  local code=$1 text=$2 found=0
  shift 2
  "$talus" "$@" >stdout 2>stderr </dev/null || found=$?
  if [ "$found" != "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" stderr; }; then
    echo "talus $*: exit $found instead of $code, or no '$text' in: $(cat stderr)"
    failures=$((failures + 1))
  fi
}
same() {
  cmp -s "$1" "$2" || { echo "$1 and $2 differ"; failures=$((failures + 1)); }
}

expect 0 'triangles' mesh --around 320,-48 --size 64 -o one.glb -j 1
cp one.glb kept.glb
for level in sse4 avx2 avx3; do
  TALUS_SIMD=$level "$talus" mesh -q --around 320,-48 --size 64 -o two.glb -j 2 2>/dev/null || continue
  same one.glb two.glb
done
for mesher in surface-nets marching-cubes blocks; do
  expect 0 '' mesh --mesher $mesher --around 320,-48 --size 96 -o a.obj -j 1
  expect 0 '' mesh --mesher $mesher --around 320,-48 --size 96 -o b.obj -j 2
  sed 1,3d a.obj >a.text; sed 1,3d b.obj >b.text
  same a.text b.text
done
expect 0 '' mesh --from 288,-24,-80 --to 336,40,-32 --closed --verify-skips -o closed.glb
expect 0 '' inspect closed.glb --require closed,clean
expect 1 '' inspect one.glb --require closed
expect 2 'swap' mesh --from 10,0,0 --to 0,10,10 -o one.glb
expect 2 '--from' mesh --from nan,0,0 --to 1,10,10 -o one.glb
expect 2 'surface-nets' mesh --around 0,0 --size 64 --mesher surfce-nets -o one.glb
expect 2 "'hills'" mesh --around 0,0 --size 64 --preset hils -o one.glb
expect 2 "'cave_radius'" mesh --around 0,0 --size 64 --set cave_radios=1 -o one.glb
expect 2 'must be' mesh --around 0,0 --size 64 --set cave_radius=7 -o one.glb
expect 2 'mesh' mehs
expect 2 '.glb' mesh --around 0,0 --size 64 -o one.xyz
expect 5 'no folder' mesh --around 0,0 --size 64 -o nowhere/one.glb
expect 2 '' inspect nothing.glb
same one.glb kept.glb
[ "$(ls)" = "$(ls | grep -v tmp)" ] || { echo "left behind: $(ls)"; failures=$((failures + 1)); }
printf 'x,y,z,name\n1,2,3,a\n4,5,6,b\n' | "$talus" query density - >rows
printf 'x,y,z,name,density\n1,2,3,a,4.055844752756789\n4,5,6,b,4.968180901099\n' >wanted
same rows wanted
yes 1,2,3 | sed 1s/.*/x,y,z/ | head -n 200000 | "$talus" query density - 2>piped | head -n 2 >/dev/null
[ ! -s piped ] || { echo "a closed pipe: $(cat piped)"; failures=$((failures + 1)); }
[ $failures = 0 ] && echo "the program keeps its contract"
exit $((failures > 0))
