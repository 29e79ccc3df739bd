#!/bin/sh
# A test that skips says so and passes; that nobody notices is what this is against. Counts the tests that a
# run of ctest skipped, and fails if there are more than are written down here for what this machine lacks.
#   scripts/skips.sh RESULTS.xml    as `ctest --output-junit RESULTS.xml` writes it
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
data=${GGSNN_DATA:-$root/../shared/data}
without_data=24  # tests of babi/ and slcomp/, which the project does not own
without_z3=2     # tests that ask z3 for a second opinion, one of them on slcomp/
without_onnxruntime=1 # the test of exported networks in onnxruntime, which npm could not install
without_page=8   # the page in a browser, part by part, and that it is what its sources give: npm's modules and chromium
without_torch=1  # the test of imported layers against torch itself, which is 958 MB; numpy's turn is never skipped
# Everything else is installed by `./ggsnn test`: no clang, LLVM, sanitizer or MPI is no reason to skip.

results=$1
allowed=0
[ -d "$data" ] || allowed=$((allowed + without_data))
if ! command -v z3 >/dev/null 2>&1; then
    allowed=$((allowed + without_z3))
elif [ ! -d "$data" ]; then
    allowed=$((allowed + 1))
fi
[ -f "$root/build/onnxruntime/node_modules/onnxruntime-web/package.json" ] || allowed=$((allowed + without_onnxruntime))
if [ ! -d "$root/web/node_modules/playwright-core" ] || ! command -v node >/dev/null 2>&1; then
    allowed=$((allowed + without_page))
elif [ ! -x /usr/bin/chromium ]; then
    allowed=$((allowed + without_page - 1))
fi
/usr/bin/python3 -c 'import torch' 2>/dev/null || allowed=$((allowed + without_torch))
names=$(tr '\n' ' ' <"$results" | sed 's/<testcase /\n&/g' | sed -n '/<skipped/s/^<testcase name="\([^"]*\)".*/\1/p')
skipped=$(printf '%s' "$names" | grep -c . || true)
[ "$skipped" -le "$allowed" ] && exit 0
printf '%s\n' "ggsnn: $skipped tests were skipped, and only $allowed may be here:" "$names" >&2
exit 1
