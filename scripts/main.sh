#!/bin/sh
# Behind ./ggsnn: packages, build, dispatch. Written for a plain POSIX shell; asks for nothing.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
core_packages="g++ cmake ninja-build libfmt-dev zlib1g-dev nlohmann-json3-dev libcli11-dev libhwy-dev libz3-dev" # the last: integers in proofs
test_packages="libgtest-dev libgmock-dev libbenchmark-dev libclang-rt-19-dev" # the last: sanitizers of clang, for replays
export_packages="python3-numpy" # runs exported networks
serve_packages="libcpp-httplib-dev pkg-config" # the page over HTTP; without them the program is built without a server
browser_packages="chromium fonts-dejavu-core" # the page is driven in it by the tests
runtime="onnxruntime-web@1.30.0" # from npm: runs them once more
c_packages="clang-19 llvm-19-dev" # reads C: clang compiles it to bitcode, LLVM's library reads that
mpi_packages="libopenmpi-dev openmpi-bin" # several processes; without them the program is built for one
peer_packages="libtorch-dev libopenblas0-openmp" # the pthread build of OpenBLAS fights libtorch's threads
python_packages="pybind11-dev python3-dev python3-numpy" # the module of Python
python_test_packages="python3-pytest python3-scipy python3-networkx python3-sklearn"
lint_packages="clang-format-19 clang-tidy-19"
release="$root/build/release"

say() { printf '%s\n' "ggsnn: $*" >&2; }

