// expect: unsafe-or-unknown
// A division by the number of cells.
struct n { struct n *next; int v; };

static int mean(struct n *l) {
    int sum = 0, count = 0;
    for (; l; l = l->next) {
        sum += l->v;
        count++;
    }
    return sum / count;
}

int main(void) { return mean(0); }
