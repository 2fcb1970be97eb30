#!/usr/bin/env bash
# page.sh TALUS: the HTML report in a real browser, with a screenshot. Skipped (77) without Chromium.
set -uo pipefail
talus=$(realpath "$1")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo 'skipped: no Chromium here (Debian: chromium)'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cat >cube.json <<'EOM'
{"talus": 1, "terrain": {"preset": "flat"},
 "pieces": [{"name": "cube", "structure": [{"op": "block", "size": 2, "cell": [0, 8, 0]}]}],
 "until": {"time_s": {"$": "end"}},
 "expect": [{"that": "at_rest", "by_s": 4, "why": "<b>bold</b> & \"quoted\""}],
 "matrix": {"end": [0.1, 5]}}
EOM
echo '{"talus": 1, "exspect": []}' >broken.json
"$talus" batch . --out out --save trajectory --html page.html -q >/dev/null
look() {
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/browser" \
    --host-resolver-rules='MAP * ~NOTFOUND' --virtual-time-budget=1000 "$@" 2>/dev/null
}
failures=0
expect() { grep -qF -- "$2" "$1" || { echo "no '$2' in $1"; failures=$((failures + 1)); }; }
look --dump-dom "file://$folder/page.html" >seen || { echo 'the browser fails'; exit 1; }
expect seen '<body class="live">'
expect seen 'cube.json::cube[end=0.1]'
expect seen '&lt;b&gt;bold&lt;/b&gt;'
# A click on the head of the first column, then what is not failed filtered away.
sed 's|</body>|<script>document.querySelector(".cases th").click();\
document.querySelectorAll("form input[type=checkbox]").forEach(b => { b.checked = b.value === "failed" });\
document.querySelector("form").dispatchEvent(new Event("input"));\
document.title = [...document.querySelectorAll(".cases > tbody > tr")]\
.map(r => r.dataset.verdict + (r.hidden ? "" : "!")).join(" ");</script></body>|' page.html >used.html
look --dump-dom "file://$folder/used.html" >used
expect used '<title>error failed! passed</title>'
look --screenshot="$folder/page.png" --window-size=1000,800 "file://$folder/page.html"
# A blank page of this size takes a few kilobytes.
size=$(stat -c %s page.png 2>/dev/null || echo 0)
[ "$size" -gt 15000 ] || { echo "the screenshot has $size bytes"; failures=$((failures + 1)); }
[ $failures = 0 ] && echo 'the page works in the browser'
exit $((failures > 0))