# install PACKAGE...: through apt-get, only what dpkg does not know as installed.
install() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null 2>&1 || { say "missing packages, and no apt-get to install them:$missing"; exit 1; }
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || { say "not root and no sudo; please install:$missing"; exit 1; }
        as_root=sudo
    fi
    say "installing$missing"
    log=$(mktemp)
    # A package list may be absent or old: refresh it once, and try again if the first try fails.
    # shellcheck disable=SC2086
    if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1 </dev/null; then
        if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
            tail -n 20 "$log" >&2
            say "apt-get could not install:$missing (its output is above)"
            exit 1
        fi
    fi
    rm -f "$log"
    rm -f "$root"/build/*/.preset.* # what was not there before is to be found now
}

# build PRESET [TARGET...]: configures when needed. On a terminal ninja's line shows how far it is; elsewhere the
# build is quiet unless something fails.
build() {
    preset=$1
    shift
    log=$(mktemp)
    dir=$release
    case "$preset" in dev | threads) dir="$root/build/$preset" ;; esac
    # The server's library or LLVM may have been installed by hand since.
    if [ -e /usr/include/httplib.h ] && [ -f "$dir/CMakeCache.txt" ] && ! grep -q 'HTTPLIB_FOUND:INTERNAL=1' "$dir/CMakeCache.txt"; then
        rm -f "$dir/.preset.$preset"
    fi
    if [ -e /usr/lib/llvm-19/lib/libLLVM-19.so ] && grep -qs 'GGSNN_LLVM_.*-NOTFOUND' "$dir/CMakeCache.txt"; then
        rm -f "$dir/.preset.$preset"
    fi
    if [ ! -f "$dir/build.ninja" ] || [ ! -f "$dir/.preset.$preset" ]; then
        say "configuring ($preset)"
        (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; say "configuring failed"; exit 1; }
        : >"$dir/.preset.$preset"
    fi
    say "building"
    if [ -t 2 ]; then
        cmake --build "$dir" ${1:+--target "$@"} >&2 || { say "the build failed"; exit 1; }
    else
        cmake --build "$dir" ${1:+--target "$@"} >"$log" 2>&1 || { cat "$log" >&2; say "the build failed"; exit 1; }
    fi
    rm -f "$log"
}

# run_tests FOLDER OPTION...: those of a build, with options of ctest; more skips than allowed are a failure.
run_tests() {
    cd "$root/build/$1"
    shift
    rm -f tests.xml
    ctest --output-on-failure -j "$(nproc)" --output-junit tests.xml "$@"
    [ ! -f tests.xml ] || "$root/scripts/skips.sh" tests.xml
}

# sanitize [ROOM...] [OPTION...]: the tests under sanitizers, or those of some rooms, of which nothing else is built.
sanitize() {
    rooms=
    while [ $# -gt 0 ]; do
        case "$1" in -*) break ;; esac
        [ -n "$(find "$root/tests/$1" -maxdepth 1 -name '*_test.cpp' 2>/dev/null)" ] || { say "no tests of a room called $1"; exit 2; }
        rooms="$rooms $1"
        shift
    done
    if [ -z "$rooms" ]; then
        build dev
        build threads test_base test_nn
        run_tests dev "$@"
        run_tests threads -R '^(base|nn)[.][A-Z]' "$@"
        return
    fi
    for room in $rooms; do
        build dev "test_$room"
        run_tests dev -R "^$room[.][A-Z]" "$@"
        case "$room" in base | nn) ;; *) continue ;; esac
        build threads "test_$room"
        run_tests threads -R "^$room[.][A-Z]" "$@"
    done
}

# program STAMP PACKAGE...: the program, built with what these packages give. Where nothing that it is made of has changed
# since it was last built for this stamp (the folders themselves change when files come and go), nothing is looked at.
program() {
    stamp="$release/.current.$1"
    shift
    if [ -x "$release/ggsnn" ] && [ -f "$stamp" ] &&
        [ -z "$(cd "$root" && find src include models scripts web CMakeLists.txt CMakePresets.json -name node_modules -prune -o -cnewer "$stamp" -print -quit)" ]; then
        return 0
    fi
    install "$@"
    mkdir -p "$release"
    : >"$stamp.new" # what changes while it is built is newer than this
    build release ggsnn_cli
    mv "$stamp.new" "$stamp"
}

# help: what the program says of itself, and what this script adds.
help() {
    # shellcheck disable=SC2086
    program core $core_packages
    "$release/ggsnn" --help
    sed -n 's/^#   \(\.\/ggsnn [a-z].*\)/  \1/p' "$root/ggsnn" | { echo; echo "Around the program:"; cat; }
}

# onnxruntime: exported networks are also held to it, where npm can be had and reaches its registry; otherwise that
# test skips, and says so.
onnxruntime() {
    folder="$root/build/onnxruntime"
    [ ! -f "$folder/node_modules/onnxruntime-web/package.json" ] || return 0
    command -v npm >/dev/null 2>&1 || (install nodejs npm) || return 0
    mkdir -p "$folder"
    say "installing $runtime from npm"
    npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund "$runtime" >"$folder/log" 2>&1 </dev/null ||
        say "npm could not install $runtime (see $folder/log): the test of exported networks in it is skipped"
}

# page_modules: what builds and drives the page, where npm can be had and reaches its registry; otherwise those tests skip.
page_modules() {
    [ ! -d "$root/web/node_modules/playwright-core" ] || return 0
    command -v npm >/dev/null 2>&1 || (install nodejs npm) || return 0
    say "installing npm's modules for the tests of the page"
    mkdir -p "$root/build"
    "$root/scripts/web.sh" install >"$root/build/web.log" 2>&1 </dev/null ||
        say "npm could not install them (see build/web.log): the tests of the page are skipped"
}

# peers OPTION...: the same network on libtorch beside ours. Torch is installed and built with for this alone.
peers() {
    # shellcheck disable=SC2086
    install $core_packages $peer_packages
    log=$(mktemp)
    say "building the comparison with libtorch (minutes at the first time)"
    { cmake -S "$root/bench/peers" -B "$root/build/peers" -G Ninja && cmake --build "$root/build/peers"; } >"$log" 2>&1 ||
        { cat "$log" >&2; say "the build failed"; exit 1; }
    rm -f "$log"
    exec "$root/build/peers/compare" "$@"
}

case "${1-}" in
test)
    shift
    # shellcheck disable=SC2086
    install $core_packages $test_packages $c_packages $mpi_packages $python_packages $python_test_packages $export_packages $serve_packages
    # shellcheck disable=SC2086
    (install $browser_packages) || say "without chromium the tests of the page are skipped"
    onnxruntime
    page_modules
    if [ "${1-}" = --sanitize ]; then
        shift
        sanitize "$@"
        exit
    fi
    build test
    run_tests release "$@"
    ;;
attack)
    shift
    # shellcheck disable=SC2086
    install $core_packages $test_packages $c_packages
    build test attack ggsnn_cli
    exec "$root/scripts/attack.sh" "$@"
    ;;
lint)
    shift
    # shellcheck disable=SC2086
    install $core_packages $test_packages $c_packages $lint_packages
    exec "$root/scripts/lint.sh" "$@"
    ;;
bench)
    shift
    if [ "${1-}" = --peers ]; then
        shift
        peers "$@"
    fi
    # shellcheck disable=SC2086
    install $core_packages $test_packages
    build test
    exec "$release/bench/bench_nn" "$@"
    ;;
install)
    shift
    prefix=/usr/local
    case "${1-}" in
    --prefix) prefix=${2:?--prefix needs a folder} ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    "") ;;
    *) say "install takes --prefix FOLDER; found $1"; exit 2 ;;
    esac
    # shellcheck disable=SC2086
    install $core_packages $c_packages $python_packages $serve_packages
    build all ggsnn_cli ggsnn_c ggsnn_python
    as_root=
    parent=$prefix
    while [ ! -e "$parent" ]; do parent=$(dirname "$parent"); done
    if [ ! -w "$parent" ]; then
        command -v sudo >/dev/null 2>&1 || { say "cannot write to $parent; choose another --prefix"; exit 1; }
        as_root=sudo
    fi
    $as_root cmake --install "$release" --prefix "$prefix" >/dev/null
    say "installed: $prefix/bin/ggsnn; Python: PYTHONPATH=$prefix/lib/python3/dist-packages; to use it from CMake: -DCMAKE_PREFIX_PATH=$prefix"
    ;;
package)
    shift
    # shellcheck disable=SC2086
    install $core_packages $c_packages $python_packages $serve_packages dpkg-dev file
    build all ggsnn_cli ggsnn_c ggsnn_python
    (cd "$release" && cpack -G DEB >/dev/null) || { say "cpack failed"; exit 1; }
    ls "$release"/ggsnn_*.deb
    ;;
site)
    shift
    # shellcheck disable=SC2086
    install $core_packages $c_packages $python_packages $serve_packages
    build all ggsnn_cli ggsnn_c ggsnn_python
    PYTHONPATH="$release/python" exec /usr/bin/python3 "$root/site/build.py" "$release/ggsnn" "${1:-$root/build/site}"
    ;;
demo)
    shift
    # shellcheck disable=SC2086
    program c $core_packages $c_packages
    exec "$root/scripts/demo.sh" "$release/ggsnn" "$@"
    ;;
serve)
    # shellcheck disable=SC2086
    program serve $core_packages $c_packages $serve_packages
    exec "$release/ggsnn" "$@"
    ;;
verify | infer | snapshots | reproduce | show)
    # shellcheck disable=SC2086
    program c $core_packages $c_packages
    exec "$release/ggsnn" "$@"
    ;;
*)
    # shellcheck disable=SC2086
    case "$#:${1-}" in 1:help | 1:--help | 1:-h) help; exit ;; esac
    # shellcheck disable=SC2086
    program core $core_packages
    exec "$release/ggsnn" "$@"
    ;;
esac
