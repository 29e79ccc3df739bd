// expect: unsafe-or-unknown
// A compound literal lives as long as its block.
struct p { int x, y; };

int main(void) {
    struct p *q;
    if (1) {
        q = &(struct p){1, 2};
        q->x = 3;
    }
    return q->x;
}
