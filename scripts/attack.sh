#!/bin/sh
# The attack on `ggsnn verify`: what it proves must not fail, what it calls unsafe must fail. Judged by gcc's
# sanitizers. Expects the targets attack and ggsnn_cli to be built (./ggsnn attack does that).
#   scripts/attack.sh [--count 1000] [--seed N] ...   random programs (default: a thousand), then the hand-written
#   scripts/attack.sh --corpus                        the hand-written ones alone
#   scripts/attack.sh --confirm                       are the hand-written ones what they say? Without verify
# All other options go to the program: see its --help. What is found is kept in build/attack-found.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=${GGSNN_BUILD:-$root/build/release}
attack=$build/tests/attack/attack
programs=$root/tests/attack/programs
[ -x "$attack" ] || { printf '%s\n' "attack: $attack is not built" >&2; exit 1; }

mode=random
case "${1-}" in
--confirm) mode=confirm; shift ;;
--corpus) mode=corpus; shift ;;
--help) exec "$attack" --help ;;
esac
on_verify() { "$attack" --ggsnn "$build/ggsnn" --keep "$root/build/attack-found" "$@"; }
case "$mode" in
confirm) "$attack" --confirm "$programs" "$@" ;;
corpus) on_verify --corpus "$programs" "$@" ;;
random)
    code=0
    on_verify --count 1000 "$@" || code=$?
    [ "$code" = 2 ] && exit 2
    printf '\nhand-written programs:\n'
    on_verify --corpus "$programs" "$@" || code=$?
    exit "$code"
    ;;
esac
