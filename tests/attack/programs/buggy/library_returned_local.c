// expect: unsafe-or-unknown
// The address of a local is returned, and followed by the other function.
struct range { int low, high; };

static struct range *make(int low, int high) {
    struct range r = {low, high};
    struct range *p = &r;
    return p;
}

int width(int low, int high) {
    struct range *r = make(low, high);
    return r->high - r->low;
}
