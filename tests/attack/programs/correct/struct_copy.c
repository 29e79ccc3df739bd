// expect: proved-or-unknown
// A struct is copied, and the copy is changed.
struct point { int x, y; int trail[3]; };

static struct point moved(struct point p, int by) {
    p.x += by;
    p.trail[2] = p.x;
    return p;
}

int main(void) {
    struct point a = {1, 2, {0}}, b = moved(a, 3);
    a = b;
    return a.x == 4 && b.trail[2] == 4 ? 0 : 1;
}
