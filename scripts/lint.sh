#!/bin/sh
# clang-format and clang-tidy over everything this project wrote; exit code 1 if either finds something.
#   ./ggsnn lint          check
#   ./ggsnn lint --fix    format in place first
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files 'src/*.cpp' 'src/*.hpp' 'tests/*.cpp' 'tests/*.hpp' 'bench/*.cpp' 'bench/*.hpp' 'fuzz/*.cpp' 'examples/*.cpp' \
    'src/*.h' 'python/*.cpp' 'python/*.hpp' ':(glob)examples/*.c')
if [ "${1-}" = --fix ]; then
    # shellcheck disable=SC2086
    clang-format-19 -i $files
fi
# shellcheck disable=SC2086
clang-format-19 --dry-run --Werror $files
# kernels_simd.cpp is compiled once for each instruction set by including itself: clang-tidy cannot follow.
cmake -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Release -DGGSNN_TOGETHER=OFF >/dev/null # how each file is compiled alone
git ls-files 'src/*.cpp' | grep -v kernels_simd |
    xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option
echo "lint: nothing found"
