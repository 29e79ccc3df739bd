// Sorted list segments from x to y, with no value below lo.
define sorted(x, y, lo) :=
    x = y \/ exists n, v . x != y * x |-> {next: n, val: v} * lo <= v * sorted(n, y, v);
// A list of n cells.
define len(x, n) := x = NULL * n = 0 \/ exists t . x |-> {next: t} * len(t, n - 1);

sorted(x, NULL, 3) |- sorted(x, NULL, 1);
sorted(x, NULL, 1) |- sorted(x, NULL, 3);
x |-> {next: y} * len(y, n) |- len(x, n + 1);
len(x, n) * n > 2 * x = NULL;
