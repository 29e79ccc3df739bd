#!/bin/sh
# The page's own tools, which need node and npm's modules (web/package.json).
#   scripts/web.sh install                      the modules, into web/node_modules
#   scripts/web.sh build                        web/src into web/dist
#   scripts/web.sh check                        whether web/dist is what web/src gives, and types
#   scripts/web.sh test PROGRAM FOLDER PART     one part in a browser; screenshots go to the folder
# Exit code 77: skipped, because something that it needs is not there.
set -eu
web=$(CDPATH='' cd -- "$(dirname -- "$0")/../web" && pwd)
skip() {
    echo "[  SKIPPED ] $*"
    exit 77
}
command=${1-}
[ $# -eq 0 ] || shift
command -v node >/dev/null 2>&1 || skip "node is not installed"
if [ "$command" = install ]; then
    cd "$web" && exec npm ci --ignore-scripts --no-audit --no-fund
fi
[ -d "$web/node_modules/esbuild" ] || skip "npm's modules of web/ are not installed: scripts/web.sh install"
case "$command" in
build) exec node "$web/build.mjs" ;;
check)
    node "$web/build.mjs" --check
    cd "$web" && exec node node_modules/typescript/bin/tsc --noEmit -p .
    ;;
test) exec node "$web/tests/page.mjs" "$@" ;;
*)
    echo "web.sh: expected install, build, check or test; found '$command'" >&2
    exit 2
    ;;
esac
