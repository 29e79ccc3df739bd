// expect: proved-or-unknown
// Compound literals live to the end of their block.
struct p { int x, y; };
static int area(const struct p *p) { return p->x * p->y; }

int main(void) {
    struct p *q = &(struct p){2, 3};
    q->x++;
    return area(q) + area(&(struct p){.y = 1}) == 9 ? 0 : 1;
}
