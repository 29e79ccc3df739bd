#!/bin/sh
# The main job, with something to look at, in less than a minute: learn a task of the paper, ask the network
# questions, run the paper's experiments for graph networks (sequences on one fold: they take most of the time),
# verify C programs, and write a report.
set -eu
ggsnn=$1
out=${2-demo}
mkdir -p "$out"
show() {
    printf '\n$ ggsnn %s\n' "$*"
    "$ggsnn" "$@"
}
echo "Basic deduction (bAbI task 15): stories like this one, read as graphs. Nothing but the graph is seen."
show generate babi15 --count 1000 --seed 1 -o "$out/train.txt"
show generate babi15 --count 1000 --seed 2 -o "$out/test.txt"
sed -n '1,13p' "$out/train.txt"
show train "$out/train.txt" -o "$out/fear.ggsnn" --train-count 50 --valid-count 50
show evaluate "$out/fear.ggsnn" "$out/test.txt"
head -n 13 "$out/test.txt" >"$out/questions.txt"
show predict "$out/fear.ggsnn" "$out/questions.txt"
show info "$out/fear.ggsnn"
echo
echo "The paper's tables for graph networks, 50 training stories: single answers on three folds, sequences on one:"
show reproduce table1 --models ggnn,ggsnn --quick -o "$out/report"
show reproduce table3 --models ggnn,ggsnn --quick --folds 1 -o "$out/report"
echo
echo "Heaps of C programs, described by the same kind of network, and proved:"
programs=$(dirname "$0")/../examples/programs
show verify "$programs/concat.c" "$programs/insertion_sort.c" "$programs/tree_insert.c"
show verify "$programs/broken/leak.c" || true
show reproduce programs -o "$out/report"
echo
echo "Open $out/report/index.html to see tables, curves and failures."
