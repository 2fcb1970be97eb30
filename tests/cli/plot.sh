#!/usr/bin/env bash
# plot.sh TALUS SOURCE: trajectories as analysts' tools read them, and the plots made of them.
set -euo pipefail
talus=$(realpath "$1")
source=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for ending in json jsonl csv; do
  "$talus" run -q "$source/scenarios/pillar.json" --trajectory "fall.$ending"
done
# Debian's Python, whatever else is first on the path: that is the one with the packages.
python=/usr/bin/python3
$python - <<'PYTHON'
import json
import pandas as pd

csv = pd.read_csv("fall.csv", float_precision="round_trip")
assert (pd.read_csv("fall.csv")["y_m"] - csv["y_m"]).abs().max() < 1e-12
lines = pd.read_json("fall.jsonl", lines=True)
document = json.load(open("fall.json"))
assert list(csv.columns) == list(lines.columns), (csv.columns, lines.columns)
assert len(csv) == len(lines) == sum(len(b["frame"]) for b in document["bodies"]) > 20
body = document["bodies"][0]
assert list(csv["y_m"]) == [p[1] for p in body["position_m"]]
assert csv["y_m"].dtype == float and csv["frame"].dtype == int
# It falls: 1/2 g t^2, until it lands.
fall = csv[csv["time_s"] < 1.2]
expected = csv["y_m"][0] - 0.5 * 9.81 * (fall["time_s"] - 0.5) ** 2
assert (fall["y_m"] - expected).abs().max() < 0.05
PYTHON
gnuplot -e 'set datafile separator ","; set terminal svg; set output "gnuplot.svg";
  plot "fall.csv" using "time_s":"y_m" with lines' 2>gnuplot.err
[ ! -s gnuplot.err ] && grep -q '</svg>' gnuplot.svg || { cat gnuplot.err; exit 1; }
for ending in json jsonl csv; do
  $python "$source/scripts/plot_trajectory.py" "fall.$ending" "$ending.svg"
  grep -q '</svg>' "$ending.svg"
done
$python "$source/scripts/plot_trajectory.py" fall.json fall.png
[ "$(head -c 4 fall.png | tail -c 3)" = PNG ]
! $python "$source/scripts/plot_trajectory.py" fall.txt fall.png 2>/dev/null
echo "pandas, json and gnuplot read trajectories as they are"
