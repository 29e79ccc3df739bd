#!/bin/sh
# bench_ranks.sh PROGRAM [RANKS] [ROUNDS]: how many times faster RANKS processes train than one, one thread each,
# on data like workload c2: minibatches of 500 graphs of 18 nodes and 36 edges of 4 types, D = 100, 8 steps.
# Rounds are interleaved; reading the data is taken out by the difference of a longer and a shorter run.
set -eu
program=$1
ranks=${2-2}
rounds=${3-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'BEGIN {
    srand(1)
    for (g = 0; g < 510; ++g) {
        printf "{\"nodes\":18,\"edges\":["
        for (e = 0; e < 36; ++e)
            printf "%s[%d,\"t%d\",%d]", e ? "," : "", rand() * 18, e < 4 ? e : rand() * 4, rand() * 18
        printf "],\"features\":["
        for (v = 0; v < 18; ++v) {
            printf "%s[", v ? "," : ""
            for (f = 0; f < 5; ++f) printf "%s%.3f", f ? "," : "", rand() - 0.5
            printf "]"
        }
        printf "],\"question\":{\"answer\":{\"node\":%d}}}\n", rand() * 18
    }
}' >"$folder/graphs.jsonl"

# run UPDATES COMMAND...: seconds of a training with that many updates.
run() {
    updates=$1
    shift
    before=$(date +%s.%N)
    "$@" train "$folder/graphs.jsonl" -o "$folder/m.ggsnn" --train-count 500 --valid-count 10 --batch 500 \
        --state 100 --steps 8 --restarts 1 --updates "$updates" --evaluate-every 100000 --threads 1 --quiet \
        >/dev/null 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
    date +%s.%N | awk -v b="$before" '{ print $1 - b }'
}

for _ in $(seq "$rounds"); do
    one=$(awk "BEGIN { print $(run 9 "$program") - $(run 3 "$program") }")
    many=$(awk "BEGIN { print $(run 9 mpirun --allow-run-as-root --oversubscribe -n "$ranks" "$program") - \
        $(run 3 mpirun --allow-run-as-root --oversubscribe -n "$ranks" "$program") }")
    awk "BEGIN { printf \"6 updates: one process %.2f s, $ranks processes %.2f s, %.2f times as fast\n\", $one, $many, $one / $many }"
done
