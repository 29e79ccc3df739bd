// expect: unsafe-or-unknown
// A returned struct holds the address of a local.
struct view { int *at; int n; };

static struct view make(void) {
    int local[2] = {1, 2};
    struct view v = {local, 2};
    return v;
}

int main(void) {
    struct view v = make();
    return v.at[1];
}
